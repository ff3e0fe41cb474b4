import { Fault } from '../../contract/codes/faults.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';
import { Leases, WRITE_LEASE_MS } from '../locks/leases.ts';
import type { SiteStores } from './sealedRecord.ts';

const COLLECTION = 'ml_schema';
const KEY = 'store';
/** The same as for settings. */
const MAX_AGE_MS = 2000;

interface SchemaDoc extends Doc {
  version: number;
}

/** Converts the store to the next schema version. It can be interrupted, repeated, and run by two processes at once. */
export type Migration = (stores: SiteStores) => Promise<void>;

/** The schema version of the store (docs/adr/0010-store-schema.md), as a process last read it. */
export class StoreSchema {
  readonly #migrations: readonly Migration[];
  #checkedAt = Number.NEGATIVE_INFINITY;

  /** @param migrations the first one starts from a store without a version, as 0.2.0 left it */
  constructor(migrations: readonly Migration[]) {
    this.#migrations = migrations;
  }

  /** Migrates an older store first. @throws Fault `newer_schema`, `store_unavailable` */
  async assertCurrent(stores: SiteStores): Promise<void> {
    const now = stores.clock.monotonic();
    if (now - this.#checkedAt < MAX_AGE_MS) return;
    const version = await versionOf(stores.records);
    if (this.#isBehind(version)) throw new Fault('newer_schema', NEWER);
    if (version < this.#migrations.length) await this.#migrate(stores);
    this.#checkedAt = now;
  }

  async isNewer(records: RecordStore): Promise<boolean> {
    return this.#isBehind(await versionOf(records));
  }

  /** True for what is not a number, too: no version of the app has written that so far. */
  #isBehind = (version: number): boolean => !(Number.isInteger(version) && version <= this.#migrations.length);

  async #migrate(stores: SiteStores): Promise<void> {
    const { records, clock, log, newId } = stores;
    await new Leases(records, clock, newId).hold(`migrate.${KEY}`, WRITE_LEASE_MS, async () => {
      // Another process may have finished while this one waited for the lease.
      for (let version = await versionOf(records); version < this.#migrations.length; version += 1) {
        await this.#migrations[version]?.(stores);
        const doc: SchemaDoc = { _key: KEY, version: version + 1 };
        if (!(await records.replace(COLLECTION, doc))) await records.insert(COLLECTION, doc);
        log.info('schema_migrated', { version: doc.version });
      }
    });
  }
}

const NEWER = 'A newer version of the app wrote this store. Upgrade this member.';

async function versionOf(records: RecordStore): Promise<number> {
  return (await records.get<SchemaDoc>(COLLECTION, KEY))?.version ?? 0;
}
