import { Fault } from '../../../contract/codes/faults.ts';
import type { Lease, Leases } from '../../../domain/locks/leases.ts';
import type { HostClock } from '../../../ports/platform/clock.ts';

/** Longer than stalls of a busy machine: a lease that is lost ends a write halfway. */
export const DOCUMENTS_LEASE_MS = 30_000;

/** A lease of writing, which long work extends. */
export class HeldLease {
  readonly #leases: Leases;
  readonly #clock: HostClock;
  readonly #key: string;
  readonly #owner: string;
  #until: number;

  constructor(leases: Leases, clock: HostClock, key: string, { owner, until }: Lease) {
    this.#leases = leases;
    this.#clock = clock;
    this.#key = key;
    this.#owner = owner;
    this.#until = until;
  }

  #left = (): number => this.#until - this.#clock.monotonic();

  /** Extends the lease if a third of it has passed. @throws Fault `store_unavailable` if it is lost */
  async keep(): Promise<void> {
    if (this.#left() > (DOCUMENTS_LEASE_MS * 2) / 3) return;
    const now = this.#clock.monotonic();
    if (!(await this.#leases.renew(this.#key, this.#owner, DOCUMENTS_LEASE_MS))) throw tooSlow();
    this.#until = now + DOCUMENTS_LEASE_MS;
  }

  /** @throws Fault `store_unavailable` when another process may hold the lease soon: a write already sent has to arrive before */
  assertHeld = (): void => {
    if (this.#left() <= DOCUMENTS_LEASE_MS / 10) throw tooSlow();
  };
}

const tooSlow = () =>
  new Fault('store_unavailable', 'The stores were too slow. Each document is as it was, or as written; try again.');
