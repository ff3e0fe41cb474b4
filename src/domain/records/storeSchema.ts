import { Fault } from '../../contract/codes/faults.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';
import { Leases, WRITE_LEASE_MS } from '../locks/leases.ts';
import type { SiteStores } from './sealedRecord.ts';

const COLLECTION = 'ml_schema';
const KEY = 'store';
/** The same as for settings. */
const MAX_AGE_MS = 2000;

/** The version of 0.3.0, the first release whose stores every later one opens, and of a store without a version. */
export const BASE_VERSION = 1;

interface SchemaDoc extends Doc {
  version: number;
}

/** Converts the store to the next schema version. It can be interrupted, repeated, and run by two processes at once. */
export type Migration = (stores: SiteStores) => Promise<void>;

/** The schema version of the store (docs/adr/0010-store-schema.md), as a process last read it. */
export class StoreSchema {
  readonly #migrations: readonly Migration[];
  /** The version that this release writes. */
  readonly #current: number;
  #checkedAt = Number.NEGATIVE_INFINITY;

  /** @param migrations the first one starts from `BASE_VERSION` */
  constructor(migrations: readonly Migration[]) {
    this.#migrations = migrations;
    this.#current = BASE_VERSION + migrations.length;
  }

  /** Migrates an older store first. @throws Fault `newer_schema`, `store_unavailable` */
  async assertCurrent(stores: SiteStores): Promise<void> {
    const now = stores.clock.monotonic();
    if (now - this.#checkedAt < MAX_AGE_MS) return;
    const version = await versionOf(stores.records);
    if (this.#isBehind(version)) throw new Fault('newer_schema', NEWER);
    if (version !== this.#current) await this.#migrate(stores);
    this.#checkedAt = now;
  }

  async isNewer(records: RecordStore): Promise<boolean> {
    return this.#isBehind(await versionOf(records));
  }

  /** True for what is not a number, too: no version of the app has written that so far. */
  #isBehind = (version: number | undefined): boolean =>
    version !== undefined && !(Number.isInteger(version) && version <= this.#current);

  async #migrate(stores: SiteStores): Promise<void> {
    const { records, clock, log, newId } = stores;
    await new Leases(records, clock, newId).hold(`migrate.${KEY}`, WRITE_LEASE_MS, async () => {
      // Another process may have finished while this one waited for the lease.
      let version = await versionOf(records);
      if (version === undefined) {
        version = BASE_VERSION;
        await save(records, version);
      }
      for (; version < this.#current; version += 1) {
        await this.#migrations[version - BASE_VERSION]?.(stores);
        await save(records, version + 1);
        log.info('schema_migrated', { version: version + 1 });
      }
    });
  }
}

const NEWER = 'A newer version of the app wrote this store. Upgrade this member.';

async function save(records: RecordStore, version: number): Promise<void> {
  const doc: SchemaDoc = { _key: KEY, version };
  if (!(await records.replace(COLLECTION, doc))) await records.insert(COLLECTION, doc);
}

/** Undefined for a new store. */
async function versionOf(records: RecordStore): Promise<number | undefined> {
  return (await records.get<SchemaDoc>(COLLECTION, KEY))?.version;
}
