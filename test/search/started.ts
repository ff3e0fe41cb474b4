import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { testedApp } from '../support/e2e/build.ts';
import { type Chunk, parseChunks } from './peer.ts';

export const launcher = () => join(testedApp(), 'bin/agentstatus.sh');

export const started: Started[] = [];

/** The command as the platform starts it. */
export class Started {
  readonly #child;
  #out = Buffer.alloc(0);
  #err = '';
  #ended: Promise<unknown>;
  #wake: () => void = () => {};

  constructor(command = launcher(), env: Record<string, string | undefined> = {}) {
    this.#child = spawn(command, [], {
      cwd: '/',
      env: { PATH: process.env.PATH, LD_LIBRARY_PATH: '/nonexistent', OPENSSL_CONF: '/nonexistent', ...env },
    });
    started.push(this);
    this.#child.stdout.on('data', (bytes: Buffer) => {
      this.#out = Buffer.concat([this.#out, bytes]);
      this.#wake();
    });
    this.#child.stderr.on('data', (bytes: Buffer) => {
      this.#err += bytes.toString();
    });
    this.#child.stdin.on('error', () => {});
    this.#ended = once(this.#child, 'close').then(() => this.#wake());
  }

  write(...chunks: Buffer[]): this {
    for (const bytes of chunks) this.#child.stdin.write(bytes);
    return this;
  }

  /** Waits until this many chunks are there, or it has ended. */
  async chunks(count: number): Promise<Chunk[]> {
    while (parseChunks(this.#out).chunks.length < count && this.#child.exitCode === null) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const { chunks } = parseChunks(this.#out);
    expect(chunks.length, `chunks so far: ${this.#out.toString()}`).to.be.at.least(count);
    return chunks;
  }

  /** For what a failing test leaves behind. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  signal(name: NodeJS.Signals): this {
    this.#child.kill(name);
    return this;
  }

  /** Reads nothing any more. */
  leave(): this {
    this.#child.stdout.destroy();
    return this;
  }

  async ended(): Promise<{ code: number | null; chunks: Chunk[]; stderr: string; rest: string }> {
    await this.#ended;
    const { chunks, rest } = parseChunks(this.#out);
    return { code: this.#child.exitCode, chunks, rest: rest.toString(), stderr: this.#err };
  }

  end(): ReturnType<Started['ended']> {
    this.#child.stdin.end();
    return this.ended();
  }
}
