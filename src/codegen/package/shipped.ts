import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Licence, licenceOf, type Manifest } from './licences.ts';

/** A package with code in the app. */
export interface ShippedPackage {
  name: string;
  version: string;
  licence: Licence;
  /** `sha512-<base64>`, from package-lock.json. */
  integrity: string;
  /** `pkg:npm/<name>@<version>`, also the reference in the SBOM. */
  purl: string;
  /** Key in package-lock.json. */
  key: string;
}

interface LockedPackage {
  version?: string;
  integrity?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}
/** Package folder -> lock entry. */
export type Lock = Readonly<Record<string, LockedPackage>>;

export const readLock = (root: string): Lock =>
  (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages;

/**
 * The packages in a bundle, sorted by name and version.
 * @param inputs paths of files below the project, as esbuild lists them
 * @throws Error naming every package whose licence is not allowed or has no text
 */
export function shippedPackages(root: string, inputs: readonly string[], lock: Lock): ShippedPackage[] {
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined));
  const packages = new Map<string, ShippedPackage>();
  const problems: string[] = [];
  for (const folder of folders) {
    const shipped = shippedPackage(root, folder, lock);
    if (typeof shipped === 'string') problems.push(shipped);
    else packages.set(shipped.purl, shipped);
  }
  if (problems.length > 0) throw new Error(problems.sort().join('\n'));
  return [...packages.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
}

/** One package by its folder; a string says why it may not ship. */
export function shippedPackage(root: string, folder: string, lock: Lock, key = keyOf(folder)): ShippedPackage | string {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version } = manifest;
  const integrity = lock[key]?.integrity;
  if (integrity === undefined || lock[key]?.version !== version) {
    return `${name} ${version} is not what package-lock.json has: run npm ci`;
  }
  const licence = licenceOf(root, join(root, folder), manifest);
  if (typeof licence === 'string') return `${name} ${version} ${licence}`;
  return { name, version, licence, integrity, purl: purlOf(name, version), key };
}

/** Direct dependencies of each shipped package, skipping over packages that do not ship; '' is the app. */
export function dependencyTree(shipped: readonly ShippedPackage[], lock: Lock): Map<string, string[]> {
  const purls = new Map(shipped.map(({ key, purl }) => [key, purl]));
  // The same version may be installed in several places.
  for (const [key, { version }] of Object.entries(lock)) {
    const purl = purlOf(key.split('node_modules/').at(-1) ?? '', version ?? '');
    if (shipped.some((each) => each.purl === purl)) purls.set(key, purl);
  }
  const needs = (starts: readonly string[]): string[] => {
    const [visited, needed] = [new Set<string>(), new Set<string>()];
    const follow = (from: string) => {
      for (const key of neededBy(from, lock)) {
        if (visited.has(key)) continue;
        visited.add(key);
        const purl = purls.get(key);
        if (purl === undefined) follow(key);
        else needed.add(purl);
      }
    };
    for (const start of starts) follow(start);
    return [...needed].sort();
  };
  const direct = needs(['', 'console']);
  const tree = new Map([['', direct]]);
  for (const { key, purl } of shipped) {
    tree.set(
      purl,
      needs([key]).filter((other) => other !== purl),
    );
  }
  // Packages used without being declared in a manifest.
  const reached = new Set(direct);
  for (const purl of reached) for (const next of tree.get(purl) ?? []) reached.add(next);
  direct.push(...shipped.map(({ purl }) => purl).filter((purl) => !reached.has(purl)));
  return tree;
}

function neededBy(from: string, lock: Lock): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = lock[from] ?? {};
  const names = Object.keys({ ...dependencies, ...(from === '' ? {} : optionalDependencies), ...peerDependencies });
  return names.flatMap((name) => resolve(from, name, lock) ?? []);
}

/** Node's resolution: below the package, then upwards. */
function resolve(from: string, name: string, lock: Lock): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const key = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock[key] !== undefined) return key;
    if (folder === '') return undefined;
  }
}

const packageFolder = (path: string) => /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
/** A checkout may borrow the packages of another one. */
const keyOf = (folder: string) => folder.replace(/^.*?(?=(?:console\/)?node_modules\/)/, '');
const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`;
