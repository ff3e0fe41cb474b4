import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { create } from 'tar';
import { filesBelow } from './files.ts';

export interface PackedApp {
  file: string;
  bytes: number;
  sha256: string;
  /** Path below the app's folder -> bytes, sorted by path. */
  content: [string, number][];
}

/** 2000-01-01, for reproducible builds; positive in every time zone. */
const BUILT = new Date(946_684_800_000);

/**
 * Packs an app folder as a gzipped tar with one top-level folder. Reproducible: entries are sorted, times and owners fixed,
 * and modes depend on the path only.
 */
export async function packApp(dist: string, file: string): Promise<PackedApp> {
  const name = basename(dist);
  const paths = filesBelow(dist).filter((path) => !basename(path).startsWith('.') && !path.endsWith('.map'));
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  await create(
    {
      cwd: dirname(dist),
      file,
      // Level 9 takes six seconds more and saves 0.4 %.
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

/** The platform accepts executables only below the app's bin/. */
const isProgram = (path: string) => path.startsWith('bin/runtime/') || /^bin\/[^/]+\.sh$/.test(path);

function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let dir = dirname(path); dir !== '.'; dir = dirname(dir)) folders.add(dir);
  }
  return ['', ...folders].sort();
}

/** A readable listing of files and sizes. */
export function listing(packed: PackedApp): string {
  const lines = packed.content.map(([path, bytes]) => `${String(bytes).padStart(11)}  ${path}`);
  const total = packed.content.reduce((sum, [, bytes]) => sum + bytes, 0);
  return [
    `${packed.file}: ${packed.bytes} bytes, sha256 ${packed.sha256}`,
    ...lines,
    `${String(total).padStart(11)}  unpacked`,
    '',
  ].join('\n');
}

export function writeListing(packed: PackedApp): void {
  writeFileSync(`${packed.file}.txt`, listing(packed));
}
