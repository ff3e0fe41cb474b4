import { Fault } from '../contract/faults.ts';
import type { HostClock } from '../ports/clock.ts';
import type { Doc, FindOptions, Query, RecordStore } from '../ports/recordStore.ts';
import { allOf } from './audience.ts';
import { inQueries, withKeys } from './keyQueries.ts';

export type StoredDoc = Doc & Record<string, unknown>;

/** What a collection holds today, and how it came to that. */
export interface Form {
  /** What a reply calls documents that it leaves out; absent = nobody lists them. */
  called?: string;
  /** Every field that a document has or has had: any other was written by a newer app, and stays. Absent = none is told apart. */
  fields?: readonly string[];
  /** From form 1 to form 2, from 2 to 3, and so on; none = the form is still 1. */
  upgrades?: readonly ((doc: StoredDoc) => StoredDoc)[];
}
export type Forms = Readonly<Record<string, Form>>;

/** How long nothing is asked again about what a newer app has written. */
const TRUSTED_MS = 1000;

/**
 * The forms of documents, at the border of the store: what is older is read as if it had today's form and gets it with its next
 * write, what is newer is refused or left out, and never touched. Nothing above this knows of `form`. One for each request. Its
 * calls may be taken apart, as those of any store.
 */
export class FormedRecords implements RecordStore {
  readonly #store: RecordStore;
  readonly #clock: HostClock;
  readonly #forms: Forms;
  /** Collection and key of what was read whole or written here -> its fields that this app does not know. */
  readonly #known = new Map<string, Record<string, unknown>>();
  readonly #newer = new Map<string, { at: number; forms: Promise<number[]> }>();
  readonly #leftOut = new Set<string>();

  constructor(store: RecordStore, clock: HostClock, forms: Forms) {
    this.#store = store;
    this.#clock = clock;
    this.#forms = forms;
  }

