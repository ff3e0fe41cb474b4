import { type ChildProcess, spawn } from 'node:child_process';
import { type Chunk, ChunkError, ChunkReader, encodeChunk } from './chunks.ts';

/** A program with all that starts it. */
export interface CommandProgram {
  path: string;
  args: string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** 0 = any. */
  maxChunkBytes: number;
}

/** A command sent no chunk; the message is for the job. */
export class CommandFailure extends Error {
  /** The failed command, once known. */
  command: string | undefined;
}

export interface CommandExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How long to wait for data still in the pipe after the exit. */
const DRAIN_MS = 250;

export const EXITED = 'external search command exited unexpectedly.';

/**
 * One process of a custom search command. Its stdin is held open and never inherited, so it gets EOF however the
 * platform ends.
 */
export class CommandProcess {
  /** Resolves when the process is gone or could not be started. */
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
  /** The input is closed, so further output is ignored. */
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

  /** It died, broke the protocol, timed out or was terminated. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  send(metadata: Record<string, unknown>, body = ''): void {
    if (this.#failure === undefined) this.#child?.stdin?.write(encodeChunk(metadata, body));
  }

  /** The next chunk. Rejects with CommandFailure only; `waitMs` 0 waits forever. */
  receive(waitMs = 0): Promise<Chunk> {
    const { promise, resolve, reject } = Promise.withResolvers<Chunk>();
    const late = () => this.#fail(`The command did not answer within ${waitMs / 1000} s (maxwait).`);
    const timer = waitMs > 0 ? setTimeout(late, waitMs) : undefined;
    this.#waiting = { resolve, reject, timer };
    this.#child?.stdout?.resume();
    this.#serve();
    return promise;
  }

  /** Closes the input; sends SIGTERM after `graceMs` and SIGKILL after twice that. */
  async end(graceMs: number): Promise<CommandExit> {
    this.#closeInput();
    const timer = setTimeout(() => void this.terminate(graceMs), graceMs);
    return this.exited.finally(() => clearTimeout(timer));
  }

  /** Closes the input and sends SIGTERM at once; SIGKILL after `graceMs`. */
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
    // Drain unread output, so that it does not block the exit.
    this.#child?.stdout?.resume();
  }

  #listen(child: ChildProcess, path: string): void {
    child.on('error', (error) => {
      // Also emitted when a signal could not be sent; only a child without pid never started.
      if (child.pid === undefined) this.#failStart(path, error);
    });
    child.on('exit', (code, signal) => {
      this.#exit = { code, signal };
      this.#drain(child, 20);
    });
    child.on('close', () => this.#finish());
    // A command may exit before it has read everything; its exit is handled elsewhere.
    child.stdin?.on('error', () => {});
    child.stdout?.on('data', (bytes: Buffer) => {
      if (this.#failure !== undefined || this.#ended) return;
      this.#reader.push(bytes);
      this.#serve();
      // One chunk per request: the pipe holds back a command that writes more, so memory stays bounded.
      if (this.#waiting === undefined && this.#drainTimer === undefined) child.stdout?.pause();
    });
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (text: string) => this.#onText(text));
  }

  /** A grandchild may hold the pipes open, so read what is in them without waiting for their end. */
  #drain(child: ChildProcess, rounds: number): void {
    const before = this.#reader.received;
    child.stdout?.resume();
    this.#drainTimer = setTimeout(() => {
      // After the reads of this event loop turn, in case the one before was long.
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
