import { type ChildProcess, spawn } from 'node:child_process';
import type { PlatformLog } from '../home/log.ts';
import { FrameError, ReplyFrames } from './frames.ts';
import type { DriverConfig } from './restmap.ts';

/** A request got no reply from its driver; the message is for the client. */
export class DriverFailure extends Error {}

/** No driver received the request, so it can be retried. */
export class DriverBusy extends DriverFailure {}

export interface DriverProcessOptions {
  /** The child's whole environment, except what the driver config adds. */
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  log: PlatformLog;
  /** Timeout after which a request fails and its process is killed. */
  requestTimeoutMs?: number;
  /** The same for a request whose client is gone; default 60 s. */
  abandonedTimeoutMs?: number;
}

interface PendingCall {
  resolve(reply: Buffer): void;
  reject(error: DriverFailure): void;
  loadFrame: Buffer | undefined;
  timer: NodeJS.Timeout | undefined;
  abandonedTimer?: NodeJS.Timeout;
}

/** How long to wait for data still in the pipe after the exit. */
const DRAIN_MS = 250;
const ABANDONED_MS = 60_000;
/** Unrequested output beyond this kills the process at once instead of at the next request. */
const MAX_STRAY_BYTES = 1024 * 1024;

/**
 * One driver process, one request at a time. Holds the child's stdin open and never detaches it, so that the child gets
 * EOF however the platform ends.
 */
export class DriverProcess {
  /** Resolves when the process is gone or could not be started. */
  readonly exited: Promise<void>;
  readonly #driver: DriverConfig;
  readonly #log: PlatformLog;
  readonly #timeoutMs: number;
  readonly #abandonedMs: number;
  readonly #frames = new ReplyFrames();
  readonly #markExited: () => void;
  #child: ChildProcess | undefined;
  #pending: PendingCall | undefined;
  #usable = true;
  #ending = false;
  #abandoned = false;
  #drainTimer: NodeJS.Timeout | undefined;
  /** The error for an open request. */
  #endReason: string | undefined;

