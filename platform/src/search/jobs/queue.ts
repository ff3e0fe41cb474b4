import { PlatformError } from '../../http/reply.ts';
import type { PlatformCaller } from '../../http/request.ts';
import {
  chargedRole,
  notExecuted,
  type Refusal,
  type RoleQuota,
  type RunningSearch,
  refusalOf,
  type SearchLimits,
} from './concurrency.ts';
import type { SearchJob } from './job.ts';

export interface QueueOptions {
  limits(): SearchLimits;
  /** The quotas of the caller's roles; none for the system user. */
  quotas(caller: PlatformCaller): RoleQuota[];
}

interface Waiting {
  caller: PlatformCaller;
  job: SearchJob;
  start: () => Promise<void>;
}

/** Starts searches as the limits of the instance and of the caller's roles let them; others wait in order. */
export class SearchQueue {
  readonly #options: QueueOptions;
  readonly #jobs: () => Iterable<SearchJob>;
  #waiting: Waiting[] = [];

  constructor(options: QueueOptions, jobs: () => Iterable<SearchJob>) {
    this.#options = options;
    this.#jobs = jobs;
  }

  /** The reason why a search of that mode would have to wait; 503 where it cannot. */
  refusal(caller: PlatformCaller, execMode: string): string | undefined {
    const refusal = this.#refusal(caller);
    if (refusal === undefined) return undefined;
    if (execMode === 'normal' && this.#options.limits().queues) return refusal.text;
    throw new PlatformError(503, notExecuted(refusal), 'FATAL');
  }

  /** Starts the job at once, or when others have ended. */
  add(caller: PlatformCaller, job: SearchJob, start: () => Promise<void>): void {
    this.#waiting.push({ caller, job, start });
    this.startWaiting();
  }

  /** Starts the jobs for which there is room. */
  startWaiting(): void {
    this.#waiting = this.#waiting.filter(({ caller, job, start }) => {
      if (job.done) return false;
      if (this.#refusal(caller) !== undefined) return true;
      job.role = chargedRole(this.#quotas(caller), this.#options.limits(), this.#running());
      void start();
      return false;
    });
  }

  #refusal(caller: PlatformCaller): Refusal | undefined {
    // The platform's own searches are not held up by those of users.
    if (caller.system) return undefined;
    return refusalOf(caller.user, this.#quotas(caller), this.#options.limits(), this.#running());
  }

  #quotas(caller: PlatformCaller): RoleQuota[] {
    return this.#options.quotas(caller);
  }

  #running(): RunningSearch[] {
    return [...this.#jobs()]
      .filter((job) => job.begunAt !== undefined && !job.done)
      .map(({ settings, role }) => ({ owner: settings.owner, role }));
  }
}
