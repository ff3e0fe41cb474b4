import { AUDIT, type AuditStored } from '../../domain/audit.ts';
import { textsOf } from '../../domain/lists.ts';
import { entriesBy, type RowStores, type Slim } from '../../domain/slimRows.ts';
import type { Doc } from '../../ports/recordStore.ts';
import { FILTERS, SEARCHED } from './constants.ts';

/** What lists filter by. */
const KEPT = ['audit_id', ...FILTERS, 'name_key'] as const;
type Row = Pick<AuditStored, '_key' | (typeof KEPT)[number]>;

interface SlimEntry {
  row: Row;
  texts: readonly string[];
}

/** Written a second time when they have ended, whenever that is. */
const SLIM: Slim<AuditStored, SlimEntry> = {
  collection: AUDIT,
  fields: [...new Set([...KEPT, ...SEARCHED])],
  changes: { ...entriesBy('audit_id'), marks: ['duration_ms'], isOpen: ({ duration_ms }) => duration_ms === null },
  shape(entry) {
    const row = Object.fromEntries(['_key' as const, ...KEPT].map((field) => [field, entry[field]]));
    return { row: row as unknown as Row, texts: textsOf(entry, SEARCHED) };
  },
  compare: (a, b) => (a.row.audit_id < b.row.audit_id ? -1 : 1),
};

/** Which entries a list is about, beside its search: ids from one on, up to and without another. */
export interface Among {
  equal: Readonly<Record<string, string>>;
  from: string;
  upTo?: string | undefined;
}

/** What a search finds among what the process keeps of the trail, the oldest first; undefined where it keeps nothing. */
export async function foundEntries(
  stores: RowStores,
  { equal, from, upTo }: Among,
  search: string,
): Promise<Doc[] | undefined> {
  const all = await stores.rows?.ifKept(stores, SLIM);
  if (!all) return undefined;
  const wanted = search.trim().toLowerCase();
  const asked = Object.entries(equal) as [keyof Row, string][];
  const found: Row[] = [];
  for (const { row, texts } of all) {
    if (row.audit_id < from || (upTo !== undefined && row.audit_id >= upTo)) continue;
    if (!asked.every(([field, value]) => row[field] === value)) continue;
    if (texts.some((text) => text.includes(wanted))) found.push(row);
  }
  return found;
}
