import { GRACE_MS, Journal, type JournalStores } from '../locks/journal.ts';
import type { Secrets } from './secrets.ts';

/** A secret entry that is written and that no record points at yet. */
export interface Prepared {
  /** Null when the record has no secrets. */
  ref: string | null;
  /** Paths of the secrets in it. */
  fields: string[];
  /** The entry that will not be needed once the record is written. */
  old: string | null;
  value: string | undefined;
  journal: string | undefined;
  /** When the journal's entry was made, by the host's clock. */
  since: number;
}

/**
 * The order of writes that leaves either state whole: journal, new secret, the record (the caller's part), old secret,
 * journal. When a step throws it is unknown what was written: the journal's entry stays, and a later sweep decides.
 */
export class SecretKeeper {
  readonly #family: string;
  readonly #collection: string;
  readonly #stores: JournalStores;
  readonly #journal: Journal;

  constructor(family: string, collection: string, stores: JournalStores) {
    this.#family = family;
    this.#collection = collection;
    this.#stores = stores;
    this.#journal = new Journal(stores);
  }

  /** Writes the secrets under a new reference. */
  async prepare(secrets: Secrets, old: string | null): Promise<Prepared> {
    const { secrets: store, clock } = this.#stores;
    const fields = Object.keys(secrets).sort();
    const value = fields.length > 0 ? JSON.stringify(secrets) : undefined;
    const ref = value === undefined ? null : store.reference(this.#family, value);
    const since = clock.monotonic();
    const journal = await this.#open([ref, old]);
    if (ref !== null && value !== undefined) await store.put(ref, value);
    return { ref, fields, old, value, journal, since };
  }

  /** A record goes with its secrets: nothing to write, one entry to take away. */
  async prepareRemoval(old: string | null): Promise<Prepared> {
    const since = this.#stores.clock.monotonic();
    return { ref: null, fields: [], old, value: undefined, journal: await this.#open([old]), since };
  }

  /** False when so much time has gone by that a sweep may take the secret for a dead writer's. */
  isFresh({ ref, since }: Prepared): boolean {
    return ref === null || this.#stores.clock.monotonic() - since < GRACE_MS / 2;
  }

  /** The record points at the new entry. */
  async written(prepared: Prepared): Promise<void> {
    const { ref, value, old } = prepared;
    // This process slept in the middle: a sweep may have looked before the record was there.
    if (!this.isFresh(prepared) && ref !== null && value !== undefined) await this.#stores.secrets.put(ref, value);
    await this.#drop(old, prepared.journal);
  }

  /** No record will point at the new entry. */
  async refused({ ref, journal }: Prepared): Promise<void> {
    await this.#drop(ref, journal);
  }

  sweep = (): Promise<void> => this.#journal.sweep(this.#family, this.#collection);

  async #open(refs: readonly (string | null)[]): Promise<string | undefined> {
    const inPlay = refs.filter((ref) => ref !== null);
    return inPlay.length === 0 ? undefined : this.#journal.open(this.#family, inPlay);
  }

  /** The work is done: what cannot be cleaned up now is left to the journal. */
  async #drop(ref: string | null, journal: string | undefined): Promise<void> {
    if (journal === undefined) return;
    try {
      // Written on another member a moment ago, it may not have reached this one: then it comes after we looked.
      if (ref === null || (await this.#stores.secrets.remove(ref))) return await this.#journal.close(journal);
    } catch {
      // Left to the sweep.
    }
    this.#stores.log.warn('secret_left_to_sweep', { family: this.#family });
  }
}
