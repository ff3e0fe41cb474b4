import type { Pagination } from '../../contract/common.ts';
import { Filling, readKeys } from '../../domain/filling.ts';
import { type ListQueryValues, page, paginationOf } from '../../domain/lists.ts';
import type { Stores } from '../../domain/sealed.ts';
import type { Slim } from '../../domain/slimRows.ts';
import type { RecordStore } from '../../ports/recordStore.ts';
import { LLM_CONNECTIONS, type LlmConnection, llmConnectionKey, modelsOf } from './connection.ts';
import type { Marks } from './credentials.ts';
import { inOrder, type LlmRow, llmView, rowsOf } from './records.ts';
import type { LlmRecord } from './schemas.ts';

type ListStores = Pick<Stores, 'records' | 'clock' | 'rows'>;

export const FIELDS = ['service', 'connection_name', 'models'];
const SEARCHED = ['service', 'connection_name', 'model'] as const;

export interface LlmQuery extends ListQueryValues {
  service?: string;
  connection_name?: string;
}

/** A page of configurations. Of those that are not on it, only names and times are kept in memory. */
export async function llmPage(
  stores: ListStores,
  query: LlmQuery,
  marks: Marks,
): Promise<{ result: LlmRecord[]; pagination: Pagination }> {
  const { result: rows, pagination } = page(await allRows(stores, query), query, 'service', SEARCHED);
  const keys = [...new Set(rows.map(({ key }) => key))];
  const source = { records: stores.records, collection: LLM_CONNECTIONS };
  const { records: read, passed } = await readKeys<LlmConnection>(source, keys);
  const entries = new Map(read.flatMap((connection) => entriesOf(connection)));
  // The page ends before the first row that it has no room for; one that was deleted meanwhile is skipped.
  const beyond = new Set(keys.slice(passed));
  const filling = new Filling<LlmRecord>();
  let past = 0;
  for (const row of rows) {
    const found = entries.get(idOf(row.key, row.model));
    if (beyond.has(row.key) || (found && !filling.add(llmView(found.connection, found.entry, marks)))) break;
    past += 1;
  }
  const result = filling.records;
  const gone = past - result.length;
  return { result, pagination: paginationOf(query, pagination.total - gone, result.length) };
}

const idOf = (key: string, model: string): string => `${key}\n${model}`;
const entriesOf = (connection: LlmConnection) =>
  modelsOf(connection).map((entry) => [idOf(connection._key, entry.model), { connection, entry }] as const);

/** What is kept of a connection. */
export interface SlimLlm {
  connection: Pick<LlmConnection, '_key' | 'service'>;
  rows: LlmRow[];
  text: string;
}

export const SLIM_LLM: Slim<LlmConnection, SlimLlm> = {
  collection: LLM_CONNECTIONS,
  fields: FIELDS,
  shape: (connection) => ({
    connection: { _key: connection._key, service: connection.service },
    rows: inOrder(rowsOf(connection)),
    // With the end of the name, so that this is the order of all rows.
    text: `${connection.service}\n${connection.connection_name.toLowerCase()}\n`,
  }),
  compare: (a, b) => (a.text < b.text ? -1 : 1),
};

async function allRows(stores: ListStores, query: LlmQuery): Promise<LlmRow[]> {
  const { service, connection_name } = query;
  const isOne = service !== undefined && connection_name !== undefined;
  if (isOne || !stores.rows) return readRows(stores.records, query);
  const all = await stores.rows.of(stores, SLIM_LLM);
  const isMeant = ({ connection }: SlimLlm) =>
    (service === undefined || connection.service === service) &&
    (connection_name === undefined || isNamed(connection, connection_name));
  return all.filter(isMeant).flatMap(({ rows }) => rows);
}

async function readRows(records: RecordStore, { service, connection_name }: LlmQuery): Promise<LlmRow[]> {
  const named = service !== undefined && connection_name !== undefined;
  const where = named
    ? { _key: llmConnectionKey(service, connection_name) }
    : { ...(service === undefined ? {} : { service }) };
  const rows: LlmRow[] = [];
  for await (const chunk of records.chunks<LlmConnection>(LLM_CONNECTIONS, { query: where, fields: FIELDS })) {
    for (const connection of chunk) {
      if (connection_name !== undefined && !isNamed(connection, connection_name)) continue;
      rows.push(...rowsOf(connection));
    }
  }
  return inOrder(rows);
}

/** Connection names are compared without regard to case. */
const isNamed = ({ _key, service }: Pick<LlmConnection, '_key' | 'service'>, name: string): boolean =>
  _key === llmConnectionKey(service, name);
