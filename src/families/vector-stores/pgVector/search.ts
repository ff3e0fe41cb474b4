import { isObject, type Json } from '../../../contract/basics.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { parseExact } from '../../../contract/exactJson.ts';
import { checkBody, type Outgoing } from '../../../masking/checkedBody.ts';
import type { Passage } from '../../../ports/cloud/passages.ts';
import type { SqlRow, SqlSession } from '../../../ports/knowledge/sqlServers.ts';
import { readFilter } from '../queries/filter.ts';
import { fuse } from '../queries/fuse.ts';
import type { VectorQuery } from '../queries/vectorQuery.ts';
import { conditionOf } from './conditions.ts';
import { Parameters } from './statement.ts';
import { assertLength, describeTable, type PgDetails, type Table, vectorText } from './table.ts';

/** Neighbours that an index looks at: more than are returned, and at most what pgvector takes. */
const LEAST_NEIGHBOURS = 100;
const MOST_NEIGHBOURS = 1000;

interface Row {
  id: string;
  passage: Passage;
}

/** Searches a table. @throws Fault `kb_not_found`, `not_supported`; OutboundError */
export async function searchTable(
  session: SqlSession,
  details: PgDetails,
  query: Outgoing<VectorQuery>,
): Promise<Passage[]> {
  const table = await describeTable(session, details);
  const { vector = new Float32Array(), count, searchType } = query;
  assertLength(table, details, vector);
  const near = await nearest(session, table, query, vector);
  if (searchType !== 'hybrid') return near.map(({ passage }) => passage);
  const lists = [near, await byWords(session, table, query)];
  return fuse(lists, ({ id }) => id)
    .slice(0, count)
    .map(({ item, score }) => ({ ...item.passage, score }));
}

async function nearest(session: SqlSession, table: Table, query: Outgoing<VectorQuery>, vector: Float32Array) {
  const { count, filter } = query;
  const parameters = new Parameters();
  const probe = `${parameters.add(vectorText(vector))}::${table.vectorType}`;
  const where = whereOf(table, filter, parameters);
  const distance = `${table.vector} ${table.distance} ${probe}`;
  const statement = `SELECT ${columnsOf(table)}, ${distance} AS distance FROM ${table.name}
WHERE ${table.vector} IS NOT NULL${where} ORDER BY ${distance} LIMIT ${count}`;
  check(query, parameters);
  await setUpIndex(session, table, count);
  let rows = await session.query(statement, parameters.values);
  if (table.isIndexed && filter && rows.length < count) {
    // An index gives up before it has found all rows that pass the filter.
    await session.query("SELECT set_config('enable_indexscan', 'off', false)");
    rows = await session.query(statement, parameters.values);
    await session.query("SELECT set_config('enable_indexscan', 'on', false)");
  }
  return rows.map((row) => foundIn(row, table.metric.score(Number(row.distance))));
}

async function setUpIndex(session: SqlSession, { isIndexed, scansOn }: Table, count: number): Promise<void> {
  if (!isIndexed) return;
  const neighbours = Math.min(MOST_NEIGHBOURS, Math.max(LEAST_NEIGHBOURS, count * 4));
  const values = [
    ['hnsw.ef_search', String(neighbours)],
    ...(scansOn ? [['hnsw.iterative_scan', 'strict_order']] : []),
  ];
  const calls = values.map((_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, false)`);
  await session.query(`SELECT ${calls.join(', ')}`, values.flat());
}

/** Passages with one of the words of the query, by the database's own rules for texts. */
async function byWords(session: SqlSession, table: Table, query: Outgoing<VectorQuery>): Promise<Row[]> {
  const parameters = new Parameters();
  const text = parameters.add(query.text);
  const where = whereOf(table, query.filter, parameters);
  const lexeme = `'''' || replace(replace(word, '\\', '\\\\'), '''', '''''') || ''''`;
  const words = `(SELECT string_agg(${lexeme}, ' | ') FROM unnest(tsvector_to_array(to_tsvector(${text}::text))) AS word)::tsquery`;
  const indexed = `to_tsvector(${table.text}::text)`;
  check(query, parameters);
  const rows = await session.query(
    `SELECT ${columnsOf(table)} FROM ${table.name}, (SELECT ${words} AS query) AS asked
WHERE ${indexed} @@ asked.query${where} ORDER BY ts_rank_cd(${indexed}, asked.query) DESC LIMIT ${query.count}`,
    parameters.values,
  );
  return rows.map((row) => foundIn(row, undefined));
}

const check = (query: Outgoing<VectorQuery>, { values }: Parameters): void =>
  checkBody(query, () => JSON.stringify(values.slice(0)));

const columnsOf = ({ id, text, metadata }: Table): string =>
  `${id}::text AS id, ${text}::text AS text, ${metadata ? `${metadata.column}::text` : 'NULL'} AS metadata`;

function whereOf({ metadata }: Table, filter: Json | undefined, parameters: Parameters): string {
  if (!filter) return '';
  const [operator = 'filter'] = Object.keys(filter);
  if (!metadata)
    throw new Fault('not_supported', `The store has no metadata_column, so it cannot answer the filter's ${operator}`);
  return ` AND ${conditionOf(readFilter(filter), `${metadata.column}::jsonb`, parameters)}`;
}

function foundIn({ id, text, metadata }: SqlRow, score: number | undefined): Row {
  const key = id ?? '';
  const facts = metadata ? parseExact(metadata) : {};
  const passage: Passage = {
    ...(id === null ? {} : { id: key }),
    text: text ?? '',
    ...(score !== undefined && Number.isFinite(score) && { score }),
    source: { type: 'pgvector', ...(id === null ? {} : { uri: key }) },
    metadata: isObject(facts) ? facts : {},
  };
  return { id: key, passage };
}
