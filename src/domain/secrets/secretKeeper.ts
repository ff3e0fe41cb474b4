import { GRACE_MS, Journal, type JournalStores } from '../locks/journal.ts';
import type { Secrets } from './secrets.ts';

/** A stored secret that no record references yet. */
export interface StagedSecret {
  /** Null when the record has no secrets. */
  ref: string | null;
  /** Paths of its secrets. */
  fields: string[];
  /** The secret to delete once the record is written. */
  old: string | null;
  value: string | undefined;
  journal: string | undefined;
  /** Time of the journal entry, by the host's clock. */
  since: number;
}

interface KeeperStores extends JournalStores {
  /** @see Stores.defer */
  defer(name: string, work: () => Promise<void>): void;
}

/**
 * Writes secrets in an order that survives a crash: journal, new secret, record (by the caller), old secret, journal. After a
 * failed step the journal entry stays, and a later sweep cleans up.
 */
export class SecretKeeper {
  readonly #family: string;
  readonly #collection: string;
  readonly #stores: KeeperStores;
  readonly #journal: Journal;

  constructor(family: string, collection: string, stores: KeeperStores) {
    this.#family = family;
    this.#collection = collection;
    this.#stores = stores;
    this.#journal = new Journal(stores);
  }

  async stage(secrets: Secrets, old: string | null): Promise<StagedSecret> {
    const { secrets: store, clock } = this.#stores;
    const fields = Object.keys(secrets).sort();
    const value = fields.length > 0 ? JSON.stringify(secrets) : undefined;
    const ref = value === undefined ? null : store.reference(this.#family, value);
    const since = clock.monotonic();
    const journal = await this.#open([ref, old]);
    if (ref !== null && value !== undefined) await store.put(ref, value);
    return { ref, fields, old, value, journal, since };
  }

  async stageRemoval(old: string | null): Promise<StagedSecret> {
    const since = this.#stores.clock.monotonic();
    return { ref: null, fields: [], old, value: undefined, journal: await this.#open([old]), since };
  }

  /** False when a sweep may already have deleted the secret as abandoned. */
  isFresh({ ref, since }: StagedSecret): boolean {
    return ref === null || this.#stores.clock.monotonic() - since < GRACE_MS / 2;
  }

  /** Completes a write after the record references the new secret. */
  async commit(staged: StagedSecret): Promise<void> {
    const { ref, value, old } = staged;
    // The process was suspended: a sweep may have run before the record was written.
    if (!this.isFresh(staged) && ref !== null && value !== undefined) await this.#stores.secrets.put(ref, value);
    await this.#drop(old, staged.journal);
  }

  /** Rolls back a write whose record was not saved. */
  async rollback({ ref, journal }: StagedSecret): Promise<void> {
    await this.#drop(ref, journal);
  }

  /** Sweeps what earlier writers left, after the reply so that it is not delayed. */
  sweepLater(): void {
    this.#stores.defer(`sweep ${this.#family}`, () => this.#journal.sweep(this.#family, this.#collection));
  }

  async #open(refs: readonly (string | null)[]): Promise<string | undefined> {
    const inPlay = refs.filter((ref) => ref !== null);
    return inPlay.length === 0 ? undefined : this.#journal.open(this.#family, inPlay);
  }

  /** Never throws: failed deletions are left to the sweep. */
  async #drop(ref: string | null, journal: string | undefined): Promise<void> {
    if (journal === undefined) return;
    try {
      // A secret just written on another member may not be replicated yet; the journal entry then stays.
      if (ref === null || (await this.#stores.secrets.remove(ref))) return await this.#journal.close(journal);
    } catch {
      // Left to the sweep.
    }
    this.#stores.log.warn('secret_left_to_sweep', { family: this.#family });
  }
}
