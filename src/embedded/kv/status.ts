import type { Faults } from '../faults.ts';

export interface KvStatus {
  /** `ready` or not is what clients test; the other words of the platform are not confirmed. */
  status: 'ready' | 'starting';
  readOnly: boolean;
}

/** For `/services/kvstore/status` (`entry[0].content.current`) and `kvStoreStatus` of `server/info`. */
export function kvStatus(faults: Pick<Faults, 'get'>): KvStatus {
  const { mode } = faults.get('kvstore');
  return { status: mode === 'down' ? 'starting' : 'ready', readOnly: mode === 'read_only' };
}
