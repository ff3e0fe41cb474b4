import type { Faults } from '../faults/faults.ts';
import type { KvBackend } from './calls.ts';

export interface KvStatus {
  /** Three of the documented `unknown`, `disabled`, `starting`, `ready`, `failed` and `shuttingdown`. */
  status: 'ready' | 'starting' | 'disabled';
  readOnly: boolean;
}

/** For `/services/kvstore/status` (`entry[0].content.current`) and `kvStoreStatus` of `server/info`. */
export async function kvStatus(faults: Pick<Faults, 'get'>, kv: Pick<KvBackend, 'reachable'>): Promise<KvStatus> {
  const { mode } = faults.get('kvstore');
  if (mode === 'disabled') return { status: 'disabled', readOnly: false };
  const isStarting = mode === 'down' || mode === 'starting' || !(await kv.reachable());
  return { status: isStarting ? 'starting' : 'ready', readOnly: mode === 'read_only' };
}
