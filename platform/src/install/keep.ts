import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Files that REST or a person creates in an app's folder. The platform replaces these by rename only. */
const LOCAL_FILES = ['local', 'metadata/local.meta'];
/** A folder with both the app's and users' files. */
const LOOKUPS = 'lookups';
/** The lookups shipped with the app and their hashes: only unchanged ones are replaced by newer ones. */
const SHIPPED = '.shipped.json';

/** Copies local files of `current` to `staged`, the next version of the same app. */
export function keepLocalFiles(current: string, staged: string): void {
  for (const name of LOCAL_FILES) {
    rmSync(join(staged, name), { recursive: true, force: true });
    for (const file of filesOf(current, name)) link(join(current, file), join(staged, file));
  }
  const shipped = Object.fromEntries(filesOf(staged, LOOKUPS).map((file) => [file, hashOf(join(staged, file))]));
  const before = readShippedLookups(current);
  for (const file of filesOf(current, LOOKUPS)) {
    const source = join(current, file);
    if (Object.hasOwn(before, file) && before[file] === hashOf(source)) continue;
    rmSync(join(staged, file), { force: true });
    link(source, join(staged, file));
  }
  writeFileSync(join(staged, SHIPPED), `${JSON.stringify(shipped)}\n`);
}

function readShippedLookups(current: string): Record<string, string> {
  const file = join(current, SHIPPED);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
}

/** Paths of all files in a folder, or the one file of that name. */
function filesOf(root: string, name: string): string[] {
  const path = join(root, name);
  if (!existsSync(path)) return [];
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => filesOf(root, `${name}/${entry.name}`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return [name];
    throw error;
  }
}

/** Hard-links where the file system can, since models are large. */
function link(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
