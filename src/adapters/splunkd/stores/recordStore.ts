import { append } from '../../../contract/basics.ts';
import { memoizeByObject } from '../../../domain/async/memoize.ts';
import { RecentMap } from '../../../domain/async/recentMap.ts';
import { isSameValue } from '../../../domain/values/json.ts';
import {
  type Doc,
  type FindOptions,
  InsertUnclear,
  type Query,
  type RecordStore,
} from '../../../ports/stores/recordStore.ts';
import { objectOf, type SplunkdCall, type SplunkdClient, unexpectedReply } from '../client.ts';
import { type Page, partsOf, readPage } from './longQueries.ts';

/** Keys read around the guessed count. */
const GUESS_WINDOW = 1000;
/** More than the platform answers in one query. */
const MAX_ROWS = 50_000;
/**
 * The platform silently truncates large results (default 50 MB). A smaller reply is complete; after a larger one only an
 * empty reply is the end.
 */
const NEVER_TRUNCATED_BYTES = 1024 * 1024;
/** Rows of the first chunk while their size is unknown; later chunks aim at CHUNK_BYTES. */
const FIRST_CHUNK = 200;
const MAX_CHUNK_ROWS = 5000;
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Row size of the last read of a collection, so that small collections take one call. */
const sizesAt = memoizeByObject((_client: SplunkdClient) => new RecentMap<number>(200));

/** Whether no document can have this key from outside: the platform refuses it, or reads another path. */
const isImpossible = (key: string): boolean => key === '.' || key === '..' || key.includes('\0');

