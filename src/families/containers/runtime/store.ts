import { type Lease, Leases, WRITE_LEASE_MS } from '../../../domain/locks/leases.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import { RUNTIMES } from '../connections/users.ts';
import { type RuntimeStored, runtimeKey } from './records.ts';

/** Runtime records. Each write has the mark of its start, so that a late write does not change a newer record. */
export class Runtimes {
  readonly stores: Stores;
  readonly leases: Leases;

  constructor(stores: Stores) {
    this.stores = stores;
    this.leases = new Leases(stores.records, stores.clock, stores.newId);
  }

  all(): Promise<RuntimeStored[]> {
    return this.stores.records.find<RuntimeStored>(RUNTIMES, { sort: 'model:1' });
  }

  get(model: string): Promise<RuntimeStored | undefined> {
    return this.getByKey(runtimeKey(model));
  }

  getByKey(key: string): Promise<RuntimeStored | undefined> {
    return this.stores.records.get<RuntimeStored>(RUNTIMES, key);
  }

  /** False if the model has a record, so that only one of several starts continues. */
  insert(record: RuntimeStored): Promise<boolean> {
    return this.stores.records.insert(RUNTIMES, record);
  }

  /** Removes the record of this start only. No `change` is under way then, whose write would bring it back. */
  clear({ _key, mark }: Pick<RuntimeStored, '_key' | 'mark'>): Promise<void> {
    return this.#exclusive(_key, () => this.stores.records.remove(RUNTIMES, _key, { mark }));
  }

  /** Whether the record was removed or a stop is in progress. */
  async isStopped({ _key, mark }: Pick<RuntimeStored, '_key' | 'mark'>): Promise<boolean> {
    const now = await this.getByKey(_key);
    return now?.mark !== mark || now.step === 'stopping';
  }

  /** Like `change`, but undefined if a stop is in progress. */
  async changeUnlessStopping(
    record: Pick<RuntimeStored, '_key' | 'mark'>,
    make: (now: RuntimeStored) => Partial<RuntimeStored>,
  ): Promise<RuntimeStored | undefined> {
    const done = await this.change(record, (now) => (now.step === 'stopping' ? {} : make(now)));
    return done?.step === 'stopping' ? undefined : done;
  }

  /** Read-modify-write without a write for an empty change. @returns undefined if the record was removed */
  async change(
    { _key, mark }: Pick<RuntimeStored, '_key' | 'mark'>,
    make: (now: RuntimeStored) => Partial<RuntimeStored>,
  ): Promise<RuntimeStored | undefined> {
    return this.#exclusive(_key, async (lease) => {
      const record = await this.getByKey(_key);
      if (record?.mark !== mark) return undefined;
      const news = make(record);
      if (!hasChanges(record, news)) return record;
      const next = { ...record, ...news };
      lease.assertHeld();
      return (await this.stores.records.replace(RUNTIMES, next)) ? next : undefined;
    });
  }

  #exclusive<T>(key: string, work: (lease: Lease) => Promise<T>): Promise<T> {
    return this.leases.hold(`write.${RUNTIMES}.${key}`, WRITE_LEASE_MS, work);
  }
}

export function hasChanges(record: RuntimeStored, news: Partial<RuntimeStored>): boolean {
  return Object.entries(news).some(
    ([key, value]) => JSON.stringify(record[key as keyof RuntimeStored]) !== JSON.stringify(value),
  );
}
