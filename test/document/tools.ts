import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lock } from '../support/lock.ts';

const run = promisify(execFile);
const PINNED = join(import.meta.dirname, 'tools');
const folder = join(import.meta.dirname, '../../node_modules/.cache/document-tools');

export const DOCUMENT = join(import.meta.dirname, '../../docs/openapi.json');

/** A program of those in tools/package.json. */
export const tool = (name: string): string => join(folder, 'node_modules/.bin', name);

/** Installs them, and keeps them for the next run. Why they cannot be had; undefined when they are there. */
export async function prepareTools(): Promise<string | undefined> {
  const release = lock('document-tools');
  const digest = createHash('sha256')
    .update(readFileSync(join(PINNED, 'package-lock.json')))
    .digest('hex');
  const marker = join(folder, 'node_modules', `installed-${digest.slice(0, 12)}`);
  try {
    if (!existsSync(marker)) {
      cpSync(PINNED, folder, { recursive: true });
      await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--workspaces=false'], { cwd: folder });
      writeFileSync(marker, '');
    }
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    release();
  }
}

export interface Ran {
  code: number;
  said: string;
}

/** Runs a program to its end, whatever that is. */
export async function ran(
  file: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Ran> {
  try {
    const { stdout, stderr } = await run(file, args, { maxBuffer: 64 << 20, ...options });
    return { code: 0, said: stdout + stderr };
  } catch (error) {
    const {
      code,
      stdout = '',
      stderr = '',
      message,
    } = error as Error & { code?: number | string; stdout?: string; stderr?: string };
    return { code: typeof code === 'number' ? code : 1, said: stdout + stderr || message };
  }
}
