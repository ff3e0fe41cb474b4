import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { workerSearch } from '../../contract/families/runs.ts';
import type { SearchJobs } from '../../ports/platform/searchJobs.ts';
import type { ClaimDoc, RunDoc, RunHistory } from './documents/stored.ts';
import type { RunStore } from './runStore.ts';

/** A dispatch under way takes no longer. */
const DISPATCH_S = 30;
/** An earlier one may live longer than the last. */
const ASKED = 3;

/** The search that takes the steps, by the newest claim that has one. */
export const jobOf = ({ claims }: Pick<RunHistory, 'claims'>): string | undefined =>
  jobsOf(claims).find(({ job_id }) => job_id !== undefined)?.job_id;

/** Newest first. */
const jobsOf = (claims: readonly ClaimDoc[]): ClaimDoc[] =>
  claims.filter(({ kind }) => kind === 'job').sort((a, b) => b.round - a.round);

/** The searches that take the steps of runs. */
export class Workers {
  readonly #store: RunStore;
  readonly #searches: SearchJobs;

  constructor(store: RunStore, searches: SearchJobs) {
    this.#store = store;
    this.#searches = searches;
  }

  /** Whether a search takes the steps of a run, or is being started. */
  async isLive(run: RunDoc, { claims, decisions }: RunHistory): Promise<boolean> {
    // A worker ends when its run waits for a person.
    const since =
      run.state === 'waiting_for_approval' ? Math.max(0, ...decisions.map((decision) => decision.decided_at)) : 0;
    const jobs = jobsOf(claims).filter(({ claimed_at }) => claimed_at >= since);
    for (const { job_id, claimed_at } of jobs.slice(0, ASKED)) {
      if (job_id === undefined) {
        if (this.#store.now() - claimed_at < DISPATCH_S) return true;
      } else if (await this.#searches.isActive(job_id)) return true;
    }
    return false;
  }

  /**
   * Starts a search that takes the steps of a run, unless another process is about to.
   * @param warnings gets why none was started: whoever reads the run next tries again
   */
  async dispatch(
    { user }: Caller,
    run: RunDoc,
    { claims }: Pick<RunHistory, 'claims'>,
    warnings: string[],
  ): Promise<void> {
    const round = (jobsOf(claims)[0]?.round ?? 0) + 1;
    const claim = await this.#store.claimJob(run._key, round, user);
    if (!claim) return;
    try {
      const job_id = await this.#searches.dispatch(user, workerSearch(run._key));
      await this.#store.noteJob({ ...claim, job_id });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      await this.#store.dropJob(claim);
      warnings.push(
        `The search that takes the steps could not be started (${error.message}). Run | mlagent run_id=${run._key}`,
      );
    }
  }
}
