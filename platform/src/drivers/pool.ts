import { setImmediate as afterPendingEvents } from 'node:timers/promises';
import { isDying } from './dyingProcess.ts';
import { DriverFailure, DriverProcess, type DriverProcessOptions } from './process.ts';
import { DriverQueue, type QueuedJob, type QueueLimits } from './queue.ts';
import type { DriverConfig } from './restmap.ts';

export interface DriverPoolOptions extends DriverProcessOptions, QueueLimits {
  /** Maximum processes per driver config. */
  maxDrivers?: number;
  /** Idle time after which a process is stopped. */
  idleSeconds?: number;
  /** How long an idle process may take to exit after its input closed. */
  lingerMs?: number;
  /** The same at `close()`. */
  closeMs?: number;
}

export interface DriverPoolSnapshot {
  driver: string;
  queued: number;
  processes: { pid: number | undefined; busy: boolean }[];
}

interface Job extends QueuedJob {
  signal: AbortSignal | undefined;
  resolve(reply: Buffer): void;
  reject(error: DriverFailure): void;
}

/** All driver processes: one pool per driver config, shared by endpoints with equal configs. */
export class DriverPools {
  readonly #options: DriverPoolOptions;
  readonly #pools = new Map<string, DriverPool>();
  #closed = false;

  constructor(options: DriverPoolOptions) {
    this.#options = options;
  }

  /**
   * Sends a packet to the first free process. Rejects with DriverFailure only; an abort leaves the queue.
   * @param own options of this driver's pool that differ from the others'
   */
  async request(
    driver: DriverConfig,
    packet: Buffer,
    signal?: AbortSignal,
    user = '',
    own: Partial<DriverPoolOptions> = {},
  ): Promise<Buffer> {
    // Let pending exit events run first, so that a process that died idle does not get the request.
    await afterPendingEvents();
    if (this.#closed) throw new DriverFailure('The platform is shutting down.');
    const env = Object.entries(driver.env).sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify([driver.path, driver.args, env]);
    let pool = this.#pools.get(key);
    if (!pool) {
      pool = new DriverPool(driver, { ...this.#options, ...own });
      this.#pools.set(key, pool);
    }
    return pool.request(packet, user, signal);
  }

  snapshot(): DriverPoolSnapshot[] {
    return [...this.#pools.values()].map((pool) => pool.snapshot());
  }

  /** Rejects queued requests, closes the input of every process, waits briefly and kills the rest. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }
}

class DriverPool {
  readonly #driver: DriverConfig;
  readonly #options: DriverPoolOptions;
  /** Processes that accept requests. */
  readonly #active = new Set<DriverProcess>();
  /** All live processes, including those that are exiting. */
  readonly #alive = new Set<DriverProcess>();
  /** Most recently used on top, so that the others become idle under light load. */
  readonly #idle: DriverProcess[] = [];
  readonly #idleTimers = new Map<DriverProcess, NodeJS.Timeout>();
  readonly #queue: DriverQueue<Job>;

  constructor(driver: DriverConfig, options: DriverPoolOptions) {
    this.#driver = driver;
    this.#options = options;
    this.#queue = new DriverQueue(options);
  }

  request(packet: Buffer, user: string, signal?: AbortSignal): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const job: Job = { packet, user, signal, resolve, reject };
    const leaveQueue = () => {
      // A running request may complete; its reply is discarded.
      if (this.#queue.remove(job)) reject(new DriverFailure('The client closed the connection.'));
    };
    this.#queue.push(job);
    if (signal?.aborted) leaveQueue();
    signal?.addEventListener('abort', leaveQueue, { once: true });
    this.#dispatch();
    return promise.finally(() => signal?.removeEventListener('abort', leaveQueue));
  }

  snapshot(): DriverPoolSnapshot {
    const processes = [...this.#active].map(({ pid, busy }) => ({ pid, busy }));
    return { driver: this.#driver.path, queued: this.#queue.length, processes };
  }

  async close(): Promise<void> {
    for (const job of this.#queue.clear()) job.reject(new DriverFailure('The platform is shutting down.'));
    for (const timer of this.#idleTimers.values()) clearTimeout(timer);
    this.#idleTimers.clear();
    await Promise.all([...this.#alive].map((process) => process.end(this.#options.closeMs ?? 2000)));
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const process = this.#takeProcess();
      const job = process && this.#queue.shift();
      if (!process || !job) return;
      process
        .call(job.packet, job.signal)
        .then(job.resolve, job.reject)
        .finally(() => this.#release(process));
    }
  }

  #takeProcess(): DriverProcess | undefined {
    for (let process = this.#idle.pop(); process; process = this.#idle.pop()) {
      clearTimeout(this.#idleTimers.get(process));
      this.#idleTimers.delete(process);
      if (process.isUsable && !isDying(process.pid)) return process;
      this.#active.delete(process);
    }
    return this.#active.size < (this.#options.maxDrivers ?? 2) ? this.#start() : undefined;
  }

  #start(): DriverProcess {
    const process = new DriverProcess(this.#driver, this.#options);
    this.#active.add(process);
    this.#alive.add(process);
    process.exited.then(() => {
      this.#retire(process);
      this.#alive.delete(process);
      this.#dispatch();
    });
    return process;
  }

  #release(process: DriverProcess): void {
    if (process.isUsable && this.#active.has(process)) {
      this.#idle.push(process);
      const idleMs = (this.#options.idleSeconds ?? 60) * 1000;
      this.#idleTimers.set(process, setTimeout(() => this.#endIdle(process), idleMs).unref());
    } else {
      this.#retire(process);
    }
    this.#dispatch();
  }

  #endIdle(process: DriverProcess): void {
    this.#retire(process);
    void process.end(this.#options.lingerMs ?? 5000);
  }

  #retire(process: DriverProcess): void {
    this.#active.delete(process);
    clearTimeout(this.#idleTimers.get(process));
    this.#idleTimers.delete(process);
    const index = this.#idle.indexOf(process);
    if (index >= 0) this.#idle.splice(index, 1);
  }
}
