import { jsonReply, rawJsonReply } from '../eai/replies.ts';
import { PlatformError, type PlatformReply } from '../http/reply.ts';
import { batchFind, batchSave } from './store/batch.ts';
import { parseStored, prepare, withIdentity } from './store/document.ts';
import type { TypeRules } from './store/fieldTypes.ts';
import { finder } from './store/find.ts';
import { indexPlan } from './store/indexPlan.ts';
import { parseBody } from './store/json.ts';
import { compileQuery } from './store/query.ts';
import type { KvStore, Partition } from './store/store.ts';
import type { KvVariants } from './variants.ts';

/** The platform's body for a missing document is not confirmed; clients should check only the status. */
const MISSING = 'Could not find object.';

/** One call to the store after access was checked; serializable, so that another member can run it. */
export interface KvCall {
  action: KvAction;
  at: Partition;
  rules: TypeRules;
  /** Arguments of form and query string, the form's first. */
  args: [string, string][];
  body: Buffer;
  /** The key in the URL, if any. */
  key: string;
}

export type KvAction = keyof typeof ACTIONS;

/** Runs calls in the local store, or sends them to the member that holds it. */
export interface KvBackend {
  run(call: KvCall): PlatformReply | Promise<PlatformReply>;
  /** Whether the store answers, regardless of the fault switch. */
  reachable(): boolean | Promise<boolean>;
}

export function localKv(store: KvStore, variants: KvVariants): KvBackend {
  return { run: (call) => runKv(store, variants, call), reachable: () => true };
}

export function runKv(store: KvStore, variants: KvVariants, call: KvCall): PlatformReply {
  return ACTIONS[call.action](store, call, variants);
}

export function isKvAction(name: string): name is KvAction {
  return Object.hasOwn(ACTIONS, name);
}

const ACTIONS = {
  find: (store: KvStore, call: KvCall) => {
    const find = finder({
      query: argument(call, 'query') || undefined,
      fields: argument(call, 'fields'),
      sort: argument(call, 'sort'),
      limit: argument(call, 'limit'),
      skip: argument(call, 'skip'),
      shared: argument(call, 'shared'),
    });
    return rawJsonReply(200, `[${find(store, call.at).join(',')}]`);
  },
  insert: (store: KvStore, { at, rules, body }: KvCall) => {
    const { key, doc } = prepare(parseBody(body, 'request'), rules);
    if (!store.insert(at, key, doc)) {
      throw new PlatformError(409, 'A document with the same key and user already exists.');
    }
    return jsonReply(201, { _key: key });
  },
  removeMatching,
  batchSave: (store: KvStore, { at, rules, body }: KvCall) => batchSave(store, at, rules, body),
  batchFind: (store: KvStore, { at, body }: KvCall, { batch }: KvVariants) => batchFind(store, at, body, batch),
  get: (store: KvStore, { at, key }: KvCall) => {
    const row = store.get(at, key);
    if (row === undefined) throw new PlatformError(404, MISSING);
    return rawJsonReply(200, withIdentity(row.doc, row.user, row.key));
  },
  replace: (store: KvStore, { at, rules, body, key }: KvCall, { replace }: KvVariants) => {
    const { doc } = prepare(parseBody(body, 'request'), rules, key);
    if (replace === 'insert') store.saveAll(at, [{ key, doc }]);
    else if (!store.replace(at, key, doc)) throw new PlatformError(404, MISSING);
    return jsonReply(200, { _key: key });
  },
  remove: (store: KvStore, { at, key }: KvCall) => {
    if (!store.remove(at, key)) throw new PlatformError(404, MISSING);
    return rawJsonReply(200, '{}');
  },
  /** Drops the collection's documents. */
  drop: (store: KvStore, { at }: KvCall) => {
    store.drop(at.app, at.collection);
    return rawJsonReply(200, '{}');
  },
};

function removeMatching(store: KvStore, call: KvCall): PlatformReply {
  const { at } = call;
  // An empty `query=` is refused: reading it as "everything" would make a client's mistake expensive.
  const text = argument(call, 'query');
  if (text === undefined) {
    store.removeAll(at);
    return rawJsonReply(200, '{}');
  }
  const query = compileQuery(text);
  const { keys, where } = query;
  const plan = keys === undefined ? indexPlan(query.query, [], at.accelerations ?? []) : undefined;
  if (plan !== undefined && store.canIndex(at, plan)) {
    store.removeIndexed(at, plan);
    return rawJsonReply(200, '{}');
  }
  const scan = {
    users: [at.user],
    ...(keys === undefined ? {} : { keys }),
    ...(where === undefined ? {} : { where }),
  };
  store.removeWhere(at, scan, (row) => query.test(parseStored(row.doc, row.user, row.key)));
  return rawJsonReply(200, '{}');
}

function argument({ args }: KvCall, name: string): string | undefined {
  return args.find(([key]) => key === name)?.[1];
}
