import type { Faults } from '../faults/faults.ts';
import type { KvBackend } from './calls.ts';

export interface KvStatus {
  /** Clients test for `ready`; splunkd's other values are not confirmed. */
  status: 'ready' | 'starting';
  readOnly: boolean;
}

/** For `/services/kvstore/status` (`entry[0].content.current`) and `kvStoreStatus` of `server/info`. */
export async function kvStatus(faults: Pick<Faults, 'get'>, kv: Pick<KvBackend, 'reachable'>): Promise<KvStatus> {
  const { mode } = faults.get('kvstore');
  const down = mode === 'down' || !(await kv.reachable());
  return { status: down ? 'starting' : 'ready', readOnly: mode === 'read_only' };
}
