import type { HostClock } from '../../ports/platform/clock.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';

/** Shared with the leases, so that one query returns both. */
export const COLLECTION = 'ml_leases';
const PREFIX = 'remote_clocks.';

export interface RemoteClockDoc extends Doc {
  domain: string;
  /** `{id: {token, at}}` as JSON, since ids are not valid field names. */
  seen: string;
  /** Time of the write, by the clock of the domain and in milliseconds since the epoch. */
  until: number;
  expires_at: number;
}

type ClockReadings = Record<string, { token: string; at: number }>;

export const isRemoteClockDoc = (doc: Doc): doc is RemoteClockDoc => doc._key.startsWith(PREFIX);

/**
 * Since when documents of other hosts are unchanged, by the clock of this host. Clocks of two hosts may differ by minutes,
 * so the expiry time in a remote lease proves nothing.
 */
export class RemoteClockWatch {
  readonly #records: RecordStore;
  readonly #clock: HostClock;
  readonly #key: string;
  readonly #seen: ClockReadings;
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
   * Whether the document has had the same token for `lifeMs`; a new token restarts the time.
   * @param token changes with every write of the owner
   */
  isOverdue(id: string, token: string, lifeMs: number): boolean {
    const now = this.#clock.monotonic();
    const earlier = Object.hasOwn(this.#seen, id) ? this.#seen[id] : undefined;
    if (earlier?.token === token) return now - earlier.at >= lifeMs;
    this.#seen[id] = { token, at: now };
    return false;
  }

  forget(isOver: (id: string) => boolean): void {
    for (const id of Object.keys(this.#seen)) if (isOver(id)) delete this.#seen[id];
  }

  /** Concurrent saves of one host may lose an entry, which only delays taking over that lease. */
  async save(): Promise<void> {
    const text = JSON.stringify(this.#seen);
    if (text === (this.#stored ?? '{}')) return;
    if (text === '{}') return this.#records.remove(COLLECTION, this.#key);
    const { domain } = this.#clock;
    const { monotonic, now } = this.#clock;
    const doc: RemoteClockDoc = { _key: this.#key, domain, seen: text, until: monotonic(), expires_at: now() };
    if (this.#stored === undefined && (await this.#records.insert(COLLECTION, doc))) return;
    if (!(await this.#records.replace(COLLECTION, doc))) await this.#records.insert(COLLECTION, doc);
  }
}
