import { jsonReply } from '../eai.ts';
import type { Route } from '../route.ts';
import { PlatformError, type PlatformReply, type PlatformRequest } from '../types.ts';
import { batchFind, batchSave } from './batch.ts';
import { type KvOptions, type Opened, openCollection } from './collections.ts';
import { parseStored, prepare, withIdentity } from './document.ts';
import { faultGate } from './faultGate.ts';
import { finder } from './find.ts';
import { indexPlan } from './indexPlan.ts';
import { parseJson } from './json.ts';
import { compileQuery } from './query.ts';

/** What the platform answers for a missing document is not confirmed: clients should look at the status only. */
const MISSING = 'Could not find object.';

type Handler = (opened: Opened, req: PlatformRequest, params: Record<string, string>) => PlatformReply;

/**
 * `/storage/collections/data/...`. Success is JSON whatever `output_mode` says; errors are thrown and take the form the
 * caller asked for (XML when it did not). The body is read as JSON whatever its Content-Type: both SDKs say
 * application/json, and what the platform does with another type is not confirmed.
 */
export function dataRoutes(options: KvOptions): Route[] {
  const { store, faults } = options;
  const root = '/storage/collections/data/{collection}';
  const route = (method: string, pattern: string, half: 'read' | 'write', handler: Handler): Route => ({
    method,
    pattern,
    handle: async (req, params) => {
      await faultGate(faults, 'kvstore', half, req);
      return handler(openCollection(options, req, params.collection ?? '', half), req, params);
    },
  });
  return [
    route('GET', root, 'read', ({ at }, req) => {
      const find = finder({
        query: req.arg('query') || undefined,
        fields: req.arg('fields'),
        sort: req.arg('sort'),
        limit: req.arg('limit'),
        skip: req.arg('skip'),
        shared: req.arg('shared'),
      });
      return json(200, `[${find(store, at).join(',')}]`);
    }),
    route('POST', root, 'write', ({ at, rules }, req) => {
      const { key, doc } = prepare(bodyJson(req), rules);
      if (!store.insert(at, key, doc)) {
        throw new PlatformError(409, 'A document with the same key and user already exists.');
      }
      return jsonReply(201, { _key: key });
    }),
    route('DELETE', root, 'write', ({ at }, req) => {
      // An empty `query=` is refused: taking it for "everything" would make a client's slip expensive.
      const text = req.arg('query');
      if (text === undefined) {
        store.removeAll(at);
        return json(200, '{}');
      }
      const query = compileQuery(text);
      const { keys, where } = query;
      const plan = keys === undefined ? indexPlan(query.query, [], at.accelerations ?? []) : undefined;
      if (plan !== undefined && store.canIndex(at)) {
        store.removeIndexed(at, plan);
        return json(200, '{}');
      }
      const scan = {
        users: [at.user],
        ...(keys === undefined ? {} : { keys }),
        ...(where === undefined ? {} : { where }),
      };
      store.removeWhere(at, scan, (row) => query.test(parseStored(row.doc, row.user, row.key)));
      return json(200, '{}');
    }),
    route('POST', `${root}/batch_save`, 'write', ({ at, rules }, req) => batchSave(store, at, rules, req.body)),
    route('POST', `${root}/batch_find`, 'read', ({ at }, req) => batchFind(store, at, req.body)),
    route('GET', `${root}/{key...}`, 'read', ({ at }, _req, { key = '' }) => {
      const row = store.get(at, key);
      if (row === undefined) throw new PlatformError(404, MISSING);
      return json(200, withIdentity(row.doc, row.user, row.key));
    }),
    route('POST', `${root}/{key...}`, 'write', ({ at, rules }, req, { key = '' }) => {
      const { doc } = prepare(bodyJson(req), rules, key);
      if (!store.replace(at, key, doc)) throw new PlatformError(404, MISSING);
      return jsonReply(200, { _key: key });
    }),
    route('DELETE', `${root}/{key...}`, 'write', ({ at }, _req, { key = '' }) => {
      if (!store.remove(at, key)) throw new PlatformError(404, MISSING);
      return json(200, '{}');
    }),
  ];
}

function bodyJson(req: PlatformRequest) {
  return parseJson(req.body.toString('utf8'), 'request');
}

/** The text is JSON already: documents go out as they are stored, without being parsed. */
function json(status: number, body: string): PlatformReply {
  return { status, headers: [['Content-Type', 'application/json; charset=UTF-8']], body };
}
