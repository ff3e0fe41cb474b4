import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeClassic } from './classicPages.ts';
import { listing, type Packed, packApp, writeListing } from './pack.ts';
import { assertFits, makeVariant, VARIANTS } from './variants.ts';

/**
 * Packs every variant of a built app into `dist/`, with the bill of materials of the one that has everything, and
 * `SHA256SUMS` over all of it.
 * @param classic packs each for releases of the platform before 10.4 as well
 * @returns the names of the files, in the order of SHA256SUMS
 */
export async function makePackages(root: string, app: string, version: string, classic: boolean): Promise<string[]> {
  const dist = join(root, 'dist');
  const work = join(dist, '.packing');
  rmSync(work, { recursive: true, force: true });
  const packages: Packed[] = [];
  const bill = join(dist, `ml_extension-${version}.cdx.json`);
  try {
    for (const { suffix, runtimes } of VARIANTS) {
      const folder = join(work, `plain${suffix}`, 'ml_extension');
      await makeVariant(root, app, folder, runtimes);
      packages.push(await pack(folder, dist, `ml_extension-${version}${suffix}.spl`));
      if (suffix === '') copyFileSync(join(folder, 'sbom.cdx.json'), bill);
      if (!classic) continue;
      const old = join(work, `classic${suffix}`, 'ml_extension');
      makeClassic(folder, old);
      packages.push(await pack(old, dist, `ml_extension-${version}${suffix}-classic.spl`));
    }
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
  return names;
}

/** Under its name when it is whole. */
async function pack(folder: string, dist: string, name: string): Promise<Packed> {
  const packed = await packApp(folder, join(folder, '..', name));
  assertFits(packed.file);
  renameSync(packed.file, join(dist, name));
  return { ...packed, file: join(dist, name) };
}
