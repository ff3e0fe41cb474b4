import type { Caller } from '../../contract/caller.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';

const COLLECTION = 'ml_ctsm';

export interface OptOut extends Doc {
  user: string;
  opt_out: boolean;
}
export interface Acknowledgement extends Doc {
  user: string;
  acknowledged_at: number;
}

export interface CtsmState {
  ctsm_opt_out: boolean;
  ctsm_acknowledge: boolean;
  acknowledged_at?: number;
}

/** Opt-out and acknowledgement are separate documents, so that concurrent writes need no lease. */
export class Ctsm {
  readonly #stores: Pick<Stores, 'records' | 'clock'>;

  constructor(stores: Pick<Stores, 'records' | 'clock'>) {
    this.#stores = stores;
  }

  async readState({ user }: Caller): Promise<CtsmState> {
    const { records } = this.#stores;
    const [optOut, acknowledgement] = await Promise.all([
      records.get<OptOut>(COLLECTION, optOutKey(user)),
      records.get<Acknowledgement>(COLLECTION, acknowledgementKey(user)),
    ]);
    return {
      ctsm_opt_out: optOut?.opt_out ?? false,
      ctsm_acknowledge: acknowledgement !== undefined,
      ...(acknowledgement ? { acknowledged_at: acknowledgement.acknowledged_at } : {}),
    };
  }

  async setOptOut({ user }: Caller, opt_out: boolean): Promise<void> {
    const { records } = this.#stores;
    const doc: OptOut = { _key: optOutKey(user), user, opt_out };
    if (await records.replace(COLLECTION, doc)) return;
    // A concurrent first write of the same user: the last one wins.
    if (!(await records.insert(COLLECTION, doc))) await records.replace(COLLECTION, doc);
  }

  /** Idempotent: the insert fails if the key exists, so the first time stays. */
  async acknowledge({ user }: Caller): Promise<void> {
    const acknowledged_at = this.#stores.clock.now() / 1000;
    await this.#stores.records.insert<Acknowledgement>(COLLECTION, {
      _key: acknowledgementKey(user),
      user,
      acknowledged_at,
    });
  }
}

const optOutKey = (user: string) => `optout.${recordKey(user)}`;
const acknowledgementKey = (user: string) => `ack.${recordKey(user)}`;
