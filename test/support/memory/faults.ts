import { Fault } from '../../../src/contract/codes/faults.ts';

/**
 * - `crash`: the process dies before its n-th call; nothing after it happens either
 * - `refused`: the n-th call fails without effect, the process lives on
 * - `lost`: the n-th call has its effect but its answer is lost, the process lives on
 */
export type FaultMode = 'crash' | 'refused' | 'lost';

/** Somebody else's work that is done, whole, just before the n-th call. */
export type Interlude = () => Promise<unknown>;

/** Thrown by every call of a dead process: no code of ours may take it for anything else. */
export class Crashed extends Error {
  constructor() {
    super('the process is dead');
    this.name = 'Crashed';
  }
}

/** Counts the calls to all stores of one process and lets one of them fail. */
export class FaultPlan {
  calls = 0;
  /** What was called, for the message of a failing test. */
  readonly trace: string[] = [];
  readonly #at: number;
  readonly #mode: FaultMode | 'none';

  readonly #interlude: Interlude | undefined;

  constructor(at = Number.POSITIVE_INFINITY, mode: FaultMode | Interlude = 'crash') {
    this.#at = at;
    this.#interlude = typeof mode === 'function' ? mode : undefined;
    this.#mode = typeof mode === 'function' ? 'none' : mode;
  }

  async call<T>(name: string, effect: () => T): Promise<T> {
    this.calls += 1;
    const here = this.calls;
    this.trace.push(name);
    // An answer never arrives at once: others get their turn between any two calls.
    await Promise.resolve();
    if (here === this.#at) await this.#interlude?.();
    if (this.#mode === 'crash' && here >= this.#at) throw new Crashed();
    if (this.#mode === 'refused' && here === this.#at) throw unavailable();
    const result = effect();
    await Promise.resolve();
    if (this.#mode === 'lost' && here === this.#at) throw unavailable();
    return result;
  }
}

const unavailable = () => new Fault('store_unavailable', 'The platform is not ready (503)');