/** The platform's KV store: app namespace, owner `nobody`, system token. */
export function splunkdRecords(client: SplunkdClient, token: string): RecordStore {
  const sizes = sizesAt(client);
  const call = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    more: Pick<SplunkdCall, 'query' | 'json' | 'repeatable' | 'assertInTime'> = {},
  ) => client.call({ method, endpoint: `storage/collections/data/${path}`, token, namespace: 'app', ...more });
  const pathOf = (collection: string, key: string) => `${collection}/${encodeURIComponent(key)}`;

  const removeWhere = async (collection: string, query: Query): Promise<void> => {
    for (const part of partsOf(query)) {
      const reply = await call('DELETE', collection, { query: { query: JSON.stringify(part) } });
      if (reply.status !== 200) throw unexpectedReply(`a removal from ${collection}`, reply);
    }
  };

  const read = async <D extends Doc>(collection: string, options: FindOptions): Promise<Page<D>> => {
    const reply = await call('GET', collection, { query: findQuery(options) });
    if (reply.status !== 200) throw unexpectedReply(`a query of ${collection}`, reply);
    const rows = JSON.parse(reply.text) as (D & { _user?: string })[];
    const bytes = reply.text.length;
    return { rows: rows.map(withoutUser), bytes, isEnd: isEnd(rows.length, bytes, options.limit || MAX_ROWS) };
  };

  const pageOf = <D extends Doc>(collection: string, options: FindOptions): Promise<Page<D>> =>
    readPage<D>((part) => read(collection, part), options);

  const get = async <D extends Doc>(collection: string, key: string): Promise<D | undefined> => {
    if (isImpossible(key)) return undefined;
    const reply = await call('GET', pathOf(collection, key));
    if (reply.status === 404) return undefined;
    if (reply.status !== 200) throw unexpectedReply(`a read of ${collection}`, reply);
    return withoutUser(JSON.parse(reply.text) as D & { _user?: string });
  };

  async function* chunks<D extends Doc>(collection: string, { query = {}, fields }: FindOptions): AsyncGenerator<D[]> {
    const read = `${collection} ${fields}`;
    const size = sizes.get(read);
    let limit = size === undefined ? FIRST_CHUNK : rowsOf(size);
    let where = query;
    let largest = 0;
    for (;;) {
      const options = { query: where, sort: '_key:1', limit, ...(fields ? { fields } : {}) };
      const { rows, bytes, isEnd } = await pageOf<D>(collection, options);
      if (rows.length > 0) {
        yield rows;
        // Chunks limit memory, so the largest row size counts.
        largest = Math.max(largest, bytes / rows.length);
        sizes.set(read, largest);
      }
      const last = rows.at(-1);
      if (!last || isEnd) return;
      // By key, not by offset: concurrent deletions must not shift rows.
      const behind = { _key: { $gt: last._key } };
      where = Object.keys(query).length > 0 ? { $and: [behind, query] } : behind;
      limit = rowsOf(bytes / rows.length);
    }
  }

  return {
    async insert(collection, doc) {
      const reply = await call('POST', collection, { json: doc, repeatable: true });
      if (reply.status === 409 && !reply.repeated) return false;
      if (reply.status === 409) {
        // Repeated call: the existing document may come from the first one.
        if (isSameValue(await get(collection, doc._key), doc)) return true;
        throw new InsertUnclear();
      }
      if (reply.status !== 201 && reply.status !== 200) throw unexpectedReply(`an insert into ${collection}`, reply);
      return true;
    },
    async replace(collection, doc, assertInTime) {
      // Writing the same document twice is harmless while the lease holds.
      const reply = await call('POST', pathOf(collection, doc._key), { json: doc, repeatable: true, assertInTime });
      if (reply.status === 404) return false;
      if (reply.status !== 200 && reply.status !== 201) throw unexpectedReply(`a write to ${collection}`, reply);
      return true;
    },
    async saveAll(collection, docs, assertInTime) {
      if (docs.length === 0) return;
      const reply = await call('POST', `${collection}/batch_save`, { json: docs, repeatable: true, assertInTime });
      if (reply.status !== 200 && reply.status !== 201) throw unexpectedReply(`writes to ${collection}`, reply);
    },
    async remove(collection, key, match) {
      if (match) return removeWhere(collection, { _key: key, ...match });
      const reply = await call('DELETE', pathOf(collection, key));
      if (reply.status !== 200 && reply.status !== 404) throw unexpectedReply(`a removal from ${collection}`, reply);
    },
    get,
    async find<D extends Doc>(collection: string, options: FindOptions = {}): Promise<D[]> {
      if (options.limit) return (await pageOf<D>(collection, options)).rows;
      const documents: D[] = [];
      if (!options.sort && !options.skip) {
        for await (const chunk of chunks<D>(collection, options)) append(documents, chunk);
        return documents;
      }
      for (;;) {
        const skip = (options.skip ?? 0) + documents.length;
        const { rows, isEnd } = await pageOf<D>(collection, { ...options, skip });
        append(documents, rows);
        if (isEnd) return documents;
      }
    },
    chunks: (collection, options = {}) => chunks(collection, options),
    async count(collection, query = {}, guess = 0) {
      // The store has no count; reading keys only is the cheapest query.
      const keys = async (skip: number, limit: number) => {
        const { rows, isEnd } = await pageOf(collection, { query, fields: [], skip, limit });
        return { found: rows.length, isEnd };
      };
      // The parts of a long query have documents in common, so a guess saves nothing.
      if (partsOf(query).length > 1) return (await keys(0, 0)).found;
      let total = Math.max(0, guess - GUESS_WINDOW / 2);
      if (total > 0) {
        const { found, isEnd } = await keys(total, GUESS_WINDOW);
        // Nothing found: the guess was too high.
        total = found === 0 ? 0 : total + found;
        if (found > 0 && isEnd) return total;
      }
      for (;;) {
        const { found, isEnd } = await keys(total, 0);
        total += found;
        if (isEnd) return total;
      }
    },
    removeWhere,
    async status() {
      const reply = await client.call({ method: 'GET', endpoint: 'kvstore/status', token, namespace: 'services' });
      if (reply.status !== 200) throw unexpectedReply('a read of the KV store status', reply);
      return (objectOf(reply) as StatusFeed).entry?.[0]?.content?.current?.status ?? 'unknown';
    },
  };
}

const rowsOf = (size: number): number => Math.max(1, Math.min(MAX_CHUNK_ROWS, Math.floor(CHUNK_BYTES / size)));

interface StatusFeed {
  entry?: { content?: { current?: { status?: string } } }[];
}

const isEnd = (rows: number, bytes: number, limit: number): boolean =>
  rows === 0 || (rows < limit && bytes < NEVER_TRUNCATED_BYTES);

function findQuery(options: FindOptions): Record<string, string> {
  return {
    ...(options.query ? { query: JSON.stringify(options.query) } : {}),
    ...(options.fields ? { fields: ['_key', ...options.fields].join(',') } : {}),
    ...(options.sort ? { sort: options.sort } : {}),
    ...(options.skip ? { skip: String(options.skip) } : {}),
    limit: String(options.limit ?? 0),
  };
}

/** The store adds the owner to every document, always `nobody`. */
function withoutUser<D extends Doc>(doc: D & { _user?: string }): D {
  // Not present in projections, which then need no copy.
  if (doc._user === undefined) return doc;
  const { _user, ...fields } = doc;
  return fields as unknown as D;
}
