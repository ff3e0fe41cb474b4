import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Servers of databases refuse to run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const IDENTITY = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** A folder that an unprivileged server can read; `give` hands it over. */
export function serverFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** Makes the user of the server the owner. */
export function give(path: string): void {
  if (!isRoot) return;
  chownSync(path, NOBODY, NOBODY);
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
}

/** A program that runs without privileges, with the end of what it says. */
export class ServerProgram {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #ended: Promise<unknown>;
  #output = '';

  constructor(program: string, args: readonly string[], folder: string, env: Record<string, string> = {}) {
    this.#folder = folder;
    this.#child = spawn(program, args, {
      ...IDENTITY,
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, LC_ALL: 'C', ...env },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-4000);
      });
    }
    this.#ended = once(this.#child, 'exit');
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get output(): string {
    return this.#output;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** @throws Error unless it ends well */
  async done(): Promise<void> {
    await this.#ended;
    if (this.#child.exitCode !== 0) throw new Error(this.#output);
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    if (this.isRunning) this.#child.kill(signal);
    await this.#ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
