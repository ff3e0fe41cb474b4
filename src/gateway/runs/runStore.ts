import { Fault } from '../../contract/codes/faults.ts';
import { RUN_STATES } from '../../contract/families/runs.ts';
import { type Lease, Leases } from '../../domain/locks/leases.ts';
import { replaceExisting } from '../../domain/locks/replaceExisting.ts';
import { recordKey } from '../../domain/values/keys.ts';
import { packed, unpacked } from './documents/packed.ts';
import {
  CLAIMS,
  type ClaimDoc,
  cancelKey,
  DECISIONS,
  type DecisionDoc,
  hasEnded,
  jobKey,
  RUNS,
  type RunDoc,
  type RunHistory,
  STEPS,
  type StepDoc,
} from './documents/stored.ts';
import { type HeldRun, Holding, LEASE_MS, leaseKey, lost, type RunStores } from './heldRun.ts';

const RENEWAL_MS = 3000;
/** How often, and how far apart, a holder looks whether its copy of the store is up to date. */
const FRESH_TRIES = 20;
const FRESH_PAUSE_MS = 100;

/** Runs of one user that have not ended, and those of them whose steps no search takes. */
const MAX_OPEN = 100;
const MAX_OPEN_OF_CALLERS = 20;
const OPEN_STATES = RUN_STATES.filter((state) => !hasEnded({ state }));
/** The last workers that are asked whether they live. */
export const ASKED_CLAIMS = 3;

/** @throws Fault `too_many_runs` */
function assertRoom({ worker }: RunDoc, open: readonly Pick<RunDoc, 'worker'>[]): void {
  const ofCallers = open.filter((other) => other.worker === 'caller').length;
  const isFull = worker === 'caller' && ofCallers >= MAX_OPEN_OF_CALLERS;
  if (open.length < MAX_OPEN && !isFull) return;
  const which = isFull ? `${MAX_OPEN_OF_CALLERS} with worker: caller` : MAX_OPEN;
  throw new Fault('too_many_runs', `You have ${which} runs that have not ended. Cancel some, or wait for their end.`);
}

/** The documents of runs. */
export class RunStore {
  readonly #stores: RunStores;
  readonly #leases: Leases;
  readonly #renewalMs: number;

  /** @param renewalMs between two renewals of a lease */
  constructor(stores: RunStores, renewalMs = RENEWAL_MS) {
    this.#stores = stores;
    this.#renewalMs = renewalMs;
    this.#leases = new Leases(stores.records, stores.clock, stores.newId);
  }

  /** Epoch seconds. */
  now = (): number => this.#stores.clock.now() / 1000;

  newRunId = (): string => this.#stores.newId();

  async run(id: string): Promise<RunDoc | undefined> {
    const run = await this.#stores.records.get<RunDoc>(RUNS, id);
    return run && unpacked(run);
  }

  /** Steps in order. */
  async history(id: string): Promise<RunHistory> {
    const { records } = this.#stores;
    const query = { run_id: id };
    const [steps, decisions, claims] = await Promise.all([
      records.find<StepDoc>(STEPS, { query }),
      records.find<DecisionDoc>(DECISIONS, { query }),
      records.find<ClaimDoc>(CLAIMS, { query }),
    ]);
    return {
      steps: steps.map(unpacked).sort((a, b) => a.index - b.index),
      decisions: decisions.map(unpacked),
      claims,
    };
  }