  constructor(driver: DriverConfig, options: DriverProcessOptions) {
    this.#driver = driver;
    this.#log = options.log;
    this.#timeoutMs = options.requestTimeoutMs ?? 0;
    this.#abandonedMs = options.abandonedTimeoutMs ?? ABANDONED_MS;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.exited = promise;
    this.#markExited = resolve;
    try {
      this.#child = spawn(driver.path, driver.args, {
        cwd: options.cwd,
        env: { ...options.env, ...driver.env },
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
      });
      this.#listen(this.#child);
    } catch (error) {
      // Asynchronously, as for a failure that the system reports: the caller has not sent its request yet.
      setImmediate(() => this.#failStart(error as Error));
    }
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get busy(): boolean {
    return this.#pending !== undefined;
  }

  /** False once it must not get another request. */
  get isUsable(): boolean {
    return this.#usable && !this.#ending;
  }

  /**
   * Sends one packet and returns the reply frame. Rejects with DriverFailure only. After an abort of `signal` a driver
   * that is still at work keeps a shorter time.
   */
  call(packet: Buffer, signal?: AbortSignal): Promise<Buffer> {
    if (!this.isUsable) return Promise.reject(new DriverFailure(`The driver ${this.#driver.path} is gone.`));
    if (this.#pending) return Promise.reject(new DriverFailure(`The driver ${this.#driver.path} is busy.`));
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const timer = this.#timeoutMs > 0 ? setTimeout(() => this.#timeOut(this.#timeoutMs), this.#timeoutMs) : undefined;
    const pending: PendingCall = { resolve, reject, loadFrame: undefined, timer };
    this.#pending = pending;
    const started = performance.now();
    const shorten = () => {
      const left = started + this.#abandonedMs - performance.now();
      pending.abandonedTimer = setTimeout(() => this.#timeOut(this.#abandonedMs), left);
    };
    signal?.addEventListener('abort', shorten, { once: true });
    const stray = this.#frames.stray();
    if (stray !== undefined) this.#abandon(FrameError.badCharacter(stray).message);
    else this.#child?.stdin?.write(packet);
    return promise.finally(() => {
      signal?.removeEventListener('abort', shorten);
      clearTimeout(pending.abandonedTimer);
    });
  }

  /** Closes stdin, which asks the driver to exit, and kills it after a while. */
  end(lingerMs: number): Promise<void> {
    this.#ending = true;
    this.#child?.stdin?.end();
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), lingerMs);
    return this.exited.finally(() => clearTimeout(timer));
  }

  #listen(child: ChildProcess): void {
    child.on('error', (error) => {
      // Also emitted when a signal could not be sent; only a child without pid never started.
      if (child.pid === undefined) this.#failStart(error);
    });
    child.on('exit', (code, signal) => {
      const how = signal ? `by signal ${signal}` : `with code ${code}`;
      if (!this.#pending && !this.#ending && !this.#abandoned && code !== 0) this.#warn(`ended ${how} while idle`);
      this.#endReason = undefined;
      this.#drain(`ended ${how} before it replied`);
    });
    child.on('close', () => this.#finish());
    // Without file descriptors there are no streams; the 'error' event above reports that.
    child.stdin?.on('error', () => this.#drain('closed its input before it replied'));
    child.stdout?.on('end', () => this.#drain('closed its output before it replied'));
    child.stdout?.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#listenToStderr(child);
  }

  #receive(chunk: Buffer): void {
    this.#frames.push(chunk);
    const pending = this.#pending;
    if (!pending) {
      if (this.#usable && this.#frames.buffered > MAX_STRAY_BYTES) this.#abandon('output without a request');
      return;
    }
    try {
      pending.loadFrame ??= this.#frames.take();
      const { loadFrame } = pending;
      const reply = loadFrame && this.#frames.take();
      if (!reply) return;
      // Bytes after the reply fail the next request, as on splunkd.
      this.#settle();
      if (loadFrame.length === 0) pending.resolve(reply);
      else pending.reject(this.#loadFailure(loadFrame));
    } catch (error) {
      this.#abandon(error instanceof Error ? error.message : String(error));
    }
  }

  #loadFailure(frame: Buffer): DriverFailure {
    const text = frame.toString('utf8').trim().slice(0, 2000);
    this.#log.write('ERROR', 'PersistentScript', `From {${this.#name()}}: load error: ${text.replaceAll('\n', ' ')}`);
    return new DriverFailure(text);
  }

  /** The output is out of sync with the protocol, so the process must be replaced. */
  #abandon(message: string): void {
    this.#usable = false;
    this.#abandoned = true;
    this.#log.write('ERROR', 'PersistentScript', `From {${this.#name()}}: ${message}`);
    this.#settle()?.reject(new DriverFailure(message));
    this.#child?.kill('SIGKILL');
  }

  #timeOut(ms: number): void {
    this.#abandon(`The driver ${this.#driver.path} did not reply within ${ms / 1000} s.`);
  }

  /** No further reply except what is already in the pipe. */
  #drain(what: string): void {
    this.#usable = false;
    this.#endReason ??= `The driver ${this.#driver.path} ${what}.`;
    this.#drainTimer ??= setTimeout(() => {
      this.#child?.kill('SIGKILL');
      this.#child?.stdout?.destroy();
      this.#child?.stderr?.destroy();
      this.#finish();
    }, DRAIN_MS);
  }

  #finish(): void {
    this.#usable = false;
    clearTimeout(this.#drainTimer);
    const pending = this.#settle();
    if (pending?.loadFrame && pending.loadFrame.length > 0) {
      // A driver may exit after it reported a load error.
      pending.reject(this.#loadFailure(pending.loadFrame));
    } else if (pending) {
      const text = this.#endReason ?? `The driver ${this.#driver.path} ended before it replied.`;
      this.#log.write('ERROR', 'PersistentScript', `From {${this.#name()}}: ${text}`);
      pending.reject(new DriverFailure(text));
    }
    this.#markExited();
  }

  #settle(): PendingCall | undefined {
    const pending = this.#pending;
    clearTimeout(pending?.timer);
    this.#pending = undefined;
    return pending;
  }

  #failStart(error: Error): void {
    const why = (error as NodeJS.ErrnoException).code ?? error.message;
    this.#endReason = `Cannot start driver ${this.#driver.path}: ${why}`;
    this.#finish();
  }

  #listenToStderr(child: ChildProcess): void {
    let unfinished = '';
    const write = (line: string) => {
      const text = line.trimEnd();
      if (text === '') return;
      const level = /^(?:\W|\d)*(WARN|INFO)/.exec(text)?.[1] as 'WARN' | 'INFO' | undefined;
      this.#log.write(level ?? 'ERROR', 'PersistentScript', `From {${this.#name()}}: ${text}`);
    };
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (text: string) => {
      const lines = (unfinished + text).split('\n');
      unfinished = lines.pop() ?? '';
      lines.forEach(write);
      // Bounds a line without a line break.
      if (unfinished.length > 65_536) {
        write(unfinished);
        unfinished = '';
      }
    });
    child.stderr?.on('close', () => write(unfinished));
  }

  #warn(what: string): void {
    this.#log.write('WARN', 'PersistentScript', `From {${this.#name()}}: ${what}`);
  }

  #name(): string {
    return [this.#driver.path, ...this.#driver.args].join(' ');
  }
}
