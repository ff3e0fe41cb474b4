import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { workerSearch } from '../../contract/families/runs.ts';
import type { SearchJobs } from '../../ports/platform/searchJobs.ts';
import type { ClaimDoc, RunDoc, RunHistory } from './documents/stored.ts';
import { ASKED_CLAIMS, type RunStore } from './runStore.ts';

/** A dispatch under way takes no longer. */
const DISPATCH_S = 30;

/** The search that takes the steps, by the newest claim that has one. */
export const jobOf = ({ claims }: Pick<RunHistory, 'claims'>): string | undefined =>
  jobsOf(claims).find(({ job_id }) => job_id !== undefined)?.job_id;

/** Newest first. */
const jobsOf = (claims: readonly ClaimDoc[]): ClaimDoc[] =>
  claims.filter(({ kind }) => kind === 'job').sort((a, b) => b.round - a.round);

const nextRound = (claims: readonly ClaimDoc[]): number => (jobsOf(claims)[0]?.round ?? 0) + 1;

/** Whether the agent of a run may search. */
const isSearching = ({ definition }: RunDoc): boolean => (definition.search_tools ?? []).length > 0;

/**
 * The searches that take the steps of runs. Runs of one user that name search tools have one worker at a time, since the platform
 * gives a user few searches and two of them are for the tools: the others stay queued, and the worker goes on with them.
 */
export class Workers {
  readonly #store: RunStore;
  readonly #searches: SearchJobs;

  constructor(store: RunStore, searches: SearchJobs) {
    this.#store = store;
    this.#searches = searches;
  }

  /** Whether a search takes the steps of a run, or is being started. */
  isLive(run: RunDoc, { claims, decisions }: RunHistory): Promise<boolean> {
    // A worker ends when its run waits for a person.
    const since =
      run.state === 'waiting_for_approval' ? Math.max(0, ...decisions.map((decision) => decision.decided_at)) : 0;
    return this.#isAnyLive(jobsOf(claims).filter(({ claimed_at }) => claimed_at >= since));
  }

  /**
   * Starts a search that takes the steps of a run, unless another process is about to, or the user has a worker already and the
   * run names search tools.
   * @param warnings gets why none was started: whoever reads the run next tries again
   */
  async dispatch(
    { user }: Caller,
    run: RunDoc,
    { claims }: Pick<RunHistory, 'claims'>,
    warnings: string[],
  ): Promise<void> {
    const claim = await this.#claim(run, { round: nextRound(claims), user });
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

  /**
   * The oldest run of the same user that is due and has no worker: the search goes on with it. Without one the search counts as
   * gone, so that a run that is started while it ends gets a worker.
   * @param run the run that the search leaves
   * @param isDue whether the search may take a step of a run now
   * @returns id of a run
   */
  goOn(
    sid: string,
    { user }: Caller,
    run: RunDoc,
    isDue: (run: RunDoc, history: RunHistory) => Promise<boolean>,
  ): Promise<string | undefined> {
    return this.#store.holdWorkers(run.user, async () => {
      const { claims } = await this.#store.history(run._key);
      for (const claim of claims) if (claim.job_id === sid) await this.#store.noteLeft(claim);
      const mayWorkSearching = !(await this.#isUserServed(run.user));
      for (const id of await this.#store.openJobRuns(run.user)) {
        const [other, history] = await Promise.all([this.#store.run(id), this.#store.history(id)]);
        if (!other || (isSearching(other) && !mayWorkSearching)) continue;
        if (!(await isDue(other, history)) || (await this.isLive(other, history))) continue;
        const claim = { round: nextRound(history.claims), user, job_id: sid };
        if (await this.#store.claimJob(other, { ...claim, ...searchUserOf(other) })) return id;
      }
      return undefined;
    });
  }

  /** Undefined if another worker was claimed that takes the steps, or will. */
  async #claim(run: RunDoc, claim: Pick<ClaimDoc, 'round' | 'user'>): Promise<ClaimDoc | undefined> {
    if (!isSearching(run)) return this.#store.claimJob(run, claim);
    // Most readers of a run that waits for its turn need no lease.
    if (await this.#isUserServed(run.user)) return undefined;
    return this.#store.holdWorkers(run.user, async () =>
      (await this.#isUserServed(run.user)) ? undefined : this.#store.claimJob(run, { ...claim, ...searchUserOf(run) }),
    );
  }

  /** Whether a run of this user that names search tools has a live worker. */
  async #isUserServed(user: string): Promise<boolean> {
    return this.#isAnyLive(await this.#store.searchClaims(user));
  }

  /** @param claims newest first; an earlier one may live longer than the last */
  async #isAnyLive(claims: readonly ClaimDoc[]): Promise<boolean> {
    for (const { job_id, claimed_at, left_at } of claims.slice(0, ASKED_CLAIMS)) {
      if (left_at !== undefined) continue;
      if (job_id === undefined) {
        if (this.#store.now() - claimed_at < DISPATCH_S) return true;
      } else if (await this.#searches.isActive(job_id)) return true;
    }
    return false;
  }
}

const searchUserOf = (run: RunDoc): Pick<ClaimDoc, 'search_user'> =>
  isSearching(run) ? { search_user: run.user } : {};
