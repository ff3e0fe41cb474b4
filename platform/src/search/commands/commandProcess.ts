import { type ChildProcess, spawn } from 'node:child_process';
import { type Chunk, ChunkError, ChunkReader, encodeChunk } from './chunks.ts';

/** What a command has to be started. */
export interface CommandProgram {
  path: string;
  args: string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** 0 = any. */
  maxChunkBytes: number;
}

/** Why a command gave no chunk; the message is for the job. */
export class CommandFailure extends Error {
  /** The command that failed, once it is known. */
  command: string | undefined;
}

export interface CommandExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Data may still be in the pipe when the end of a process is told; this long we wait for it. */
const DRAIN_MS = 250;

export const EXITED = 'external search command exited unexpectedly.';

/**
 * One process of a custom search command. Its stdin is held open and never handed on, so the end of the platform,
 * however it comes, reaches it as EOF.
 */
export class CommandProcess {
  /** Settles when the process is gone or could not be started. */
  readonly exited: Promise<CommandExit>;
  readonly #reader: ChunkReader;
  readonly #onText: (text: string) => void;
  readonly #markExited: (exit: CommandExit) => void;
  #child: ChildProcess | undefined;
  #exit: CommandExit = { code: null, signal: null };
  #waiting:
    | { resolve(chunk: Chunk): void; reject(error: CommandFailure): void; timer: NodeJS.Timeout | undefined }
    | undefined;
  #failure: CommandFailure | undefined;
  #drainTimer: NodeJS.Timeout | undefined;
  /** Its input is closed: what it still writes is of no use. */
  #ended = false;

  constructor(program: CommandProgram, onText: (text: string) => void) {
    this.#reader = new ChunkReader(program.maxChunkBytes);
    this.#onText = onText;
    const { promise, resolve } = Promise.withResolvers<CommandExit>();
    this.exited = promise;
    this.#markExited = resolve;
    try {
      const { path, args, cwd, env } = program;
      this.#child = spawn(path, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
      this.#listen(this.#child, path);
    } catch (error) {
      this.#failStart(program.path, error as Error);
    }
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** It died, wrote something else than chunks, was too slow or was terminated. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  send(metadata: Record<string, unknown>, body = ''): void {
    if (this.#failure === undefined) this.#child?.stdin?.write(encodeChunk(metadata, body));
  }

  /** The next chunk. Rejects with CommandFailure only; `waitMs` 0 waits for ever. */
  receive(waitMs = 0): Promise<Chunk> {
    const { promise, resolve, reject } = Promise.withResolvers<Chunk>();
    const late = () => this.#fail(`The command did not answer within ${waitMs / 1000} s (maxwait).`);
    const timer = waitMs > 0 ? setTimeout(late, waitMs) : undefined;
    this.#waiting = { resolve, reject, timer };
    this.#child?.stdout?.resume();
    this.#serve();
    return promise;
  }

  /** EOF on its input; after `graceMs` SIGTERM, after as long again SIGKILL. */
  async end(graceMs: number): Promise<CommandExit> {
    this.#closeInput();
    const timer = setTimeout(() => void this.terminate(graceMs), graceMs);
    return this.exited.finally(() => clearTimeout(timer));
  }

  /** EOF and SIGTERM at once, after `graceMs` SIGKILL. */
  async terminate(graceMs: number): Promise<CommandExit> {
    this.#fail(EXITED);
    this.#closeInput();
    this.#child?.kill('SIGTERM');
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), graceMs);
    return this.exited.finally(() => clearTimeout(timer));
  }

  #closeInput(): void {
    this.#ended = true;
    this.#child?.stdin?.end();
    // What nobody reads any more must not keep it from ending.
    this.#child?.stdout?.resume();
  }

  #listen(child: ChildProcess, path: string): void {
    child.on('error', (error) => {
      // Also told when a signal could not be sent; only a child without pid never started.
      if (child.pid === undefined) this.#failStart(path, error);
    });
    child.on('exit', (code, signal) => {
      this.#exit = { code, signal };
      this.#drain(child, 20);
    });
    child.on('close', () => this.#finish());
    // A command may end before it read everything: its exit tells.
    child.stdin?.on('error', () => {});
    child.stdout?.on('data', (bytes: Buffer) => {
      if (this.#failure !== undefined || this.#ended) return;
      this.#reader.push(bytes);
      this.#serve();
      // One chunk an answer: a command that writes on unasked is held by its pipe, not kept in memory.
      if (this.#waiting === undefined && this.#drainTimer === undefined) child.stdout?.pause();
    });
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (text: string) => this.#onText(text));
  }

  /** A grandchild may hold the pipes: what is on its way is read, their end not waited for. */
  #drain(child: ChildProcess, rounds: number): void {
    const before = this.#reader.received;
    child.stdout?.resume();
    this.#drainTimer = setTimeout(() => {
      // Behind the reading of this turn, in case the turn before it was a long one.
      setImmediate(() => {
        if (rounds > 0 && this.#reader.received > before) return this.#drain(child, rounds - 1);
        child.stdout?.destroy();
        child.stderr?.destroy();
        this.#finish();
      });
    }, DRAIN_MS);
  }

  #serve(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    try {
      const chunk = this.#reader.take();
      if (chunk !== undefined) {
        this.#settle();
        waiting.resolve(chunk);
      } else if (this.#failure !== undefined) {
        this.#settle();
        waiting.reject(this.#failure);
      }
    } catch (error) {
      this.#fail(error instanceof ChunkError ? error.message : String(error));
    }
  }

  #settle(): void {
    clearTimeout(this.#waiting?.timer);
    this.#waiting = undefined;
  }

  #fail(message: string): void {
    this.#failure ??= new CommandFailure(message);
    const waiting = this.#waiting;
    this.#settle();
    waiting?.reject(this.#failure);
  }

  #finish(): void {
    clearTimeout(this.#drainTimer);
    this.#fail(EXITED);
    this.#markExited(this.#exit);
  }

  #failStart(path: string, error: Error): void {
    this.#fail(`Cannot start ${path}: ${(error as NodeJS.ErrnoException).code ?? error.message}`);
    this.#markExited(this.#exit);
  }
}
