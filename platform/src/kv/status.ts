import type { Faults } from '../faults/faults.ts';
import type { KvBackend } from './calls.ts';

/** Three of the documented `unknown`, `disabled`, `starting`, `ready`, `failed` and `shuttingdown`. */
export type KvStatus = 'ready' | 'starting' | 'disabled';

/** For `/services/kvstore/status` (`entry[0].content.current`) and `kvStoreStatus` of `server/info`. */
export async function kvStatus(faults: Pick<Faults, 'get'>, kv: Pick<KvBackend, 'reachable'>): Promise<KvStatus> {
  const { mode } = faults.get('kvstore');
  if (mode === 'disabled') return 'disabled';
  const isStarting = mode === 'down' || mode === 'starting' || !(await kv.reachable());
  return isStarting ? 'starting' : 'ready';
}
