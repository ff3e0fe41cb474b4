import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { project } from '../e2e/build.ts';
import { ensureInstalled } from './installation.ts';

const run = promisify(execFile);
/** Programs that use clients of language models, with their pinned packages. */
const PINNED = join(project, 'test/e2e/gateway/clients/node');
/** Packages are found beside the program that uses them. */
const FOLDER = join(project, 'node_modules/.cache/gateway-clients');

export const nodeClient = (program: string): string => join(FOLDER, program);

/** Installs the clients unless they are there. @returns why they cannot be had on this machine; undefined when they are there */
export const prepareNodeClients = (): Promise<string | undefined> =>
  ensureInstalled({
    folder: FOLDER,
    pinned: readdirSync(PINNED)
      .sort()
      .map((file) => readFileSync(join(PINNED, file), 'utf8'))
      .join('\n'),
    program: join(FOLDER, 'node_modules/ai/package.json'),
    async install() {
      cpSync(PINNED, FOLDER, { recursive: true });
      await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--workspaces=false'], { cwd: FOLDER });
    },
  });
