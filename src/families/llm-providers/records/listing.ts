import { append } from '../../../contract/basics.ts';
import type { Provider } from '../../../contract/families/llmProviders.ts';
import type { Pagination } from '../../../contract/schemas/common.ts';
import { type ListQueryValues, paginate, paginationOf } from '../../../domain/lists/lists.ts';
import { PageBuffer, readByKeys } from '../../../domain/lists/pageBuffer.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import type { LlmRecord } from '../schemas.ts';
import { isSaved, LLM_CONNECTIONS, type LlmConnection, llmConnectionKey, modelsOf } from './connection.ts';
import { llmView } from './kind.ts';

export const FIELDS = ['service', 'connection_name', 'models'];
const SEARCHED = ['service', 'connection_name', 'model'] as const;

/** The fields that lists filter, search and sort by. */
interface LlmRow {
  service: Provider;
  connection_name: string;
  model: string;
  created_at: number;
  last_updated_at: number;
  /** The connection's key. */
  key: string;
  isSaved: boolean;
}

export interface LlmQuery extends ListQueryValues {
  service?: string;
  connection_name?: string;
}

/** A page of configurations. Only its connections are read completely. */
export async function llmPage(
  records: RecordStore,
  query: LlmQuery,
): Promise<{ result: LlmRecord[]; pagination: Pagination }> {
  const { result: rows, pagination } = paginate(await readRows(records, query), query, 'service', SEARCHED);
  const keys = [...new Set(rows.map(({ key }) => key))];
  const source = { records, collection: LLM_CONNECTIONS };
  const { records: read, consumed: passed } = await readByKeys<LlmConnection>(source, keys);
  const entries = new Map(read.flatMap((connection) => entriesOf(connection)));
  // The page ends before the first row that does not fit; deleted rows are skipped.
  const beyond = new Set(keys.slice(passed));
  const filling = new PageBuffer<LlmRecord>();
  let past = 0;
  for (const row of rows) {
    const match = entries.get(idOf(row.key, row.model));
    if (beyond.has(row.key) || (match && !filling.add(llmView(match.connection, match.entry)))) break;
    past += 1;
  }
  const result = filling.records;
  const gone = past - result.length;
  return { result, pagination: paginationOf(query, pagination.total - gone, result.length) };
}

const idOf = (key: string, model: string): string => `${key}\n${model}`;
const entriesOf = (connection: LlmConnection) =>
  modelsOf(connection).map((entry) => [idOf(connection._key, entry.model), { connection, entry }] as const);

async function readRows(records: RecordStore, { service, connection_name }: LlmQuery): Promise<LlmRow[]> {
  const named = service !== undefined && connection_name !== undefined;
  const where = named
    ? { _key: llmConnectionKey(service, connection_name) }
    : { ...(service === undefined ? {} : { service }) };
  const rows: LlmRow[] = [];
  for await (const chunk of records.chunks<LlmConnection>(LLM_CONNECTIONS, { query: where, fields: FIELDS })) {
    for (const connection of chunk) {
      if (connection_name !== undefined && !isNamed(connection, connection_name)) continue;
      append(rows, rowsOf(connection));
    }
  }
  return sorted(rows);
}

/** Connection names are compared without regard to case. */
const isNamed = ({ _key, service }: Pick<LlmConnection, '_key' | 'service'>, name: string): boolean =>
  _key === llmConnectionKey(service, name);

export function rowsOf(connection: Pick<LlmConnection, '_key' | 'service' | 'connection_name' | 'models'>): LlmRow[] {
  const { service, connection_name, _key: key } = connection;
  return modelsOf(connection).map(({ model, created_at, last_updated_at, ...flags }): LlmRow => {
    return { service, connection_name, model, created_at, last_updated_at, key, isSaved: isSaved(flags) };
  });
}

/** The order among rows with the same value of the list's sort key. */
function sorted(rows: readonly LlmRow[]): LlmRow[] {
  const text = (row: LlmRow) => [row.service, row.connection_name.toLowerCase(), row.model].join('\n');
  return rows
    .map((row) => ({ row, text: text(row) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row);
}
