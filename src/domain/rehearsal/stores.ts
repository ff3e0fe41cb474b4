import type { HostClock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Doc } from '../../ports/recordStore.ts';
import { parallel } from '../parallel.ts';
import type { Sealed, SiteStores } from '../sealed.ts';
import { RehearsedRecords } from './records.ts';
import { RehearsedSecrets } from './secrets.ts';

/** Secrets that are read side by side. */
const AT_ONCE = 8;

type Reference = string | null;

/** Stores on which writes can be tried: the real ones are read, and nothing is written to them. */
export class RehearsedStores {
  readonly stores: SiteStores;
  readonly #records: RehearsedRecords;
  readonly #secrets: RehearsedSecrets;
  /** Place of a record -> the reference of its secrets before the first write and after the last. */
  readonly #references = new Map<string, { before: Reference; after: Reference }>();

  constructor(stores: SiteStores) {
    this.#records = new RehearsedRecords(stores.records, (...write) => this.#note(...write));
    this.#secrets = new RehearsedSecrets(stores.secrets);
    this.stores = {
      records: this.#records,
      secrets: this.#secrets,
      clock: hurried(stores.clock),
      log: SILENT,
      newId: stores.newId,
    };
  }

  readAhead(collection: string, keys: readonly string[]): Promise<void> {
    return this.#records.readAhead(collection, keys);
  }

  /** A secret that cannot be read now is asked for again when it is needed. */
  async readSecretsAhead(collection: string, keys: readonly string[]): Promise<void> {
    await parallel(keys, AT_ONCE, async (key) => {
      const record = await this.#records.get<Partial<Sealed> & Doc>(collection, key);
      if (record?.secret_ref) await this.#secrets.get(record.secret_ref).catch(() => undefined);
    });
  }

  begin(): void {
    this.#records.begin();
    this.#references.clear();
  }

  /** Secrets that were written stay: nothing points at them. */
  undo(): void {
    this.#records.undo();
    this.#references.clear();
  }

  async changedSecrets(): Promise<string[]> {
    const moved = [...this.#references.values()].filter(({ before, after }) => before !== after);
    const found = await Promise.all(moved.map(({ before, after }) => this.#secrets.changed(before, after)));
    return found.flat();
  }

  #note(place: string, before: Doc | undefined, after: Doc): void {
    if (!('secret_ref' in after)) return;
    const [old, now] = [before, after].map((doc) => (doc as Partial<Sealed> | undefined)?.secret_ref ?? null);
    const known = this.#references.get(place);
    this.#references.set(place, { before: known ? known.before : (old ?? null), after: now ?? null });
  }
}

/** Nobody is waited for: time passes at once. What the wall clock says stays. */
function hurried(clock: HostClock): HostClock {
  let ahead = 0;
  return {
    domain: clock.domain,
    now: () => clock.now(),
    monotonic: () => clock.monotonic() + ahead,
    sleep: async (ms) => {
      ahead += ms;
    },
  };
}

/** What did not happen is not written down. */
const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} };
