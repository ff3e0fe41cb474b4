import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureInstalled } from '../../../support/installation.ts';

const run = promisify(execFile);
const PINNED = join(import.meta.dirname, 'tools');
const FOLDER = join(import.meta.dirname, '../../../../node_modules/.cache/mcp-tools');

/** The path of a file of an installed package. */
export const installedFile = (path: string): string => join(FOLDER, 'node_modules', path);

/** Installs MCP clients and the conformance suite. Why they cannot be had; undefined when they are there. */
export const prepareMcpTools = (): Promise<string | undefined> =>
  ensureInstalled({
    folder: FOLDER,
    pinned: readFileSync(join(PINNED, 'package-lock.json'), 'utf8'),
    program: installedFile('.bin/conformance'),
    async install() {
      cpSync(PINNED, FOLDER, { recursive: true });
      await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--workspaces=false'], { cwd: FOLDER });
    },
  });
