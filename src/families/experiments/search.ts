import type { Caller } from '../../contract/caller.ts';
import type { Acl } from '../../contract/common.ts';
import { mayRead } from '../../domain/acl.ts';
import { isIn, onlyFields, textsOf } from '../../domain/lists.ts';
import { RecentMap } from '../../domain/recentMap.ts';
import type { RowStores, Slim } from '../../domain/slimRows.ts';
import { EXPERIMENT_SORTS, EXPERIMENTS } from './constants.ts';
import { type ExperimentStored, SEARCHED } from './records.ts';

/** What lists sort and filter by, and who may read. */
const KEPT = ['experiment_id', ...Object.values(EXPERIMENT_SORTS), 'acl'] as const;
type Row = Pick<ExperimentStored, '_key' | (typeof KEPT)[number]>;

interface SlimExperiment {
  row: Row;
  texts: readonly string[];
}

const SLIM: Slim<ExperimentStored, SlimExperiment> = {
  collection: EXPERIMENTS,
  fields: [...new Set([...KEPT, ...SEARCHED])],
  shape(record) {
    return { row: { ...onlyFields(record, KEPT), acl: shared(record.acl) }, texts: textsOf(record, SEARCHED) };
  },
  // Most lists are sorted so: to sort them again takes no time.
  compare: (a, b) => (orderOf(a) < orderOf(b) ? -1 : 1),
};
const orderOf = ({ row }: SlimExperiment): string => `${row.title_key}\0${row.experiment_id}`;

/** Thousands of records have few different access lists. */
const lists = new RecentMap<Acl>(500);
function shared(acl: Acl): Acl {
  const text = JSON.stringify(acl);
  const known = lists.get(text);
  if (!known) lists.set(text, acl);
  return known ?? acl;
}

/**
 * What a search finds among what the process keeps of all experiments, by title; undefined where it keeps nothing.
 * @param filter values that fields have
 */
export async function foundExperiments(
  stores: RowStores,
  caller: Caller,
  filter: Readonly<Record<string, string>>,
  search: string,
): Promise<Row[] | undefined> {
  const all = await stores.rows?.of(stores, SLIM);
  if (!all) return undefined;
  const wanted = search.trim().toLowerCase();
  const asked = Object.entries(filter) as [keyof Row, string][];
  // Of ten thousand records: one by one, and each access list once.
  const readable = new Map<Acl, boolean>();
  const found: Row[] = [];
  for (const { row, texts } of all) {
    if (!isIn(texts, wanted)) continue;
    const may = readable.get(row.acl) ?? mayRead(caller, row);
    readable.set(row.acl, may);
    if (may && asked.every(([field, value]) => row[field] === value)) found.push(row);
  }
  return found;
}
