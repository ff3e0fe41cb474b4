import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeClassic } from './classicPages.ts';
import { isAlive } from './lock.ts';
import { listing, type PackedApp, packApp, writeListing } from './pack.ts';
import { assertFits, makeVariant, VARIANTS } from './variants.ts';

/**
 * Packs every variant of a built app into `dist/`, with the SBOM of the full variant and `SHA256SUMS`.
 * @param classic also packs each variant for platform releases before 10.4
 * @param locked the build lock, held by the caller and released while packing
 */
export async function makePackages(
  root: string,
  version: string,
  classic: boolean,
  locked: { release(): void; take(): void },
): Promise<void> {
  const dist = join(root, 'dist');
  const work = join(dist, `.packing-${process.pid}`);
  discardLeftovers(dist);
  const packages: PackedApp[] = [];
  const bill = join(dist, `ml_extension-${version}.cdx.json`);
  try {
    const folders = await makeFolders(root, work, classic);
    locked.release();
    for (const suffix of folders) {
      const folder = join(work, suffix, 'ml_extension');
      const packed = await packApp(folder, join(work, `ml_extension-${version}${suffix.slice(3)}.spl`));
      assertFits(packed.file);
      packages.push(packed);
    }
    // Move all files at once, so that SHA256SUMS matches them.
    locked.take();
    for (const packed of packages) {
      const file = join(dist, basename(packed.file));
      renameSync(packed.file, file);
      packed.file = file;
    }
    copyFileSync(join(work, 'app', 'ml_extension/sbom.cdx.json'), bill);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  for (const packed of packages) {
    writeListing(packed);
    process.stdout.write(`${listing(packed)}\n`);
  }
  const sums = new Map(packages.map(({ file, sha256 }) => [basename(file), sha256]));
  sums.set(basename(bill), createHash('sha256').update(readFileSync(bill)).digest('hex'));
  const names = [...sums.keys()].sort();
  writeFileSync(join(dist, 'SHA256SUMS'), names.map((name) => `${sums.get(name)}  ${name}\n`).join(''));
}

/** @returns folder names: `app` plus the variant's suffix */
async function makeFolders(root: string, work: string, classic: boolean): Promise<string[]> {
  const made: string[] = [];
  for (const { suffix, runtimes } of VARIANTS) {
    const plain = join(work, `app${suffix}`, 'ml_extension');
    await makeVariant(root, join(root, 'dist/ml_extension'), plain, runtimes);
    made.push(`app${suffix}`);
    if (!classic) continue;
    makeClassic(plain, join(work, `app${suffix}-classic`, 'ml_extension'));
    made.push(`app${suffix}-classic`);
  }
  return made;
}

/** Removes the folders of interrupted builds. */
function discardLeftovers(dist: string): void {
  for (const name of readdirSync(dist)) {
    const [, pid] = /^\.packing-(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(dist, name), { recursive: true, force: true });
  }
}
