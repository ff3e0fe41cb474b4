import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** From this size on files are linked, not copied: a runtime has more than 100 MB. Nothing writes into such a file. */
const LINK_FROM = 1_000_000;

/** A file under another name, in folders that are made as needed: for large ones the same bytes where the file system can. */
export function put(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (statSync(from).size < LINK_FROM || !linked(from, to)) copyFileSync(from, to);
}

/** A folder with all that is in it. @param wanted is asked with each path below the folder */
export function copyTree(from: string, to: string, wanted: (path: string) => boolean = () => true): void {
  mkdirSync(to, { recursive: true });
  for (const path of filesBelow(from)) if (wanted(path)) put(join(from, path), join(to, path));
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

/** Puts a folder that is complete into the place of another. Who has files of the old one open keeps them. */
export function replaceFolder(from: string, to: string): void {
  const old = `${from}.replaced`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(to)) renameSync(to, old);
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
}
