import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults } from '../faults.ts';
import { PlatformError, type PlatformRequest } from '../types.ts';

const DOWN = {
  // Word for word what the platform says: clients look for it.
  kvstore: 'KV Store is initializing. Please try again later.',
  passwords: 'The password storage is not available. Please try again later.',
};
const READ_ONLY = {
  kvstore: 'KV Store is in read-only mode. Please try again later.',
  passwords: 'The password storage is in read-only mode. Please try again later.',
};

/** Applies the fault switch to one request. A read-only store answers writes with 503, as a store that is down does. */
export async function faultGate(
  faults: Pick<Faults, 'get'>,
  name: 'kvstore' | 'passwords',
  access: 'read' | 'write',
  req: Pick<PlatformRequest, 'signal'>,
): Promise<void> {
  const fault = faults.get(name);
  if (fault.mode === 'down') throw new PlatformError(503, DOWN[name]);
  if (fault.mode === 'read_only' && access === 'write') throw new PlatformError(503, READ_ONLY[name]);
  if (fault.mode !== 'slow') return;
  try {
    await sleep(fault.ms, undefined, { signal: req.signal });
  } catch {
    throw new PlatformError(503, 'The client went away before the delayed reply.');
  }
}
