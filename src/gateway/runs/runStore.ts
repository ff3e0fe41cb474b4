import { Fault } from '../../contract/codes/faults.ts';
import { Leases } from '../../domain/locks/leases.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import {
  cancelKey,
  DECISIONS,
  type DecisionDoc,
  RUNS,
  type RunDoc,
  type RunHistory,
  STEPS,
  type StepDoc,
} from '../../families/runs/public.ts';

/** Ten seconds after the death of its holder another process may take the next step. */
const LEASE_MS = 10_000;
const RENEWAL_MS = 3000;

/** The right to write a run and its steps. */
export interface HeldRun {
  /** Aborted when the run is cancelled, and when the lease is lost. */
  readonly signal: AbortSignal;
  saveRun(run: RunDoc): Promise<void>;
  /** @throws Fault `store_unavailable` if another process has taken the step */
  insertStep(step: StepDoc): Promise<void>;
  saveStep(step: StepDoc): Promise<void>;
}

export type RunStores = Pick<Stores, 'records' | 'clock' | 'newId' | 'log'>;

/** The documents of runs. */
export class RunStore {
  readonly #stores: RunStores;
  readonly #leases: Leases;

  constructor(stores: RunStores) {
    this.#stores = stores;
    this.#leases = new Leases(stores.records, stores.clock, stores.newId);
  }

  /** Epoch seconds. */
  now = (): number => this.#stores.clock.now() / 1000;

  newRunId = (): string => this.#stores.newId();

  run(id: string): Promise<RunDoc | undefined> {
    return this.#stores.records.get<RunDoc>(RUNS, id);
  }

  /** Steps in order. */
  async history(id: string): Promise<RunHistory> {
    const { records } = this.#stores;
    const query = { run_id: id };
    const [steps, decisions] = await Promise.all([
      records.find<StepDoc>(STEPS, { query }),
      records.find<DecisionDoc>(DECISIONS, { query }),
    ]);
    return { steps: steps.sort((a, b) => a.index - b.index), decisions };
  }

  /** False if the key is taken. */
  insertRun(run: RunDoc): Promise<boolean> {
    return this.#stores.records.insert(RUNS, run);
  }

  /** Notes the search that takes the steps, unless the run has moved on meanwhile. */
  async noteJob(id: string, job_id: string): Promise<void> {
    await this.hold(id, async (held) => {
      const run = await this.run(id);
      if (run) await held.saveRun({ ...run, job_id });
    });
  }

  /** False if somebody else has decided. */
  insertDecision(decision: DecisionDoc): Promise<boolean> {
    return this.#stores.records.insert(DECISIONS, decision);
  }

  /** False if it is cancelled already. */
  insertCancel(run: string, user: string): Promise<boolean> {
    return this.insertDecision({
      ...{ _key: cancelKey(run), run_id: run, index: -1, round: 0, decision: 'cancel' },
      ...{ decided_by: user, decided_at: this.now() },
    });
  }

  /**
   * Works under the run's lease, which is renewed meanwhile.
   * @returns undefined while another process holds it
   */
  async hold<T>(id: string, work: (held: HeldRun) => Promise<T>): Promise<T | undefined> {
    const { records, clock } = this.#stores;
    const key = `runs.${id}`;
    const lease = await this.#leases.tryAcquire(key, LEASE_MS);
    if (!lease) return undefined;
    const end = new AbortController();
    let renewedAt = clock.monotonic();
    const renew = async (): Promise<void> => {
      const from = clock.monotonic();
      const [isOurs, cancel] = await Promise.all([
        this.#leases.renew(key, lease.owner, LEASE_MS),
        records.get(DECISIONS, cancelKey(id)),
      ]);
      if (isOurs) renewedAt = from;
      if (!isOurs || cancel) end.abort();
    };
    const timer = setInterval(() => {
      renew().catch((error: Fault) => {
        // The next renewal tries again; without one no write follows.
        this.#stores.log.warn('run_lease_not_renewed', { run: id, code: error.code });
      });
    }, RENEWAL_MS);
    timer.unref();
    const assertHeld = async (): Promise<void> => {
      // A process that was suspended may have lost the lease unnoticed.
      if (clock.monotonic() < renewedAt + LEASE_MS * 0.9) return;
      if (!(await lease.isStillOurs())) throw lost();
      await renew();
    };
    try {
      return await work({
        signal: end.signal,
        async saveRun(run) {
          await assertHeld();
          await records.replace(RUNS, run);
        },
        async insertStep(step) {
          await assertHeld();
          if (!(await records.insert(STEPS, step))) throw lost();
        },
        async saveStep(step) {
          await assertHeld();
          await records.replace(STEPS, step);
        },
      });
    } finally {
      clearInterval(timer);
      await lease.release();
    }
  }
}

const lost = (): Fault => new Fault('store_unavailable', 'Another process took over this run. Read it again.');
