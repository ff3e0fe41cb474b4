import type { Caller } from '../contract/caller.ts';
import type { Acl } from '../contract/common.ts';
import { Fault } from '../contract/faults.ts';
import type { Doc, RecordStore } from '../ports/recordStore.ts';
import { isAdmin } from './acl.ts';
import { type Reach, reachOf } from './audience.ts';
import type { Open, Sealed, SealedRecords, Stores } from './sealed.ts';

/**
 * Where version 0.1.0 kept sets of roles; a record had the name of its set as `audience`. Empty on a site that began with a
 * later version.
 */
const COLLECTION = 'ml_audiences';
/** A caller's sets in one query; many times what a site has that nobody fills on purpose. */
const MOST_SETS = 500;
/** Sets looked after at a time: their keys stand in a request line. */
const SETS = 40;
const RECORDS = 200;
const AT_ONCE = 8;
/** How long one request works on this at most. */
const BUDGET_MS = 500;

export interface RoleSet extends Doc {
  roles: string[];
}
type Reaching = Sealed & Omit<Reach, 'audience'> & { acl: Acl; audience: string[] | string };

/**
 * Records of 0.1.0 on their way to today's form. Until the last one is there, its readers are found by their sets as well;
 * each list takes a few records further, and the sets go when no record names them.
 */
export class LegacyAudiences<R extends Reaching> {
  readonly #records: RecordStore;
  readonly #stores: Stores;
  readonly #sealed: SealedRecords<R>;

  constructor(stores: Stores, sealed: SealedRecords<R>) {
    this.#records = stores.records;
    this.#stores = stores;
    this.#sealed = sealed;
  }

  /** On a site that has none, this is one small query. */
  async areLeft(): Promise<boolean> {
    return (await this.#records.find(COLLECTION, { fields: [], limit: 1 })).length > 0;
  }

  /**
   * The sets by which a caller may read records of 0.1.0.
   * @throws Fault `store_unavailable` when they are too many for a query: a list must not show less instead
   */
  async setsOf(caller: Caller): Promise<string[]> {
    if (isAdmin(caller) || caller.roles.length === 0) return [];
    const query = { $or: caller.roles.map((role) => ({ roles: role })) };
    const sets = await this.#records.find<RoleSet>(COLLECTION, { query, fields: [], limit: MOST_SETS + 1 });
    if (sets.length <= MOST_SETS) return sets.map(({ _key }) => _key);
    await this.advance();
    throw new Fault(
      'store_unavailable',
      'Experiments of an earlier version are still being converted; try again in a moment',
    );
  }

  /**
   * A step of bounded length. Whatever it leaves undone, also by the death of its process, the next one finds again; two
   * at once do the same to a record, one after the other.
   */
  async advance(): Promise<void> {
    const { clock, log } = this.#stores;
    const until = clock.monotonic() + BUDGET_MS;
    const work = this.#work(() => clock.monotonic() < until).catch(() => {
      log.warn('legacy_audiences_left', { collection: this.#sealed.spec.collection });
    });
    // The lease of a writer that has died keeps its record for seconds: this request does not wait that long.
    await Promise.race([work, clock.sleep(BUDGET_MS)]);
  }

  async #work(hasTime: () => boolean): Promise<void> {
    while (hasTime()) {
      const sets = await this.#records.find(COLLECTION, { fields: [], limit: SETS });
      if (sets.length === 0) return;
      const query = { $or: sets.map(({ _key }) => ({ audience: _key })) };
      const named = await this.#records.find(this.#sealed.spec.collection, { query, fields: [], limit: RECORDS });
      if (named.length === 0) {
        await this.#records.removeWhere(COLLECTION, { $or: sets.map(({ _key }) => ({ _key })) });
        continue;
      }
      for (let at = 0; at < named.length && hasTime(); at += AT_ONCE) {
        await Promise.all(named.slice(at, at + AT_ONCE).map(({ _key }) => this.#renew(_key)));
      }
    }
  }

  /** The access list itself stands in the record: the set's document is not needed for it. */
  async #renew(key: string): Promise<void> {
    await this.#sealed.amend(key, async ({ audience, acl }) =>
      Array.isArray(audience) ? undefined : { open: reachOf(acl) as unknown as Partial<Open<R>> },
    );
  }
}
