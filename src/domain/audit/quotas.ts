import type { Query } from '../../ports/stores/recordStore.ts';
import { andQuery } from '../access/audience.ts';

/** Share of `max_entries` that entries of a quota may take besides all others. */
const QUOTAS = { refusal: 0.1 } as const;
export type Quota = keyof typeof QUOTAS;

/** Entries whose number is limited together. */
export interface EntryClass {
  query: Query;
  share: number;
}

const names = Object.keys(QUOTAS) as Quota[];

/** The first class is what was done; each quota is a further one. */
export const ENTRY_CLASSES: readonly EntryClass[] = [
  { query: andQuery(...names.map((quota) => ({ quota: { $ne: quota } }))), share: 1 },
  ...names.map((quota) => ({ query: { quota }, share: QUOTAS[quota] })),
];
