import { KV_DOWN } from '../faults/gate.ts';
import type { PlatformLog } from '../home/log.ts';
import { PlatformError, type PlatformReply } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { isKvAction, type KvBackend, type KvCall, runKv } from '../kv/calls.ts';
import type { KvStore, Partition } from '../kv/store/store.ts';
import type { KvVariants } from '../kv/variants.ts';
import { memberRoute } from './memberRoute.ts';
import { HOLDER, type Membership } from './membership.ts';
import { type PeerClient, PeerGone, type PeerReply } from './peerClient.ts';

/** Distinguishes a store's reply from that of another server on the port. */
const MARK = 'x-embedded-kv';
const UNKNOWN = 'The KV store stopped before it answered. The call may have been carried out.';

/** The store of a member that does not hold it: forwards calls to the holder. */
export class RemoteKv implements KvBackend {
  readonly #peers: PeerClient;
  readonly #log: PlatformLog;

  constructor(peers: PeerClient, log: PlatformLog) {
    this.#peers = peers;
    this.#log = log;
  }

  /** Not retried: the call may have been carried out. */
  async run(call: KvCall): Promise<PlatformReply> {
    const { status, headers, body } = await this.#send(encodeCall(call));
    const mark = headers[MARK];
    if (mark === 'refused') throw new PlatformError(status, body.toString());
    if (mark !== 'done') {
      this.#log.write('ERROR', 'KVStore', `the member that holds the store answered ${status}`);
      throw new PlatformError(503, KV_DOWN);
    }
    return { status, headers: [['Content-Type', String(headers['content-type'])]], body };
  }

  async reachable(): Promise<boolean> {
    const reply = await this.#peers.request(HOLDER, 'GET', '/kv', undefined, 2000).catch(() => undefined);
    return reply?.headers[MARK] === 'done';
  }

  async #send(packed: Buffer): Promise<PeerReply> {
    try {
      return await this.#peers.request(HOLDER, 'POST', '/kv', packed);
    } catch (error) {
      if (!(error instanceof PeerGone)) throw error;
      this.#log.write('WARN', 'KVStore', error.message);
      throw new PlatformError(503, error.wasSent ? UNKNOWN : KV_DOWN);
    }
  }
}

/** Serves the other members' calls. */
export function kvRelayRoute(members: Membership, store: KvStore, variants: KvVariants): Route {
  return memberRoute(members, ['GET', 'POST'], '/kv', (req) => {
    if (req.method === 'GET') return marked({ status: 200 }, 'done');
    try {
      return marked(runKv(store, variants, decodeCall(req.body)), 'done');
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      return marked({ status: error.status, body: error.message }, 'refused');
    }
  });
}

function marked(reply: PlatformReply, mark: 'done' | 'refused'): PlatformReply {
  return { ...reply, headers: [...(reply.headers ?? []), [MARK, mark]] };
}

/** A line of JSON, then the raw body. */
function encodeCall({ action, at, rules, args, body, key }: KvCall): Buffer {
  const types = [...rules.types];
  const head = JSON.stringify({ action, at, rules: { enforce: rules.enforce, types }, args, key });
  return Buffer.concat([Buffer.from(`${head}\n`), body]);
}

interface Head {
  action: string;
  at: Partition;
  rules: { enforce: boolean; types: [string, string][] };
  args: [string, string][];
  key: string;
}

function decodeCall(packed: Buffer): KvCall {
  const end = packed.indexOf(10);
  const { action, at, rules, args, key } = JSON.parse(packed.subarray(0, end).toString()) as Head;
  if (!isKvAction(action)) throw new PlatformError(400, `unknown call ${action}`);
  const typeRules = { enforce: rules.enforce, types: new Map(rules.types) };
  return { action, at, rules: typeRules, args, key, body: packed.subarray(end + 1) };
}
