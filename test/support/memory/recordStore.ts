import { Query as MingoQuery } from 'mingo';
import { unexpectedReply } from '../../../src/adapters/splunkd/client.ts';
import type { Doc, FindOptions, Query, RecordStore } from '../../../src/ports/stores/recordStore.ts';
import { FaultPlan } from './faults.ts';

/** Small, so that tests see more than one. */
const CHUNK = 50;

type Stored = Doc & Record<string, unknown>;

/** What all processes share: collection -> key -> document as JSON text, as the store keeps it. */
export class RecordData {
  readonly collections = new Map<string, Map<string, string>>();
  /** Whether a write to a missing document inserts it, as some platforms may. */
  replaceInserts = false;

  collection(name: string): Map<string, string> {
    const known = this.collections.get(name) ?? new Map<string, string>();
    this.collections.set(name, known);
    return known;
  }

  all(name: string): Stored[] {
    return [...this.collection(name).values()].map((text) => JSON.parse(text) as Stored);
  }

  /** Everything that is stored, as text: to look for secrets in. */
  dump(): string {
    return [...this.collections.values()].flatMap((collection) => [...collection.values()]).join('\n');
  }
}

/** The record store as one process sees it. Documents go in and come out as JSON: `undefined` does not survive. */
export function memoryRecords(data: RecordData, faults = new FaultPlan()): RecordStore {
  const matching = (collection: string, query: Query): Stored[] => {
    const test = new MingoQuery(query as ConstructorParameters<typeof MingoQuery>[0]);
    return data.all(collection).filter((doc) => test.test(doc));
  };
  return {
    insert: (collection, doc) =>
      faults.call(`insert ${collection}`, () => {
        const docs = data.collection(collection);
        if (docs.has(doc._key)) return false;
        docs.set(doc._key, storable(doc, `an insert into ${collection}`));
        return true;
      }),
    replace: (collection, doc, assertInTime) =>
      faults.call(`replace ${collection}`, () => {
        assertInTime?.();
        const docs = data.collection(collection);
        if (!docs.has(doc._key) && !data.replaceInserts) return false;
        docs.set(doc._key, storable(doc, `a write to ${collection}`));
        return true;
      }),
    saveAll: (collection, docs, assertInTime) =>
      faults.call(`saveAll ${collection}`, () => {
        assertInTime?.();
        for (const doc of docs) data.collection(collection).set(doc._key, storable(doc, `a write to ${collection}`));
      }),
    remove: (collection, key, match) =>
      faults.call(`remove ${collection}`, () => {
        const matches = match ? matching(collection, { _key: key, ...match }) : [{ _key: key }];
        for (const doc of matches) data.collection(collection).delete(doc._key);
      }),
    get: <D extends Doc>(collection: string, key: string) =>
      faults.call(`get ${collection}`, () => {
        const text = data.collection(collection).get(key);
        return text === undefined ? undefined : (JSON.parse(text) as D);
      }),
    find: <D extends Doc>(collection: string, options: FindOptions = {}) =>
      faults.call(`find ${collection}`, () => {
        const found = sorted(matching(collection, options.query ?? {}), options.sort);
        const skip = options.skip ?? 0;
        const cut = found.slice(skip, options.limit ? skip + options.limit : undefined);
        return cut.map((doc) => project(doc, options.fields)) as unknown as D[];
      }),
    async *chunks<D extends Doc>(collection: string, { query = {}, fields }: FindOptions = {}) {
      let last = '';
      for (;;) {
        const behind = await faults.call(`find ${collection}`, () =>
          matching(collection, query)
            .filter(({ _key }) => _key > last)
            .sort((a, b) => (a._key < b._key ? -1 : 1)),
        );
        const chunk = behind.slice(0, CHUNK);
        if (chunk.length > 0) yield chunk.map((doc) => project(doc, fields)) as unknown as D[];
        last = chunk.at(-1)?._key ?? last;
        if (behind.length <= CHUNK) return;
      }
    },
    count: (collection, query = {}) => faults.call(`count ${collection}`, () => matching(collection, query).length),
    removeWhere: (collection, query) =>
      faults.call(`removeWhere ${collection}`, () => {
        for (const doc of matching(collection, query)) data.collection(collection).delete(doc._key);
      }),
    status: () => faults.call('status', () => 'ready'),
  };
}

const MAX_LEVELS = 100;
const MAX_BYTES = 16 * 1024 * 1024;

/** The document as text, if the store of the platform takes it. */
function storable(doc: Doc, what: string): string {
  const text = JSON.stringify(doc);
  if (Buffer.byteLength(text) > MAX_BYTES || !isStorable(JSON.parse(text), MAX_LEVELS)) {
    throw unexpectedReply(what, { status: 400 });
  }
  return text;
}

function isStorable(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  const isNamed = (name: string) => Array.isArray(value) || !(name.startsWith('$') || /[.\0]/.test(name));
  return Object.entries(value).every(([name, inner]) => isNamed(name) && isStorable(inner, levels - 1));
}

function project(doc: Stored, fields: readonly string[] | undefined): Stored {
  if (!fields) return doc;
  return Object.fromEntries(Object.entries(doc).filter(([key]) => key === '_key' || fields.includes(key))) as Stored;
}

function sorted(docs: Stored[], sort: string | undefined): Stored[] {
  const keys = (sort ?? '').split(',').filter(Boolean);
  return docs.toSorted((a, b) => {
    for (const key of keys) {
      const [field = '', direction] = key.split(':');
      const [left, right] = [a[field] as string | number, b[field] as string | number];
      if (left !== right) return (left < right ? -1 : 1) * (direction === '-1' ? -1 : 1);
    }
    return 0;
  });
}
