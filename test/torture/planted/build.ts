import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEEDED } from '../../../src/codegen/package/needed.ts';
import { project } from '../../support/e2e/build.ts';
import { atEnd } from '../site/cleanup.ts';
import type { PlantedFault } from './faults.ts';

const BUILD_MS = 120_000;

/** The app built from a copy of the source with the fault in it: its folder. */
export function buildWith({ name, file, find, replace }: PlantedFault): string {
  const folder = mkdtempSync(join(tmpdir(), 'torture-planted-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  for (const entry of NEEDED) cpSync(join(project, entry), join(folder, entry), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  const path = join(folder, file);
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2) {
    throw new Error(`"${name}" cannot be planted: its place stands ${parts.length - 1} times in ${file}`);
  }
  writeFileSync(path, parts.join(replace));
  execFileSync(process.execPath, ['build.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], timeout: BUILD_MS });
  return join(folder, 'dist/ml_extension');
}