  /**
   * @returns false if there is a run with this id
   * @throws Fault `too_many_runs`
   */
  async insertRun(run: RunDoc): Promise<boolean> {
    const insert = () => this.#stores.records.insert(RUNS, packed(run));
    if (hasEnded(run)) return insert();
    assertRoom(run, await this.#open(run.user));
    // Many runs at once would wait for the lease: most users are far from the limit, and count again instead.
    if (run.worker !== 'caller') {
      if (!(await insert())) return false;
      if ((await this.#open(run.user)).length <= MAX_OPEN) return true;
      await this.#stores.records.remove(RUNS, run._key);
    }
    return this.#leases.hold(`runs_of.${recordKey(run.user)}`, LEASE_MS, async () => {
      assertRoom(run, await this.#open(run.user));
      return insert();
    });
  }

  /** Runs of a user that have not ended: one more than are permitted, at most. */
  #open(user: string): Promise<Pick<RunDoc, 'worker'>[]> {
    const query = { $or: OPEN_STATES.map((state) => ({ user, state })) };
    return this.#stores.records.find<RunDoc>(RUNS, { query, fields: ['worker'], limit: MAX_OPEN + 1 });
  }

  /** Undefined if another process has claimed this worker. */
  async claimJob(
    { _key: run_id }: Pick<RunDoc, '_key'>,
    { round, ...more }: Pick<ClaimDoc, 'round' | 'user' | 'job_id' | 'search_user'>,
  ): Promise<ClaimDoc | undefined> {
    const key = { _key: jobKey(run_id, round), run_id, kind: 'job', index: -1, round } as const;
    const claim: ClaimDoc = { ...key, ...more, claimed_at: this.now() };
    return (await this.#stores.records.insert(CLAIMS, claim)) ? claim : undefined;
  }

  /** The last workers of a user's runs that name search tools, newest first. */
  searchClaims(user: string): Promise<ClaimDoc[]> {
    const query = { search_user: user };
    return this.#stores.records.find<ClaimDoc>(CLAIMS, { query, sort: 'claimed_at:-1', limit: ASKED_CLAIMS });
  }

  /** Notes that the search of a worker takes no further step of this run. */
  noteLeft(claim: ClaimDoc): Promise<void> {
    return this.noteJob({ ...claim, left_at: this.now() });
  }

  /** Ids of the runs of a user that have not ended and that searches take the steps of, oldest first. */
  async openJobRuns(user: string): Promise<string[]> {
    const query = { $or: OPEN_STATES.map((state) => ({ user, state, worker: 'job' })) };
    const options = { query, fields: ['run_id'], sort: 'started_at:1', limit: MAX_OPEN };
    return (await this.#stores.records.find<RunDoc>(RUNS, options)).map(({ _key }) => _key);
  }

  /** Ids of the oldest runs of a user that searches take the steps of and that wait for nobody. @param before epoch seconds */
  async activeJobRuns(user: string, before: number, limit: number): Promise<string[]> {
    const open = (['queued', 'running'] as const).map((state) => ({ user, state, worker: 'job' }));
    const query = { $and: [{ $or: open }, { started_at: { $lt: before } }] };
    const options = { query, fields: ['run_id'], sort: 'started_at:1', limit };
    return (await this.#stores.records.find<RunDoc>(RUNS, options)).map(({ _key }) => _key);
  }

  /** Decides about the workers of a user's runs, one process at a time. @throws Fault `store_unavailable` */
  holdWorkers<T>(user: string, work: () => Promise<T>): Promise<T> {
    return this.#leases.hold(`workers_of.${recordKey(user)}`, LEASE_MS, async (lease) => {
      await this.#assertFresh(lease);
      return work();
    });
  }

  /** Notes the search of a worker that was claimed. */
  async noteJob(claim: ClaimDoc): Promise<void> {
    await replaceExisting(this.#stores.records, CLAIMS, claim);
  }

  /** Gives back the claim of a worker that was not started. */
  dropJob({ _key }: ClaimDoc): Promise<void> {
    return this.#stores.records.remove(CLAIMS, _key);
  }

  /** False if somebody else has decided. */
  insertDecision(decision: DecisionDoc): Promise<boolean> {
    return this.#stores.records.insert(DECISIONS, packed(decision));
  }

  /** False if it is cancelled already. */
  insertCancel(run: string, user: string): Promise<boolean> {
    return this.insertDecision({
      ...{ _key: cancelKey(run), run_id: run, index: -1, round: 0, decision: 'cancel' },
      ...{ decided_by: user, decided_at: this.now() },
    });
  }

  async isCancelled(run: string): Promise<boolean> {
    return (await this.#stores.records.get(DECISIONS, cancelKey(run))) !== undefined;
  }

  /**
   * Removes an ended run with its documents.
   * @returns false while another process holds it
   */
  async remove(id: string): Promise<boolean> {
    const { records } = this.#stores;
    const removed = await this.hold(id, async () => {
      // The run last: what a crash leaves is found again.
      for (const collection of [STEPS, DECISIONS, CLAIMS]) await records.removeWhere(collection, { run_id: id });
      await records.remove(RUNS, id);
      return true;
    });
    return removed ?? false;
  }

  /**
   * Works under the run's lease, which is renewed meanwhile.
   * @returns undefined while another process holds it
   * @throws Fault `store_unavailable` if another process has taken over, whatever the work made of that
   */
  async hold<T>(id: string, work: (held: HeldRun) => Promise<T>): Promise<T | undefined> {
    const lease = await this.#leases.tryAcquire(leaseKey(id), LEASE_MS);
    if (!lease) return undefined;
    const holding = new Holding(this.#stores, this.#leases, lease, id, this.#renewalMs);
    try {
      await this.#assertFresh(lease);
      return await work(holding);
    } catch (error) {
      throw holding.isLost ? lost() : error;
    } finally {
      // A renewal that arrives after the release would take the lease from its next holder.
      await holding.end();
      await lease.release();
    }
  }

  /**
   * Members of a cluster read their own copy of the store, which follows in the order of the writes: once the new lease can be read
   * there, everything that earlier holders wrote can be.
   * @throws Fault `store_unavailable` if the copy is too far behind
   */
  async #assertFresh(lease: Lease): Promise<void> {
    for (let tries = 1; !(await lease.isStillOurs()); tries += 1) {
      if (tries === FRESH_TRIES) {
        throw new Fault('store_unavailable', 'The copy of the KV store on this member is too old. Try again.');
      }
      await this.#stores.clock.sleep(FRESH_PAUSE_MS);
    }
  }
}
