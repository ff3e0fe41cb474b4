import { AUDIT, type AuditStored } from '../../domain/audit.ts';
import { entriesBy } from '../../domain/documentChanges.ts';
import { isIn, onlyFields, textsOf } from '../../domain/lists.ts';
import type { RowStores, Slim } from '../../domain/slimRows.ts';
import { timePart } from '../../domain/timeOrderedId.ts';
import type { Doc } from '../../ports/recordStore.ts';
import { FILTERS, SEARCHED } from './constants.ts';

/** What lists filter by. */
const KEPT = ['audit_id', ...FILTERS, 'name_key'] as const;
type Row = Pick<AuditStored, '_key' | (typeof KEPT)[number]>;

interface SlimEntry {
  row: Row;
  texts: readonly string[];
}

/** No work takes longer. What has not ended by then is not known to have ended, and stays so. */
const LONGEST_MS = 86_400_000;
/** More are not kept: a trail may have a hundred thousand, and more. */
const MOST = 40_000;

/** Written a second time when they have ended. */
const SLIM: Slim<AuditStored, SlimEntry> = {
  collection: AUDIT,
  fields: [...new Set([...KEPT, ...SEARCHED])],
  changes: {
    ...entriesBy('audit_id'),
    marks: ['audit_id', 'duration_ms'],
    isOpen: ({ audit_id, duration_ms }, nowMs) =>
      duration_ms === null && String(audit_id) >= timePart(nowMs - LONGEST_MS),
  },
  most: MOST,
  shape(entry) {
    return { row: onlyFields(entry, KEPT), texts: textsOf(entry, SEARCHED) };
  },
  compare: (a, b) => (a.row._key < b.row._key ? -1 : 1),
};

/** Which entries a list is about, beside its search: ids from one on, up to and without another. */
export interface Among {
  equal: Readonly<Record<string, string>>;
  from: string;
  upTo?: string | undefined;
  /** Whether an index finds them, and they are few beside the whole trail. */
  areSome: boolean;
}

/** What a search finds among what the process keeps of the trail, the oldest first; undefined where it keeps nothing. */
export async function foundEntries(
  stores: RowStores,
  { equal, from, upTo, areSome }: Among,
  search: string,
): Promise<Doc[] | undefined> {
  const all = await stores.rows?.ifKept(stores, SLIM, !areSome);
  if (!all) return undefined;
  const wanted = search.trim().toLowerCase();
  const asked = Object.entries(equal) as [keyof Row, string][];
  const found: Row[] = [];
  for (const { row, texts } of all) {
    // Not "<": a document without an id is no entry.
    if (!(row.audit_id >= from) || (upTo !== undefined && row.audit_id >= upTo)) continue;
    if (!asked.every(([field, value]) => row[field] === value)) continue;
    if (isIn(texts, wanted)) found.push(row);
  }
  return found;
}
