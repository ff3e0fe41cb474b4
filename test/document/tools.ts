import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureInstalled } from '../support/programs/installation.ts';

const run = promisify(execFile);
const PINNED = join(import.meta.dirname, 'tools');
const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/document-tools');

export const DOCUMENT = join(import.meta.dirname, '../../docs/openapi.json');
export const REDOCLY = join(FOLDER, 'node_modules/.bin/redocly');

/** Installs the linter. Why it cannot be had; undefined when it is there. */
export const prepareRedocly = (): Promise<string | undefined> =>
  ensureInstalled({
    folder: FOLDER,
    pinned: readFileSync(join(PINNED, 'package-lock.json'), 'utf8'),
    program: REDOCLY,
    async install() {
      cpSync(PINNED, FOLDER, { recursive: true });
      await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--workspaces=false'], { cwd: FOLDER });
    },
  });

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
