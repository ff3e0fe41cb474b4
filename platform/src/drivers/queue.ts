import { DriverBusy } from './process.ts';

export interface QueueLimits {
  /** Maximum queued requests; default 1000. */
  maxQueued?: number;
  /** Maximum queued requests per user; default half of them. */
  maxQueuedPerUser?: number;
  /** Maximum bytes of queued requests in memory; default 256 MB. */
  maxQueuedBytes?: number;
  /** How long a request waits for a process; default 10 s. */
  maxWaitMs?: number;
}

export interface QueuedJob {
  packet: Buffer;
  /** Empty for an anonymous call. */
  user: string;
  reject(error: DriverBusy): void;
}

const AGAIN = 'Please try again later.';

/** Requests that wait for a driver process. Users take turns, so one with many requests does not delay the others. */
export class DriverQueue<J extends QueuedJob> {
  readonly #limits: Required<QueueLimits>;
  /** In round-robin order; only users with requests. */
  readonly #users = new Map<string, J[]>();
  readonly #timers = new Map<J, NodeJS.Timeout>();
  #bytes = 0;

  constructor(limits: QueueLimits) {
    const { maxQueued = 1000, maxQueuedBytes = 256 * 1024 * 1024, maxWaitMs = 10_000 } = limits;
    const { maxQueuedPerUser = Math.ceil(maxQueued / 2) } = limits;
    this.#limits = { maxQueued, maxQueuedPerUser, maxQueuedBytes, maxWaitMs };
  }

  get length(): number {
    return this.#timers.size;
  }

  /** Rejects a job if the queue is full. */
  push(job: J): void {
    const { maxQueued, maxQueuedPerUser, maxQueuedBytes, maxWaitMs } = this.#limits;
    const jobs = this.#users.get(job.user) ?? [];
    const fullOfOwn = jobs.length >= maxQueuedPerUser;
    // A single large request is always accepted.
    const full = this.length >= maxQueued || (this.#bytes > 0 && this.#bytes + job.packet.length > maxQueuedBytes);
    if (fullOfOwn || full) {
      const whose = fullOfOwn ? 'Too many requests of one user' : 'Too many requests';
      job.reject(new DriverBusy(`${whose} wait for a driver process. ${AGAIN}`));
      return;
    }
    jobs.push(job);
    this.#users.set(job.user, jobs);
    this.#bytes += job.packet.length;
    const late = () => {
      this.remove(job);
      job.reject(new DriverBusy(`All driver processes were busy for ${maxWaitMs / 1000} s. ${AGAIN}`));
    };
    this.#timers.set(job, setTimeout(late, maxWaitMs));
  }

  /** The next job; its user moves to the end of the rotation. */
  shift(): J | undefined {
    for (const [user, jobs] of this.#users) {
      const [job] = jobs;
      if (job === undefined) continue;
      this.remove(job);
      const queuedJobs = this.#users.get(user);
      this.#users.delete(user);
      if (queuedJobs !== undefined) this.#users.set(user, queuedJobs);
      return job;
    }
    return undefined;
  }

  /** False if it is not queued. */
  remove(job: J): boolean {
    if (!this.#timers.has(job)) return false;
    clearTimeout(this.#timers.get(job));
    this.#timers.delete(job);
    this.#bytes -= job.packet.length;
    const left = (this.#users.get(job.user) ?? []).filter((other) => other !== job);
    if (left.length > 0) this.#users.set(job.user, left);
    else this.#users.delete(job.user);
    return true;
  }

  clear(): J[] {
    const timedJobs = [...this.#timers.keys()];
    for (const job of timedJobs) this.remove(job);
    return timedJobs;
  }
}
