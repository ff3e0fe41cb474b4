import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree, put } from './files.ts';
import { noticesText } from './notices.ts';
import { ARM64, type Runtime, runtimePackage, X64 } from './runtimes.ts';
import { billOfMaterials } from './sbom.ts';
import { readLock, shippedPackage, shippedPackages } from './shipped.ts';

/** Limit of self-service installation in Splunk Cloud. */
const LARGEST = 128_000_000;
const RUNTIMES = 'bin/runtime/';

export interface Variant {
  /** Follows the version in the file name. */
  suffix: string;
  runtimes: readonly Runtime[];
}

export const VARIANTS: readonly Variant[] = [
  { suffix: '', runtimes: [X64, ARM64] },
  { suffix: '-aarch64', runtimes: [ARM64] },
  { suffix: '-noruntime', runtimes: [] },
];

/** Copies the app with the runtimes of one variant, and notices and SBOM to match. */
export async function makeVariant(
  root: string,
  app: string,
  into: string,
  runtimes: readonly Runtime[],
): Promise<void> {
  rmSync(into, { recursive: true, force: true });
  copyTree(app, into, (path) => !path.startsWith(RUNTIMES));
  await completeApp(root, into, runtimes);
}

/**
 * Adds the runtimes, THIRD_PARTY_NOTICES and the SBOM.
 * @param root a built project, with the metafiles of its bundles in `build/`
 * @throws Error naming packages that must not ship
 */
export async function completeApp(root: string, app: string, runtimes: readonly Runtime[]): Promise<void> {
  const lock = readLock(root);
  const inputs = ['build/metafile.json', 'build/console.json'].flatMap((path) =>
    Object.keys((JSON.parse(readFileSync(join(root, path), 'utf8')) as { inputs: object }).inputs),
  );
  const libraries = shippedPackages(root, inputs, lock);
  const nodes = [];
  for (const runtime of runtimes) {
    const folder = await runtimePackage(root, runtime, lock);
    const node = shippedPackage(root, folder, lock, `node_modules/${runtime.package}`);
    if (typeof node === 'string') throw new Error(node);
    nodes.push(node);
    put(join(root, folder, 'bin/node'), join(app, RUNTIMES, runtime.folder, 'node'));
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(app, 'THIRD_PARTY_NOTICES'), noticesText([...libraries, ...nodes], [modelPrices(root)]));
  writeFileSync(join(app, 'sbom.cdx.json'), billOfMaterials(manifest, libraries, nodes, lock));
}

function modelPrices(root: string) {
  const read = (name: string) => readFileSync(join(root, 'src/metering/prices/litellm', name), 'utf8');
  const { price_version } = JSON.parse(read('table.json'));
  return { what: 'The prices of language models', from: `LiteLLM (${price_version})`, licence: read('LICENSE') };
}

/** @throws Error if a package is too large */
export function assertFits(file: string): void {
  const { size } = statSync(file);
  if (size >= LARGEST) throw new Error(`${file} has ${size} bytes; the limit is ${LARGEST}`);
}
