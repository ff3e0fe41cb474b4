import { Fault } from '../../contract/codes/faults.ts';
import type { Lease, Leases } from '../../domain/locks/leases.ts';
import { hasMatch } from '../../domain/locks/replaceExisting.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { packed } from './documents/packed.ts';
import {
  CLAIMS,
  type ClaimDoc,
  cancelKey,
  DECISIONS,
  decisionKey,
  RUNS,
  type RunDoc,
  STEPS,
  type StepDoc,
} from './documents/stored.ts';

/** Ten seconds after the death of its holder another process may take the next step. */
export const LEASE_MS = 10_000;
/** A write already sent has to arrive before the lease ends. */
const SAFE_MS = LEASE_MS * 0.9;

export type RunStores = Pick<Stores, 'records' | 'clock' | 'newId' | 'log'>;

/** The right to write a run and its steps. Its writes throw Fault `not_found` for a run that was removed. */
export interface HeldRun {
  /** Aborted when the run is cancelled, and when the lease is lost. */
  readonly signal: AbortSignal;
  /** Renews the lease, and sees whether the run was cancelled. @throws Fault `store_unavailable` if the lease was lost */
  renew(): Promise<void>;
  saveRun(run: RunDoc): Promise<void>;
  /** @throws Fault `store_unavailable` if another process has taken the step */
  insertStep(step: StepDoc): Promise<void>;
  saveStep(step: StepDoc): Promise<void>;
  /**
   * Inserts that the call of a step begins which people were asked about.
   * @throws Fault `store_unavailable` if it was begun before
   */
  claimCall(step: StepDoc): Promise<void>;
}

/** A lease that is held. No write follows its end or its loss. */
export class Holding implements HeldRun {
  readonly signal: AbortSignal;
  isLost = false;
  readonly #stores: RunStores;
  readonly #leases: Leases;
  readonly #lease: Lease;
  readonly #id: string;
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #renewal: Promise<void> | undefined;
  /** By the monotonic clock. */
  #renewedAt: number;
  #hasEnded = false;

  constructor(stores: RunStores, leases: Leases, lease: Lease, id: string, renewalMs: number) {
    this.#stores = stores;
    this.#leases = leases;
    this.#lease = lease;
    this.#id = id;
    this.signal = this.#abort.signal;
    this.#renewedAt = stores.clock.monotonic();
    this.#timer = setInterval(() => {
      this.#renewal ??= this.#renew()
        .catch((error: Fault) => {
          // The next renewal tries again; without one no write follows.
          stores.log.warn('run_lease_not_renewed', { run: id, code: error.code });
        })
        .finally(() => {
          this.#renewal = undefined;
        });
    }, renewalMs);
    this.#timer.unref();
  }

  async renew(): Promise<void> {
    await this.#renew();
    this.#assertInTime();
  }

  async saveRun(run: RunDoc): Promise<void> {
    await this.#assertWritable();
    await this.#stores.records.replace(RUNS, packed(run), this.#assertInTime);
  }

  async insertStep(step: StepDoc): Promise<void> {
    await this.#assertWritable();
    if (!(await this.#stores.records.insert(STEPS, packed(step)))) throw lost();
  }

  async saveStep(step: StepDoc): Promise<void> {
    await this.#assertWritable();
    await this.#stores.records.replace(STEPS, packed(step), this.#assertInTime);
  }

  async claimCall({ run_id, index, round = 1 }: StepDoc): Promise<void> {
    await this.#assertWritable();
    const claim: ClaimDoc = {
      ...{ _key: decisionKey(run_id, index, round), run_id, kind: 'call', index, round },
      claimed_at: this.#stores.clock.now() / 1000,
    };
    if (!(await this.#stores.records.insert(CLAIMS, claim))) throw lost();
  }

  /** Ends the renewals. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    clearInterval(this.#timer);
    await this.#renewal;
  }

  async #renew(): Promise<void> {
    const from = this.#stores.clock.monotonic();
    const [isOurs, cancel] = await Promise.all([
      this.#leases.renew(leaseKey(this.#id), this.#lease.owner, LEASE_MS),
      this.#stores.records.get(DECISIONS, cancelKey(this.#id)),
    ]);
    if (isOurs) this.#renewedAt = from;
    else this.#lose();
    if (cancel) this.#abort.abort();
  }

  /**
   * The retention holds the lease as well, but what somebody removed by other means must not come back: a platform may insert what it is to
   * replace, and a new step would be of no run.
   */
  async #assertWritable(): Promise<void> {
    await this.#assertHeld();
    if (!(await hasMatch(this.#stores.records, RUNS, { _key: this.#id }))) throw noRun(this.#id);
    this.#assertInTime();
  }

  /** A process that was suspended may have lost the lease unnoticed. */
  async #assertHeld(): Promise<void> {
    if (!this.isLost && !this.#isInTime() && !this.#hasEnded) {
      if (await this.#lease.isStillOurs()) await this.#renew();
      else this.#lose();
    }
    this.#assertInTime();
  }

  #lose(): void {
    this.isLost = true;
    this.#abort.abort();
  }

  readonly #assertInTime = (): void => {
    if (this.isLost || this.#hasEnded || !this.#isInTime()) throw lost();
  };

  #isInTime = (): boolean => this.#stores.clock.monotonic() < this.#renewedAt + SAFE_MS;
}

export const noRun = (id: string): Fault => new Fault('not_found', `There is no run ${id}, or you may not read it`);

export const leaseKey = (run: string): string => `runs.${run}`;
export const lost = (): Fault => new Fault('store_unavailable', 'Another process took over this run. Read it again.');
