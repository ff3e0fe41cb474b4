import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The inputs of a build besides `node_modules`. */
export const BUILD_INPUTS = [
  ...['src', 'bin', 'default', 'app', 'docs', 'client', 'console'],
  ...['build.mjs', 'buildConsole.mjs', 'aliases.ts', 'package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE'],
  // A page with generated parts.
  'CONTRIBUTING.md',
];

/** Larger files are hard-linked instead of copied: a runtime has more than 100 MB. */
const LINK_FROM = 1_000_000;

/** Copies or hard-links a file, creating folders as needed. */
export function put(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (statSync(from).size < LINK_FROM || !linked(from, to)) copyFileSync(from, to);
}

/** @param isIncluded called with each path below the folder */
export function copyTree(from: string, to: string, isIncluded: (path: string) => boolean = () => true): void {
  mkdirSync(to, { recursive: true });
  for (const path of filesBelow(from)) if (isIncluded(path)) put(join(from, path), join(to, path));
}

/** The paths of all files below a folder, sorted. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/** Replaces a folder by rename; open files of the old one stay readable. */
export function replaceFolder(from: string, to: string): void {
  const old = `${from}.replaced`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(to)) renameSync(to, old);
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
}
