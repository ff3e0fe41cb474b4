import { Fault } from '../../../contract/codes/faults.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import type { Doc } from '../../../ports/stores/recordStore.ts';
import { RUNS } from '../documents/stored.ts';
import { hashOf } from './rows.ts';

const ALERT_CLAIMS = 'ml_alert_claims';

/** After so long another process finishes what a dead one began. */
export const CLAIM_MS = 10_000;
/** A run that is about to be inserted has to arrive before its claim ends. */
const SAFE_MS = CLAIM_MS * 0.9;
/** Nobody sends an alert again after so many seconds. */
const KEPT_S = 7 * 86_400;
const POLL_MS = 100;
/** How often a key whose holder has gone is taken over before the caller has to try again. */
const KEY_TRIES = 10;
/** The holder of a key on another host counts as dead after so many seconds, more than their clocks differ. */
const FOREIGN_S = 60;
/** Documents removed after one request. */
const SWEPT = 100;

interface AlertDoc extends Doc {
  /** The row, by the key of its claim. */
  claim: string;
  run_id: string;
  /** When it is removed, in epoch seconds. */
  ends: number;
}

/** A row that was handed over, or a whole alert. It is inserted before its run. */
export interface RowClaim extends AlertDoc {
  kind: 'row';
  /** Tells the request that works on it from others. */
  holder: string;
  /** The host by whose clock `until` is. */
  domain: string;
  /** While it is `begun`: when another request may go on with it. */
  until: number;
  /** `ended`: nothing was started, and an event says why. */
  state: 'begun' | 'started' | 'ended';
}

/** The last start of a run for a key. */
interface KeyDoc extends AlertDoc {
  kind: 'key';
  /** Epoch seconds. */
  at: number;
  /** Whether the run was started; else its claim says what became of it. */
  started: boolean;
}

/** One of the numbered places that a search has for runs; of two requests one inserts it. */
interface PlaceDoc extends AlertDoc {
  kind: 'place';
  sid: string;
  place: number;
}

export const rowBusy = (): Fault => new Fault('busy', 'Another request works on this row. Send it again.');

/** A row that this request works on, or what is known of one that it does not. */
export type ClaimedRow = { claim: RowClaim; isOurs: boolean; isLeft?: boolean };

/**
 * Which rows of alerts have runs. The store has no compare-and-set, so that whatever only one may do is an insert: the claim of a row, the
 * key that suppresses others, a place among the runs of a search.
 */
export class AlertClaims {
  readonly #stores: Pick<Stores, 'records' | 'clock' | 'newId'>;
  readonly #holder: string;
  /** Places of this search that are taken, each with its row. */
  #places: Map<number, string> | undefined;

  /** For one request. */
  constructor(stores: Pick<Stores, 'records' | 'clock' | 'newId'>) {
    this.#stores = stores;
    this.#holder = stores.newId();
  }

