import { Fault } from '../../../contract/codes/faults.ts';
import type { SqlSession } from '../../../ports/knowledge/sqlServers.ts';
import type { StoreStored } from '../definition.ts';
import { quoted, quotedTable } from './statement.ts';

export type PgDetails = Extract<StoreStored, { type: 'PGVECTOR' }>['details'];

/** Distances of pgvector: the operator, and how a score is made of a distance. */
const METRICS = {
  cosine: { operator: '<=>', score: (distance: number) => 1 - distance },
  l2: { operator: '<->', score: (distance: number) => 1 / (1 + distance) },
  ip: { operator: '<#>', score: (distance: number) => -distance },
} as const;

export type Metric = (typeof METRICS)[keyof typeof METRICS];

/** The columns that a store uses, as names and expressions of SQL. */
export interface Table {
  /** Quoted. */
  name: string;
  id: string;
  text: string;
  vector: string;
  /** Quoted name and type, if the store has one. */
  metadata: { column: string; type: string } | undefined;
  /** Quoted type of the vectors. */
  vectorType: string;
  /** Operator of the distance, with its schema. */
  distance: string;
  metric: Metric;
  /** Whether an index finds neighbours, which may miss some. */
  isIndexed: boolean;
  /** Length of the vectors; undefined where the column takes all lengths. */
  dimensions: number | undefined;
  /** Whether ids are texts. */
  hasTextIds: boolean;
  /** Whether scans of an index go on until enough rows pass the filter. */
  scansOn: boolean;
}

const COLUMNS = `
SELECT a.attname AS name, t.typname AS type, n.nspname AS schema, a.atttypmod AS modifier,
  (SELECT string_agg(o.opcname, ' ') FROM pg_index i JOIN pg_opclass o ON o.oid = i.indclass[0]
    WHERE i.indrelid = a.attrelid AND i.indkey[0] = a.attnum AND i.indisvalid) AS indexes,
  (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS version
FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped AND a.attname = ANY ($2::text[])`;

const VECTOR_TYPES = new Set(['vector', 'halfvec']);
const TEXT_TYPES = new Set(['text', 'varchar', 'bpchar', 'citext']);

/** Reads what the columns of a store are. @throws Fault `kb_not_found`, `configuration_invalid`; OutboundError */
export async function describeTable(session: SqlSession, details: PgDetails): Promise<Table> {
  const { table, id_column, text_column, vector_column, metadata_column } = details;
  const columns = [id_column, text_column, vector_column, ...(metadata_column ? [metadata_column] : [])];
  const name = quotedTable(table);
  const rows = await session.query(COLUMNS, [name, columns]);
  const columnOf = (column: string) => rows.find((row) => row.name === column);
  if (rows.length === 0) await assertTable(session, name, details);
  const missing = columns.filter((column) => !columnOf(column));
  if (missing.length > 0) {
    const names = missing.length === 1 ? `column ${missing[0]}` : `columns ${missing.join(', ')}`;
    throw new Fault('kb_not_found', `The table ${table} has no ${names}`);
  }
  const vector = columnOf(vector_column);
  const type = vector?.type ?? '';
  if (!VECTOR_TYPES.has(type)) throw unfit(`The column ${vector_column} of ${table} is of type ${type}, not vector`);
  const metadata = metadata_column ? columnOf(metadata_column) : undefined;
  if (metadata && metadata.type !== 'json' && metadata.type !== 'jsonb')
    throw unfit(`The column ${metadata_column} of ${table} is of type ${metadata.type}, not jsonb or json`);
  const schema = quoted(vector?.schema ?? '');
  const metric = metricOf(vector?.indexes ?? '');
  return {
    name,
    id: quoted(id_column),
    text: quoted(text_column),
    vector: quoted(vector_column),
    metadata: metadata && { column: quoted(metadata.name ?? ''), type: metadata.type ?? '' },
    vectorType: `${schema}.${quoted(type)}`,
    distance: `OPERATOR(${schema}.${metric.operator})`,
    metric,
    isIndexed: /_ops\b/.test(vector?.indexes ?? ''),
    dimensions: Number(vector?.modifier) > 0 ? Number(vector?.modifier) : undefined,
    hasTextIds: TEXT_TYPES.has(columnOf(id_column)?.type ?? ''),
    scansOn: isAtLeast(vector?.version ?? '', [0, 8]),
  };
}

async function assertTable(session: SqlSession, name: string, { table, database }: PgDetails): Promise<void> {
  const [row] = await session.query('SELECT to_regclass($1) AS found', [name]);
  if (!row?.found) throw new Fault('kb_not_found', `There is no table ${table} in the database ${database}`);
}

/** The metric of an index, since only its own operator uses it; without one, cosine. */
function metricOf(indexes: string): Metric {
  if (/_cosine_ops\b/.test(indexes)) return METRICS.cosine;
  if (/_l2_ops\b/.test(indexes)) return METRICS.l2;
  return /_ip_ops\b/.test(indexes) ? METRICS.ip : METRICS.cosine;
}

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, part] of least.entries()) {
    const own = parts[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}

const unfit = (message: string) => new Fault('configuration_invalid', message);

/** @throws Fault `configuration_invalid` */
export function assertLength({ dimensions }: Table, { vector_column, table }: PgDetails, vector: Float32Array): void {
  if (dimensions === undefined || dimensions === vector.length) return;
  const holds = `the column ${vector_column} of ${table} holds vectors of ${dimensions}`;
  throw unfit(`The embedding model makes vectors of ${vector.length} numbers, but ${holds}`);
}

/** A vector as pgvector reads it. */
export const vectorText = (vector: Float32Array): string => `[${vector.join(',')}]`;

/** Length by the column, or by one of its vectors where the column takes all lengths; undefined if there is none. */
export async function lengthOfVectors(session: SqlSession, table: Table): Promise<number | undefined> {
  const { name, vector, dimensions } = table;
  if (dimensions !== undefined) return dimensions;
  const [row] = await session.query(
    `SELECT cardinality(${vector}::real[]) AS length FROM ${name} WHERE ${vector} IS NOT NULL LIMIT 1`,
  );
  return row?.length ? Number(row.length) : undefined;
}
