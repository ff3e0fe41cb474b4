import type { Caller } from '../contract/caller.ts';
import { allOf } from '../domain/audience.ts';
import { type Listed, listedFor, listFieldsOf } from '../domain/listFields.ts';
import { isIn, type ListQueryValues, onlyFields, textsOf } from '../domain/lists.ts';
import { parallel } from '../domain/parallel.ts';
import type { Sealed, SealedRecords, Stores } from '../domain/sealed.ts';
import { type StoredList, type StoredPage, storedPage } from '../domain/storedLists.ts';
import type { Doc, Query } from '../ports/recordStore.ts';
import type { Access } from './access.ts';

/** A record as lists see it, whatever its name is called. */
export interface Named extends Doc {
  name: string;
}
type Texts = Partial<Record<'title' | 'description', unknown>>;

export const picked = (record: Doc, keys: readonly string[], name: string): Named =>
  ({ ...onlyFields(record, keys as (keyof Doc)[]), name: record[name as keyof Doc] }) as unknown as Named;

const isSame = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Records looked after at a time. */
const RECORDS = 200;
const AT_ONCE = 8;
/** How long one request works on them at most. */
const BUDGET_MS = 500;
/** Records with wrong fields that are put right, all of them at once. */
const FEW = 30;

/**
 * Lists of sealed records that the store itself puts in order, as long as all records have the fields for it: those that an older
 * app wrote last have none, or wrong ones. docs/adr/0011-lists.md.
 */
export class ListedRecords<R extends Sealed> {
  readonly #sealed: SealedRecords<R>;
  readonly #stores: Stores;
  readonly #access: Pick<Access<R>, 'mayRead' | 'fields'>;
  readonly #listed: Listed;

  constructor(sealed: SealedRecords<R>, stores: Stores, access: Pick<Access<R>, 'mayRead' | 'fields'>, listed: Listed) {
    this.#sealed = sealed;
    this.#stores = stores;
    this.#access = access;
    this.#listed = listed;
  }

  /**
   * A page of what the caller may read, at a cost that does not grow with the number of records. Undefined when the store
   * cannot answer: all have to be read then.
   * @param name the sort key that means the name
   */
  async page(
    caller: Caller,
    query: ListQueryValues,
    name: string,
    about: Query | undefined,
  ): Promise<StoredPage<R> | undefined> {
    const list = this.#list(query, name);
    if (!list) return undefined;
    const where = allOf(about, this.#access.fields.length > 0 ? listedFor(caller) : undefined);
    const page = await storedPage<R>(this.#stores.records, list, where, query, undefined);
    // Afterwards: what an older app had written before the page was read is noticed, and not shown in a wrong place.
    const older = await this.#older(1);
    const wrong = page.records.filter((record) => !this.#isTrue(record) || !this.#access.mayRead(caller, record));
    if (older.length === 0 && wrong.length === 0) return page;
    await this.#forAMoment(older.length > 0 ? this.#advance : this.#mend);
    return undefined;
  }

  /**
   * What a list looks through of all records, in the order of their names, where a process keeps it: so lists are made that `page`
   * cannot answer. Those that do not match the search are left out. Undefined where the list goes by something that changes without a
   * new version.
   * @param keys what it can be sorted by
   * @param name the one of them that means the name
   */
  async rows(
    { sort_key, search }: ListQueryValues,
    keys: readonly string[],
    name: string,
    about: Query | undefined = {},
  ): Promise<(R & Named)[] | undefined> {
    const { learned = [], filters = [] } = this.#listed;
    const { rows } = this.#stores;
    const asked = Object.entries(about);
    const isPlain = asked.every(([field, value]) => filters.includes(field) && typeof value === 'string');
    if (!rows || !isPlain || learned.some((key) => key === sort_key)) return undefined;
    const fields = [...new Set([name, ...keys, ...this.#access.fields, ...filters])].filter(
      (key) => !learned.includes(key),
    );
    const all = await rows.of(this.#stores, {
      collection: this.#sealed.spec.collection,
      fields,
      shape: (record: R) => {
        const row = { ...picked(record, fields, name), _key: record._key } as R & Named;
        return { row, texts: textsOf<Named & Texts>(row), order: String(row.name).toLowerCase() };
      },
      compare: (a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)),
    });
    const wanted = search?.trim().toLowerCase();
    return all
      .filter(({ texts }) => !wanted || isIn(texts, wanted))
      .map(({ row }) => row)
      .filter((row) => asked.every(([field, value]) => row[field as keyof R] === value));
  }

  #list({ sort_key, search }: ListQueryValues, name: string): StoredList | undefined {
    if (search?.trim()) return undefined;
    const { sorts, isUnique } = this.#listed;
    const fields = Object.fromEntries([[name, 'list_name'], ...sorts.map((key) => [key, key])]);
    if (sort_key !== undefined && fields[String(sort_key)] === undefined) return undefined;
    return {
      collection: this.#sealed.spec.collection,
      sorts: fields,
      defaultSort: name,
      unique: '_key',
      ties: isUnique ? ['list_name'] : ['list_name', '_key'],
      searched: [],
    };
  }

  #isTrue(record: R): boolean {
    const { list_name, list_owner, list_audience } = record;
    const { list_name: name, list_owner: owner, list_audience: audience } = listFieldsOf(this.#listed, record);
    return list_name === name && list_owner === owner && isSame(list_audience, audience);
  }

  #older = async (limit: number): Promise<string[]> =>
    (await this.#stores.records.find(this.#sealed.spec.collection, { older: true, fields: [], limit })).map(
      ({ _key }) => _key,
    );

  /**
   * Work on records, for as long as this request may take for it. Whatever is left undone, also by the death of the process, the
   * next list finds again; two at once do the same to a record, one after the other.
   */
  async #forAMoment(work: (hasTime: () => boolean) => Promise<void>): Promise<void> {
    const { clock, log } = this.#stores;
    const until = clock.monotonic() + BUDGET_MS;
    const done = work(() => clock.monotonic() < until).catch(() => {
      log.warn('list_fields_left', { collection: this.#sealed.spec.collection });
    });
    // The lease of a writer that has died keeps its record for seconds: this request does not wait that long.
    await Promise.race([done, clock.sleep(BUDGET_MS)]);
  }

  /** Gives records their fields that an older app has written: as long as there is one, no page of the store is shown. */
  #advance = async (hasTime: () => boolean): Promise<void> => {
    while (hasTime()) {
      const keys = await this.#older(RECORDS);
      if (keys.length === 0) return;
      await parallel(keys, AT_ONCE, this.#renew, () => !hasTime());
    }
  };

  /**
   * Puts fields right that are wrong beside today's form: no app but 0.1.0 writes that, and whoever copies documents in the store.
   * All or none: nothing would tell that some are left on other pages, to whose place these belong.
   */
  #mend = async (): Promise<void> => {
    const { collection } = this.#sealed.spec;
    const fields = [this.#listed.name, 'acl', 'list_name', 'list_owner', 'list_audience'];
    const wrong: string[] = [];
    for await (const chunk of this.#stores.records.chunks<R>(collection, { fields })) {
      wrong.push(...chunk.filter((record) => !this.#isTrue(record)).map(({ _key }) => _key));
      if (wrong.length > FEW) return;
    }
    await Promise.all(wrong.map(this.#renew));
  };

  /** Any write gives a record what it should have. */
  #renew = (key: string) => this.#sealed.amend(key, async () => ({ open: {} }));
}
