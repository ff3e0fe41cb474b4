import { Leases, WRITE_LEASE_MS } from '../../../domain/locks/leases.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import { RUNTIMES } from '../connections/users.ts';
import { type RuntimeStored, runtimeKey } from './records.ts';

/** Runtime records. A write names the start that it belongs to: a late one does not touch the record of the next. */
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

  /** False when the model has a record: of several starts at once exactly one goes on. */
  insert(record: RuntimeStored): Promise<boolean> {
    return this.stores.records.insert(RUNTIMES, record);
  }

  /** Clears the record of this start, and no other. */
  clear(record: Pick<RuntimeStored, '_key' | 'mark'>): Promise<void> {
    return this.stores.records.remove(RUNTIMES, record._key, { mark: record.mark });
  }

  /** Whether this start has no record any more, or somebody is stopping it. */
  async isStopped({ _key, mark }: Pick<RuntimeStored, '_key' | 'mark'>): Promise<boolean> {
    const now = await this.getByKey(_key);
    return now?.mark !== mark || now.step === 'stopping';
  }

  /** A step of the start itself: undefined as well when somebody is stopping it. */
  async changeUnlessStopping(
    record: Pick<RuntimeStored, '_key' | 'mark'>,
    make: (now: RuntimeStored) => Partial<RuntimeStored>,
  ): Promise<RuntimeStored | undefined> {
    const done = await this.change(record, (now) => (now.step === 'stopping' ? {} : make(now)));
    return done?.step === 'stopping' ? undefined : done;
  }

  /**
   * Read-modify-write of the record of this start. An empty change costs no write.
   * @returns the record as it is now; undefined when this start has no record any more
   */
  async change(
    { _key, mark }: Pick<RuntimeStored, '_key' | 'mark'>,
    make: (now: RuntimeStored) => Partial<RuntimeStored>,
  ): Promise<RuntimeStored | undefined> {
    return this.leases.hold(`write.${RUNTIMES}.${_key}`, WRITE_LEASE_MS, async (lease) => {
      const record = await this.getByKey(_key);
      if (record?.mark !== mark) return undefined;
      const news = make(record);
      if (!hasChanges(record, news)) return record;
      const next = { ...record, ...news };
      lease.assertHeld();
      return (await this.stores.records.replace(RUNTIMES, next)) ? next : undefined;
    });
  }
}

export function hasChanges(record: RuntimeStored, news: Partial<RuntimeStored>): boolean {
  return Object.entries(news).some(
    ([key, value]) => JSON.stringify(record[key as keyof RuntimeStored]) !== JSON.stringify(value),
  );
}
