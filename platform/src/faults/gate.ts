import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionReset, PlatformError, type PlatformReply } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Faults } from './faults.ts';

const DOWN = {
  // splunkd's exact texts: clients search for them.
  kvstore: 'KV Store is initializing. Please try again later.',
  passwords: 'The password storage is not available. Please try again later.',
};
const READ_ONLY = {
  kvstore: 'KV Store is in read-only mode. Please try again later.',
  passwords: 'The password storage is in read-only mode. Please try again later.',
};

/** The answer where `disabled` of `server.conf [kvstore]` is true. */
const DISABLED = 'Unsupported Operation - KVStore disabled on instance';

export const KV_DOWN = DOWN.kvstore;

/** Applies the fault switch to one request. A read-only store answers writes with 503, like one that is down. */
export async function faultGate(
  faults: Pick<Faults, 'get'>,
  name: 'kvstore' | 'passwords',
  access: 'read' | 'write',
  req: Pick<PlatformRequest, 'signal'>,
  work: () => Promise<PlatformReply> | PlatformReply,
): Promise<PlatformReply> {
  const fault = faults.get(name);
  if (fault.mode === 'disabled') throw new PlatformError(500, DISABLED);
  if (fault.mode === 'down' || fault.mode === 'starting') throw new PlatformError(503, DOWN[name]);
  if (fault.mode === 'read_only' && access === 'write') throw new PlatformError(503, READ_ONLY[name]);
  if (fault.mode === 'slow') await delay(fault.ms, req.signal);
  const struck = 'percent' in fault && Math.random() * 100 < fault.percent;
  if (struck && fault.mode === 'reset') throw new ConnectionReset();
  if (!struck) return work();
  // The result stands; only the client does not get the reply.
  await (async () => work())().catch((error: unknown) => {
    if (!(error instanceof PlatformError)) throw error;
  });
  throw new ConnectionReset();
}

async function delay(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw new PlatformError(503, 'The client disconnected before the delayed reply.');
  }
}
