import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Doc, RecordStore } from '../ports/recordStore.ts';
import type { SecretStore } from '../ports/secretStore.ts';

const COLLECTION = 'ml_journal';
/** Younger entries may belong to a writer at work. */
export const GRACE_MS = 60_000;

interface Entry extends Doc {
  family: string;
  refs: string[];
  at: number;
}

/**
 * Which secret references a write has in play. An entry that is still there after a minute belongs to a writer that
 * died: the next write of the same family deletes those of its secrets that no record points at.
 */
export class Journal {
  readonly #records: RecordStore;
  readonly #secrets: SecretStore;
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #log: Log;

  constructor(records: RecordStore, secrets: SecretStore, clock: Clock, newId: () => string, log: Log) {
    this.#records = records;
    this.#secrets = secrets;
    this.#clock = clock;
    this.#newId = newId;
    this.#log = log;
  }

  async open(family: string, refs: readonly string[]): Promise<string> {
    const id = this.#newId();
    await this.#records.insert<Entry>(COLLECTION, { _key: id, family, refs: [...refs], at: this.#clock.now() });
    return id;
  }

  async close(id: string): Promise<void> {
    await this.#records.remove(COLLECTION, id);
  }

  /** Deletes what died writers of this family left over. Failures are left for the next write. */
  async sweep(family: string, collection: string): Promise<void> {
    try {
      const query = { family, at: { $lt: this.#clock.now() - GRACE_MS } };
      for (const entry of await this.#records.find<Entry>(COLLECTION, { query, limit: 50 })) {
        for (const ref of entry.refs) {
          const used = await this.#records.find(collection, {
            query: { secret_ref: ref },
            fields: ['secret_ref'],
            limit: 1,
          });
          if (used.length === 0) await this.#secrets.remove(ref);
        }
        await this.close(entry._key);
        this.#log.info('swept', { family, references: entry.refs.length });
      }
    } catch {
      this.#log.warn('sweep_failed', { family });
    }
  }
}
