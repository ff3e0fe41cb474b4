import type { HostClock } from '../../ports/platform/clock.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';

/** Beside the leases, so that one look at the collection shows both. */
export const COLLECTION = 'ml_leases';
const PREFIX = 'sightings.';

export interface RemoteClockDoc extends Doc {
  domain: string;
  /** `{id: {mark, at}}` as JSON text: ids are not made for field names. */
  seen: string;
  /** When it was written: by the clock of its domain, and in milliseconds since the epoch. */
  until: number;
  expires_at: number;
}

type Seen = Record<string, { mark: string; at: number }>;

export const isRemoteClockDoc = (doc: Doc): doc is RemoteClockDoc => doc._key.startsWith(PREFIX);

/**
 * Since when this host has seen documents of other hosts unchanged, by its own clock. The clock of another host says
 * nothing: two of them may be minutes apart, and then a lease that looks over is in use.
 */
export class RemoteClockWatch {
  readonly #records: RecordStore;
  readonly #clock: HostClock;
  readonly #key: string;
  readonly #seen: Seen;
  readonly #stored: string | undefined;

  constructor(records: RecordStore, clock: HostClock, doc: Doc | undefined) {
    this.#records = records;
    this.#clock = clock;
    this.#key = RemoteClockWatch.keyOf(clock);
    this.#stored = (doc as RemoteClockDoc | undefined)?.seen;
    this.#seen = this.#stored === undefined ? {} : JSON.parse(this.#stored);
  }

  static keyOf = (clock: HostClock): string => `${PREFIX}${clock.domain}`;

  static async read(records: RecordStore, clock: HostClock): Promise<RemoteClockWatch> {
    return new RemoteClockWatch(records, clock, await records.get(COLLECTION, RemoteClockWatch.keyOf(clock)));
  }

  /**
   * Whether the document has been seen with the same mark for so long; the first sight is noted.
   * @param mark changes whenever its owner shows a sign of life
   */
  isOverdue(id: string, mark: string, lifeMs: number): boolean {
    const now = this.#clock.monotonic();
    const known = Object.hasOwn(this.#seen, id) ? this.#seen[id] : undefined;
    if (known?.mark === mark) return now - known.at >= lifeMs;
    this.#seen[id] = { mark, at: now };
    return false;
  }

  forget(isOver: (id: string) => boolean): void {
    for (const id of Object.keys(this.#seen)) if (isOver(id)) delete this.#seen[id];
  }

  /** Two processes of one host at once may lose a first sight: that document is taken over a little later. */
  async save(): Promise<void> {
    const seen = JSON.stringify(this.#seen);
    if (seen === (this.#stored ?? '{}')) return;
    if (seen === '{}') return this.#records.remove(COLLECTION, this.#key);
    const { domain } = this.#clock;
    const { monotonic, now } = this.#clock;
    const doc: RemoteClockDoc = { _key: this.#key, domain, seen, until: monotonic(), expires_at: now() };
    if (this.#stored === undefined && (await this.#records.insert(COLLECTION, doc))) return;
    if (!(await this.#records.replace(COLLECTION, doc))) await this.#records.insert(COLLECTION, doc);
  }
}
