import { isDeepStrictEqual } from 'node:util';
import type { Doc, FindOptions, Query, RecordStore } from '../../ports/recordStore.ts';
import { type SplunkdCall, type SplunkdClient, unexpected } from './client.ts';

/** More than the platform answers in one query. */
const MAX_ROWS = 50_000;
/** A longer query goes as the body of a `batch_find`: request lines have a limit. */
const MAX_QUERY_CHARS = 4000;

/** Records in the platform's KV store: app namespace, owner `nobody`, with the system token. */
export function splunkdRecords(client: SplunkdClient, token: string): RecordStore {
  const call = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    more: Pick<SplunkdCall, 'query' | 'json' | 'repeatable' | 'assertInTime'> = {},
  ) => client.call({ method, endpoint: `storage/collections/data/${path}`, token, namespace: 'app', ...more });
  const at = (collection: string, key: string) => `${collection}/${encodeURIComponent(key)}`;

  const removeWhere = async (collection: string, query: Query): Promise<void> => {
    const reply = await call('DELETE', collection, { query: { query: JSON.stringify(query) } });
    if (reply.status !== 200) throw unexpected(`a removal from ${collection}`, reply);
  };

  const readRows = async (collection: string, query: Record<string, string>): Promise<unknown[]> => {
    const long = (query.query?.length ?? 0) > MAX_QUERY_CHARS;
    const reply = long
      ? await call('POST', `${collection}/batch_find`, { json: [{ ...query, query: JSON.parse(query.query ?? '{}') }] })
      : await call('GET', collection, { query });
    if (reply.status !== 200) throw unexpected(`a query of ${collection}`, reply);
    const rows = JSON.parse(reply.text);
    return long ? rows[0] : rows;
  };

  const readPage = async <D extends Doc>(collection: string, options: FindOptions): Promise<D[]> =>
    ((await readRows(collection, findQuery(options))) as (D & { _user?: string })[]).map(withoutUser);

  const get = async <D extends Doc>(collection: string, key: string): Promise<D | undefined> => {
    const reply = await call('GET', at(collection, key));
    if (reply.status === 404) return undefined;
    if (reply.status !== 200) throw unexpected(`a read of ${collection}`, reply);
    return withoutUser(JSON.parse(reply.text) as D & { _user?: string });
  };

  return {
    async insert(collection, doc) {
      const reply = await call('POST', collection, { json: doc, repeatable: true });
      // Asked twice: what stands there may be what the first call has put.
      if (reply.status === 409) return reply.repeated && isDeepStrictEqual(await get(collection, doc._key), plain(doc));
      if (reply.status !== 201 && reply.status !== 200) throw unexpected(`an insert into ${collection}`, reply);
      return true;
    },
    async replace(collection, doc, assertInTime) {
      // To write the same twice does no harm while it is still in time.
      const reply = await call('POST', at(collection, doc._key), { json: doc, repeatable: true, assertInTime });
      if (reply.status === 404) return false;
      if (reply.status !== 200 && reply.status !== 201) throw unexpected(`a write to ${collection}`, reply);
      return true;
    },
    async remove(collection, key, match) {
      if (match) return removeWhere(collection, { _key: key, ...match });
      const reply = await call('DELETE', at(collection, key));
      if (reply.status !== 200 && reply.status !== 404) throw unexpected(`a removal from ${collection}`, reply);
    },
    get,
    async find<D extends Doc>(collection: string, options: FindOptions = {}): Promise<D[]> {
      if (options.limit) return readPage<D>(collection, options);
      const all: D[] = [];
      for (;;) {
        const rows = await readPage<D>(collection, { ...options, skip: (options.skip ?? 0) + all.length });
        all.push(...rows);
        if (rows.length < MAX_ROWS) return all;
      }
    },
    async count(collection, query = {}) {
      let total = 0;
      for (;;) {
        // The store has no count: keys alone are the cheapest answer it can give, and an index has them.
        const page = findQuery({ query, fields: [], skip: total });
        const { length } = await readRows(collection, page);
        total += length;
        if (length < MAX_ROWS) return total;
      }
    },
    removeWhere,
    async status() {
      const reply = await client.call({ method: 'GET', endpoint: 'kvstore/status', token, namespace: 'services' });
      if (reply.status !== 200) return `unknown (${reply.status})`;
      const body = JSON.parse(reply.text) as { entry?: { content?: { current?: { status?: string } } }[] };
      return body.entry?.[0]?.content?.current?.status ?? 'unknown';
    },
  };
}

function findQuery(options: FindOptions): Record<string, string> {
  return {
    ...(options.query ? { query: JSON.stringify(options.query) } : {}),
    ...(options.fields ? { fields: ['_key', ...options.fields].join(',') } : {}),
    ...(options.sort ? { sort: options.sort } : {}),
    ...(options.skip ? { skip: String(options.skip) } : {}),
    limit: String(options.limit ?? 0),
  };
}

/** The store adds the owner to every document; it is `nobody` for all of ours. */
function withoutUser<D extends Doc>(doc: D & { _user?: string }): D {
  const { _user, ...rest } = doc;
  return rest as unknown as D;
}

/** As it comes back from the store: what is undefined is not there. */
const plain = (doc: Doc): unknown => JSON.parse(JSON.stringify(doc));