  /**
   * Claims a row. Waits for another request that works on it, until it has ended or is dead.
   * @param waitsUntil by the monotonic clock; then the row is returned as it is
   * @throws Fault `store_unavailable`, `busy`
   */
  async claim(key: string, waitsUntil: number): Promise<ClaimedRow> {
    const { records, clock } = this.#stores;
    const claim: RowClaim = { ...this.#begun(), _key: key, claim: key, run_id: this.#stores.newId() };
    let watched: { token: string; since: number } | undefined;
    for (;;) {
      if (await records.insert(ALERT_CLAIMS, claim)) return { claim, isOurs: true };
      const other = await records.get<RowClaim>(ALERT_CLAIMS, key);
      if (!other) {
        // Given up in between, or this member does not see it yet.
        if (clock.monotonic() >= waitsUntil) throw rowBusy();
        await clock.sleep(POLL_MS);
        continue;
      }
      if (other.state !== 'begun') return { claim: other, isOurs: false };
      const now = clock.monotonic();
      const token = `${other.holder} ${other.until}`;
      if (watched?.token !== token) watched = { token, since: now };
      // The clocks of two hosts cannot be compared: a claim of another one is watched for its whole life.
      const isOver = other.domain === clock.domain ? now >= other.until : now >= watched.since + CLAIM_MS;
      if (isOver) {
        const taken: RowClaim = { ...other, ...this.#begun() };
        await records.replace(ALERT_CLAIMS, taken);
        return { claim: taken, isOurs: true, isLeft: true };
      }
      if (now >= waitsUntil) return { claim: other, isOurs: false };
      await clock.sleep(POLL_MS);
    }
  }

  #begun(): Omit<RowClaim, '_key' | 'claim' | 'run_id'> {
    const { clock } = this.#stores;
    return {
      ...{ kind: 'row', state: 'begun', holder: this.#holder, domain: clock.domain },
      ...{ until: clock.monotonic() + CLAIM_MS, ends: clock.now() / 1000 + KEPT_S },
    };
  }

  /** Whether a process that was suspended may still insert the run of a claim. */
  isInTime = ({ until }: RowClaim): boolean => this.#stores.clock.monotonic() < until - CLAIM_MS + SAFE_MS;

  /** @param keptS how long a key of the row suppresses others */
  async finish(claim: RowClaim, state: 'started' | 'ended', keptS = 0): Promise<void> {
    const ends = Math.max(claim.ends, this.#stores.clock.now() / 1000 + keptS);
    await this.#stores.records.replace<RowClaim>(ALERT_CLAIMS, { ...claim, state, ends });
  }

  /** Gives up a row that was not started: a later request decides anew. */
  async drop({ _key, holder }: RowClaim): Promise<void> {
    await this.#stores.records.remove(ALERT_CLAIMS, _key, { holder });
  }

  /** Lets a later request go on at once with a row of which nobody knows whether it was started. */
  async leave(claim: RowClaim): Promise<void> {
    await this.#stores.records.replace<RowClaim>(ALERT_CLAIMS, { ...claim, until: this.#stores.clock.monotonic() });
  }

  /**
   * Takes the key of a row for a span.
   * @returns busy: another row with this key is being started, and it is not known whether it will be
   * @throws Fault `store_unavailable`
   */
  async takeKey(
    key: string,
    { _key: claim, run_id }: RowClaim,
    spanS: number,
  ): Promise<'taken' | 'suppressed' | 'busy'> {
    const { records, clock } = this.#stores;
    let tries = 0;
    for (;;) {
      const now = clock.now() / 1000;
      const doc: KeyDoc = { _key: key, kind: 'key', claim, run_id, at: now, started: false, ends: now + spanS };
      if (await records.insert(ALERT_CLAIMS, doc)) return 'taken';
      const other = await records.get<KeyDoc>(ALERT_CLAIMS, key);
      if (other?.claim === claim) return 'taken';
      const state = other && (await this.#stateOf(other));
      // One beyond the span in the future is of a clock that was wrong.
      if (other && state === 'started' && Math.abs(now - other.at) < spanS) return 'suppressed';
      tries += 1;
      if (tries > KEY_TRIES) return 'busy';
      // It may end, or this member does not see the key yet.
      if (!other || state === 'begun') await clock.sleep(POLL_MS);
      // The key of a row that was not started, or whose span is over.
      else await records.remove(ALERT_CLAIMS, key, { claim: other.claim, at: other.at });
    }
  }

  /** Outcome of the row that took a key. */
  async #stateOf({ claim, run_id, started, at: takenAt }: KeyDoc): Promise<RowClaim['state']> {
    if (started) return 'started';
    const { records, clock } = this.#stores;
    const row = await records.get<RowClaim>(ALERT_CLAIMS, claim);
    if (!row) return 'ended';
    if (row.state !== 'begun') return row.state;
    if (await records.get(RUNS, run_id)) return 'started';
    const isOver =
      row.domain === clock.domain ? clock.monotonic() >= row.until : clock.now() / 1000 >= takenAt + FOREIGN_S;
    return isOver ? 'ended' : 'begun';
  }

  /** Notes that the run of a key was started. */
  async startKey(key: string, { _key: claim, run_id }: RowClaim, spanS: number): Promise<void> {
    const now = this.#stores.clock.now() / 1000;
    const doc: KeyDoc = { _key: key, kind: 'key', claim, run_id, at: now, started: true, ends: now + spanS };
    await this.#stores.records.replace(ALERT_CLAIMS, doc);
  }

  /** Gives back the key of a row that was not started. */
  async dropKey(key: string, { _key: claim }: RowClaim): Promise<void> {
    await this.#stores.records.remove(ALERT_CLAIMS, key, { claim });
  }

  /**
   * Takes one of the places of a search, the one that the row had before if it had one.
   * @returns its key; undefined if all are taken
   * @throws Fault `store_unavailable`
   */
  async takePlace(sid: string, most: number, { _key: claim, run_id }: RowClaim): Promise<string | undefined> {
    const { records, clock } = this.#stores;
    this.#places ??= await this.#readPlaces(sid);
    const places = this.#places;
    for (const [place, holder] of places) if (holder === claim) return placeKey(sid, place);
    for (let place = 1; place <= most; place += 1) {
      if (places.has(place)) continue;
      const key = placeKey(sid, place);
      const ends = clock.now() / 1000 + KEPT_S;
      const doc: PlaceDoc = { _key: key, kind: 'place', sid, place, claim, run_id, ends };
      const isTaken = await records.insert(ALERT_CLAIMS, doc);
      places.set(place, isTaken ? claim : '');
      if (isTaken) return key;
    }
    return undefined;
  }

  async #readPlaces(sid: string): Promise<Map<number, string>> {
    const docs = await this.#stores.records.find<PlaceDoc>(ALERT_CLAIMS, { query: { sid } });
    return new Map(docs.map(({ place, claim }) => [place, claim]));
  }

  /** Gives back what a dead process has taken for a row that is not started after all. */
  async dropPlacesOf(sid: string, claim: RowClaim): Promise<void> {
    this.#places ??= await this.#readPlaces(sid);
    for (const [place, holder] of this.#places) {
      if (holder === claim._key) await this.dropPlace(placeKey(sid, place), claim);
    }
  }

  async dropPlace(key: string, { _key: claim }: RowClaim): Promise<void> {
    for (const [place, holder] of this.#places ?? []) if (holder === claim) this.#places?.delete(place);
    await this.#stores.records.remove(ALERT_CLAIMS, key, { claim });
  }
}

const placeKey = (sid: string, place: number): string => `${sid}.${place}`;

/** Keys of the documents of an alert. The user is part of each, so that nobody claims the alerts of others. */
export const alertKeys = {
  /** @param row parts that tell the row from others of the alert; none for the whole alert */
  claim: (user: string, sid: string, resultId: string, action: string, row: readonly (string | number)[]): string =>
    `row.${hashOf([user, sid, resultId, action, ...row])}`,
  /** @param search saved search with its app; empty for one that nobody saved */
  suppression: (user: string, search: readonly string[], key: string): string =>
    `key.${hashOf([user, ...search, key])}`,
  places: (user: string, sid: string, action: string): string => `sid.${hashOf([user, sid, action])}`,
};

/** Removes some documents that nobody needs any more; later requests go on. */
export async function sweepClaims({ records, clock }: Pick<Stores, 'records' | 'clock'>): Promise<void> {
  const query = { ends: { $lt: clock.now() / 1000 } };
  const old = await records.find<AlertDoc>(ALERT_CLAIMS, { query, fields: ['ends'], sort: 'ends:1', limit: SWEPT });
  for (const { _key, ends } of old) await records.remove(ALERT_CLAIMS, _key, { ends });
}