  /** What has been left out of answers so far, for the caller. */
  warnings(): string[] {
    return [...this.#leftOut].map((collection) => {
      const called = this.#forms[collection]?.called;
      return `${called} that a newer version of this app has written are left out: this version cannot read them`;
    });
  }

  /** @throws Fault `newer_form` when the key is a newer document's */
  insert = async <D extends Doc>(collection: string, doc: D): Promise<boolean> => {
    if (await this.#store.insert(collection, this.#written(collection, doc))) {
      this.#known.set(placeOf(collection, doc._key), {});
      return true;
    }
    if ((await this.#newerForms(collection)).length > 0) await this.get(collection, doc._key);
    return false;
  };

  /** Fields that this app does not know stay. @throws Fault `newer_form` */
  replace = async <D extends Doc>(collection: string, doc: D, assertInTime?: () => void): Promise<boolean> => {
    const place = placeOf(collection, doc._key);
    if (!this.#known.has(place) && !(await this.get(collection, doc._key))) return false;
    return this.#store.replace(collection, this.#written(collection, doc, this.#known.get(place)), assertInTime);
  };

  remove = async (collection: string, key: string, match: Record<string, string | number> = {}): Promise<void> => {
    const isKnown = this.#known.delete(placeOf(collection, key));
    const newer = isKnown ? [] : await this.#newerForms(collection);
    if (newer.length > 0) return this.#store.removeWhere(collection, without(newer, { _key: key, ...match }));
    return this.#store.remove(collection, key, Object.keys(match).length > 0 ? match : undefined);
  };

  removeWhere = async (collection: string, query: Query): Promise<void> => {
    return this.#store.removeWhere(collection, without(await this.#newerForms(collection), query));
  };

  /** @throws Fault `newer_form` */
  get = async <D extends Doc>(collection: string, key: string): Promise<D | undefined> => {
    const doc = await this.#store.get<StoredDoc>(collection, key);
    if (doc && this.#isNewer(collection, doc)) throw newerForm(this.#forms[collection]?.called);
    if (!doc) this.#known.delete(placeOf(collection, key));
    return doc && (this.#read(collection, doc) as unknown as D);
  };

  find = async <D extends Doc>(collection: string, options: FindOptions = {}): Promise<D[]> => {
    const { newer, ...rest } = options;
    if (newer === 'give') return this.#store.find<D>(collection, rest);
    // What is skipped is not seen: only a query can leave it out. Everywhere else newer documents are seldom worth asking for.
    const [before, first] = await Promise.all([
      rest.skip || newer === 'refuse' ? this.#newerForms(collection) : [],
      this.#store.find<StoredDoc>(collection, withForm(rest)),
    ]);
    if (newer === 'refuse' && before.length > 0) throw newerForm(this.#forms[collection]?.called);
    const sees = first.some((doc) => this.#isNewer(collection, doc));
    const isCut = rest.skip !== undefined || rest.limit !== undefined;
    if (!sees && before.length === 0) return this.#readAll<D>(collection, first, rest.fields);
    this.#note(collection);
    if (!isCut) return this.#readAll<D>(collection, first, rest.fields);
    const readable = without(await this.#newerForms(collection, sees && before.length === 0), rest.query);
    const found = await this.#store.find<StoredDoc>(collection, withForm({ ...rest, query: readable }));
    return this.#readAll<D>(collection, found, rest.fields);
  };

  chunks = <D extends Doc>(
    collection: string,
    options: Pick<FindOptions, 'query' | 'fields' | 'newer'> = {},
  ): AsyncIterable<D[]> => this.#chunks<D>(collection, options);

  async *#chunks<D extends Doc>(
    collection: string,
    { newer, ...options }: Pick<FindOptions, 'query' | 'fields' | 'newer'>,
  ): AsyncIterable<D[]> {
    if (newer === 'refuse' && (await this.#newerForms(collection)).length > 0)
      throw newerForm(this.#forms[collection]?.called);
    for await (const chunk of this.#store.chunks<StoredDoc>(collection, withForm(options))) {
      const read = await this.#readAll<D>(collection, chunk, options.fields, true);
      if (read.length < chunk.length) this.#note(collection);
      if (read.length > 0) yield read;
    }
  }

  count = async (collection: string, query: Query = {}, guess?: number): Promise<number> => {
    const [newer, total] = await Promise.all([
      this.#newerForms(collection),
      this.#store.count(collection, query, guess),
    ]);
    if (newer.length === 0) return total;
    this.#note(collection);
    return this.#store.count(collection, without(newer, query), guess);
  };

  status = (): Promise<string> => this.#store.status();

  /** Newer forms of which there are documents: hardly ever any, and then very few. */
  #newerForms(collection: string, isAfresh = false): Promise<number[]> {
    const now = this.#clock.monotonic();
    const known = this.#newer.get(collection);
    if (known && !isAfresh && now - known.at < TRUSTED_MS) return known.forms;
    const forms = this.#askNewerForms(collection);
    this.#newer.set(collection, { at: now, forms });
    return forms;
  }

  async #askNewerForms(collection: string): Promise<number[]> {
    const found: number[] = [];
    for (let last = this.#current(collection); ; last = found.at(-1) ?? last) {
      const options = { query: { form: { $gt: last } }, fields: ['form'], sort: 'form:1', limit: 1 };
      const [next] = await this.#store.find<StoredDoc>(collection, options);
      if (!next || !(formOf(next) > last)) return found;
      found.push(formOf(next));
    }
  }

  #current = (collection: string): number => (this.#forms[collection]?.upgrades?.length ?? 0) + 1;
  #isNewer = (collection: string, doc: StoredDoc): boolean => formOf(doc) > this.#current(collection);

  #note(collection: string): void {
    if (this.#forms[collection]?.called !== undefined) this.#leftOut.add(collection);
  }

  /** Those that can be read, in today's form. @param isPassing they are too many to remember what is unknown of them */
  async #readAll<D extends Doc>(
    collection: string,
    docs: readonly StoredDoc[],
    fields?: readonly string[],
    isPassing = false,
  ): Promise<D[]> {
    const kept = docs.filter((doc) => !this.#isNewer(collection, doc));
    if (!fields) return kept.map((doc) => this.#read(collection, doc, isPassing)) as unknown as D[];
    const older = kept.filter((doc) => formOf(doc) < this.#current(collection)).map(({ _key }) => _key);
    const whole = await this.#readWhole(collection, older);
    const rows = kept.map(({ form: _, ...doc }) => {
      const upgraded = whole.get(doc._key);
      return upgraded ? picked(upgraded, fields) : doc;
    });
    return rows as unknown as D[];
  }

  /** What became of a field is known to upgrades alone, and those need the whole document. */
  async #readWhole(collection: string, keys: readonly string[]): Promise<Map<string, StoredDoc>> {
    const found = new Map<string, StoredDoc>();
    for (const some of inQueries(keys)) {
      for (const doc of await this.#store.find<StoredDoc>(collection, { query: withKeys(some) })) {
        if (!this.#isNewer(collection, doc)) found.set(doc._key, this.#read(collection, doc, true));
      }
    }
    return found;
  }

  #read(collection: string, doc: StoredDoc, isPassing = false): StoredDoc {
    const { upgrades = [], fields } = this.#forms[collection] ?? {};
    const { form: _, ...whole } = upgrades.slice(formOf(doc) - 1).reduce((one, upgrade) => upgrade(one), doc);
    if (!isPassing) this.#known.set(placeOf(collection, doc._key), fields ? unknownOf(whole, fields) : {});
    return whole;
  }

  #written(collection: string, doc: Doc, unknown: Record<string, unknown> = {}): Doc {
    const current = this.#current(collection);
    return { ...unknown, ...doc, ...(current > 1 ? { form: current } : {}) };
  }
}

/** A refusal for what a newer app has written, or may have. */
const newerForm = (called = 'Documents'): Fault =>
  new Fault('newer_form', `${called} that a newer version of this app has written stand in the way: nothing was done`);

const placeOf = (collection: string, key: string): string => `${collection}/${key}`;

/** What is no number was not written by any app so far. */
function formOf({ form = 1 }: StoredDoc): number {
  return typeof form === 'number' ? form : Number.POSITIVE_INFINITY;
}

/** `$ne` also finds documents that have no form. */
const without = (forms: readonly number[], query: Query = {}): Query =>
  forms.length === 0 ? query : allOf(query, ...forms.map((form) => ({ form: { $ne: form } })));

const withForm = <O extends Pick<FindOptions, 'fields'>>(options: O): O =>
  options.fields ? { ...options, fields: [...new Set([...options.fields, 'form'])] } : options;

const unknownOf = ({ _key, ...doc }: StoredDoc, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(doc).filter(([field]) => !fields.includes(field)));

const picked = (doc: StoredDoc, fields: readonly string[]): StoredDoc => ({
  ...Object.fromEntries(Object.entries(doc).filter(([field]) => fields.includes(field))),
  _key: doc._key,
});
