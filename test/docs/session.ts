import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { project } from '../support/e2e/build.ts';

const WITHIN_MS = 60_000;
/** What a reader's folder does not have, or what the examples make there. */
const NOT_LINKED = new Set(['.git', '.platform', '.platform-demo', 'dist', 'build']);

/** Five seconds are how old settings may be in a driver: they pass at the clock that drivers see, if it can be moved. */
const SLEEP = `sleep() {
  if [ "$1" != 5 ] || [ -z "$CLOCK_AHEAD" ]; then command sleep "$@"; return; fi
  echo $(($(cat "$CLOCK_AHEAD" 2>/dev/null || echo 0) + 5000)) > "$CLOCK_AHEAD.new" && mv "$CLOCK_AHEAD.new" "$CLOCK_AHEAD"
}
`;

/** A reader's terminal: one shell for a page, in a folder that looks like the repository and can be written to. */
export class Session {
  readonly folder = mkdtempSync(join(tmpdir(), 'docs-'));
  readonly #shell: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<unknown>;
  #stdout = '';
  #stderr = '';
  #blocks = 0;

  constructor(env: Record<string, string>) {
    for (const name of readdirSync(project)) {
      if (!NOT_LINKED.has(name)) symlinkSync(join(project, name), join(this.folder, name));
    }
    // In a group of its own, so that what a page leaves running ends with it.
    this.#shell = spawn('bash', ['--noprofile', '--norc'], {
      cwd: this.folder,
      // Temporary folders of the examples go with the session's own.
      env: { ...process.env, TMPDIR: this.folder, ...env },
      detached: true,
    });
    this.#shell.stdin.write(SLEEP);
    this.#exited = once(this.#shell, 'exit');
    this.#shell.stdout.on('data', (chunk: Buffer) => {
      this.#stdout += chunk.toString();
    });
    this.#shell.stderr.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString();
    });
  }

  /** Runs a block as it stands. @returns its output @throws when its last command fails, with what it said */
  async run(block: string): Promise<string> {
    this.#blocks += 1;
    const mark = `end-of-block-${this.#blocks}`;
    this.#stdout = '';
    this.#stderr = '';
    this.#shell.stdin.write(`${block}\nprintf '\\n${mark} %s\\n' "$?"\n`);
    const end = Date.now() + WITHIN_MS;
    const pattern = new RegExp(`\\n${mark} (\\d+)\\n`);
    for (;;) {
      const found = pattern.exec(this.#stdout);
      if (found) {
        const output = this.#stdout.slice(0, found.index);
        if (found[1] !== '0') throw new Error(`ended with ${found[1]}: ${output}${this.#stderr}`);
        return output;
      }
      if (this.#shell.exitCode !== null || Date.now() > end) {
        throw new Error(`the shell did not come back: ${this.#stdout}${this.#stderr}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async close(): Promise<void> {
    if (this.#shell.pid !== undefined) {
      try {
        process.kill(-this.#shell.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
    await this.#exited;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
