import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readConf } from '../confs/conf.ts';
import { StartError } from '../home/home.ts';
import { readTar, type TarEntry } from './tar.ts';

/** An app to install: its folder name, and a function that writes its files. */
export interface AppSource {
  name: string;
  unpack(into: string): void;
}

/** Size limit that keeps a bad package from filling the memory. */
const MAX_UNPACKED = 1_500_000_000;
/**
 * Files of at least this size are hard-linked if possible: the runtime is about 120 MB. Smaller ones are copied, since
 * a build may rewrite them in place while the app runs.
 */
const LINK_FROM = 10_000_000;

export function folderSource(folder: string): AppSource {
  const dir = resolve(folder);
  if (!existsSync(join(dir, 'default', 'app.conf'))) {
    throw new StartError(
      `There is no app in ${dir} (default/app.conf is missing). Build it first, or name another with --app.`,
    );
  }
  const conf = readConf(join(dir, 'default', 'app.conf'));
  const name = conf.package?.id ?? conf.id?.name ?? basename(dir);
  return { name: appName(name, dir), unpack: (into) => copyTree(dir, into) };
}

export async function packageSource(file: string): Promise<AppSource> {
  try {
    const entries = await readTar(gunzipSync(readFileSync(file), { maxOutputLength: MAX_UNPACKED }));
    const name = topFolder(entries);
    if (!entries.some((entry) => entry.path.replace(/^\.\//, '') === `${name}/default/app.conf`)) {
      throw new Error('default/app.conf is missing');
    }
    return { name: appName(name, file), unpack: (into) => unpackEntries(entries, name, into) };
  } catch (error) {
    throw new StartError(`The package ${file} cannot be read: ${(error as Error).message}`);
  }
}

function appName(name: string, from: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name) && !name.endsWith('.')) return name;
  throw new StartError(`The app in ${from} has a name that cannot be a folder name: ${JSON.stringify(name)}`);
}

function parts(entry: TarEntry): string[] {
  if (entry.path.startsWith('/') || /[\\\0]/.test(entry.path)) throw new Error(`"${entry.path}" leaves the package`);
  const segments = entry.path.split('/').filter((part) => part !== '' && part !== '.');
  if (segments.includes('..')) throw new Error(`"${entry.path}" leaves the package`);
  return segments;
}

function topFolder(entries: readonly TarEntry[]): string {
  const tops = new Set(entries.flatMap((entry) => parts(entry).slice(0, 1)));
  const [top] = tops;
  if (top === undefined || tops.size !== 1) throw new Error('it must hold exactly one folder');
  return top;
}

function unpackEntries(entries: readonly TarEntry[], name: string, into: string): void {
  for (const entry of entries) {
    const target = join(into, ...parts(entry).slice(1));
    if (entry.folder) {
      mkdirSync(target, { recursive: true });
      continue;
    }
    if (target === into) throw new Error(`"${name}" is not a folder`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, entry.data);
    chmodSync(target, (entry.mode & 0o755) | 0o600);
  }
}

/** Every file of a folder. */
export function copyTree(from: string, into: string): void {
  mkdirSync(into, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(into, entry.name);
    if (entry.isDirectory()) copyTree(source, target);
    else if (statSync(source).size < LINK_FROM || !tryLink(source, target)) copyFileSync(source, target);
  }
}

function tryLink(source: string, target: string): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch {
    return false;
  }
}
