import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { create } from 'tar';
import { filesBelow } from './files.ts';

export interface Packed {
  file: string;
  bytes: number;
  sha256: string;
  /** Path below the app's folder -> bytes, sorted by path. */
  content: [string, number][];
}

/** 2000-01-01: the same for every build, and no time zone makes it negative. */
const BUILT = new Date(946_684_800_000);

/**
 * Packs an app folder in the form that the platform takes: a gzipped tar with one top-level folder. Reproducible: sorted
 * entries, fixed times and owners, modes from the path alone.
 */
export async function packApp(dist: string, file: string): Promise<Packed> {
  const name = basename(dist);
  const paths = filesBelow(dist).filter((path) => !basename(path).startsWith('.') && !path.endsWith('.map'));
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  await create(
    {
      cwd: dirname(dist),
      file,
      // The best level takes six seconds more and saves four thousandths.
      gzip: { level: 6 },
      portable: true,
      mtime: BUILT,
      noDirRecurse: true,
      follow: false,
      onWriteEntry: ({ path, type, stat }) => {
        if (stat) stat.mode = type === 'Directory' || isProgram(relative(name, path)) ? 0o755 : 0o644;
      },
    },
    [...foldersOf(paths), ...paths].map((path) => join(name, path)),
  );
  const bytes = readFileSync(file);
  const content = paths.map((path): [string, number] => [path, statSync(join(dist, path)).size]);
  return { file, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), content };
}

/** Executables are accepted by the platform only below the app's own bin/. */
const isProgram = (path: string) => path.startsWith('bin/runtime/') || /^bin\/[^/]+\.sh$/.test(path);

function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let dir = dirname(path); dir !== '.'; dir = dirname(dir)) folders.add(dir);
  }
  return ['', ...folders].sort();
}

/** A listing for people: what is in the package and how large it is. */
export function listing(packed: Packed): string {
  const lines = packed.content.map(([path, bytes]) => `${String(bytes).padStart(11)}  ${path}`);
  const total = packed.content.reduce((sum, [, bytes]) => sum + bytes, 0);
  return [
    `${packed.file}: ${packed.bytes} bytes, sha256 ${packed.sha256}`,
    ...lines,
    `${String(total).padStart(11)}  unpacked`,
    '',
  ].join('\n');
}

export function writeListing(packed: Packed): void {
  writeFileSync(`${packed.file}.txt`, listing(packed));
}
