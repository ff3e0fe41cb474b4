import type { AuditAction } from '../../contract/audit.ts';
import type { Query } from '../../ports/stores/recordStore.ts';
import { andQuery } from '../access/audience.ts';

/** Share of `max_entries` that entries of a quota may take besides all others. */
const QUOTAS = { refusal: 0.1, use: 0.3 } as const;
export type Quota = keyof typeof QUOTAS;

/** Share of a quota, and of the entries without one, that one bounded user may take. */
const USER_SHARE_OF_QUOTA = 1 / 3;
const USER_SHARE = 0.1;

const USES: readonly AuditAction[] = ['call', 'run', 'execute_tool', 'index'];

/** Calls, runs and other counted work have a quota; decisions about runs count as changes. Refusals are known when they end. */
export const quotaOf = (action: AuditAction): Quota | undefined => (USES.includes(action) ? 'use' : undefined);

/** Entries whose number is limited together. */
export interface EntryClass {
  query: Query;
  /** Share of `max_entries`. */
  share: number;
  /** Share of `max_entries` for one bounded user. */
  userShare: number;
}

const names = Object.keys(QUOTAS) as Quota[];

/** The first class is what was done; each quota is a further one. */
export const ENTRY_CLASSES: readonly EntryClass[] = [
  { query: andQuery(...names.map((quota) => ({ quota: { $ne: quota } }))), share: 1, userShare: USER_SHARE },
  ...names.map((quota) => ({
    query: { quota },
    share: QUOTAS[quota],
    userShare: QUOTAS[quota] * USER_SHARE_OF_QUOTA,
  })),
];
