import { Ajv, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { problemsOf } from '../../contract/codes/problems.ts';
import type { ResourceFamily } from '../../contract/families/resourceFamilies.ts';
import type { CompiledRow, Validate } from '../../contract/rows/compiled.ts';
import type { Endpoint } from '../../contract/rows/endpoint.ts';
import { checkable, type JsonSchema, messagesOf, planOf } from './schemas.ts';

const MEGABYTE = 1024 * 1024;

/** A row of `src/table.ts` with its family. */
export type TableRow = Endpoint & { family: string };

const OPTIONS = { allErrors: true, strict: false, ownProperties: true } as const;
/** Values in bodies are not coerced; query and path parameters are. */
export const bodyAjv = (code = false) =>
  // strictNumbers rejects Infinity, which JSON.parse makes of 1e999.
  new Ajv({ ...OPTIONS, strictNumbers: true, ...(code ? { code: { source: true, esm: true } } : {}) });
export const textAjv = (code = false) =>
  // Not strict: the text `Infinity` is coerced, and each number's own maximum rejects it.
  new Ajv({ ...OPTIONS, coerceTypes: true, ...(code ? { code: { source: true, esm: true } } : {}) });

/** Removes TypeBox's hidden markers. */
export const plain = (schema: TSchema): JsonSchema => JSON.parse(JSON.stringify(schema));

function segmentsOf(path: string): CompiledRow['segments'] {
  return path
    .replace(/^\/ml\//, '/')
    .split('/')
    .slice(1)
    .map((part) => {
      const match = /^\{(\w+)(\.\.\.)?\}$/.exec(part);
      if (!match?.[1]) return part;
      return match[2] ? { rest: match[1] } : { param: match[1] };
    });
}

/** The plain data of a row, which the build serializes. */
export function rowData(row: TableRow) {
  return {
    id: row.id,
    family: row.family,
    method: row.method,
    segments: segmentsOf(row.path),
    gate: row.gate,
    flag: row.flag ?? null,
    wrapped: row.wrapped ?? false,
    emptyBody: row.emptyBody ?? false,
    rawBody: row.rawBody ?? false,
    keepsUnknown: row.keepsUnknown ?? false,
    exactIntegers: row.exactIntegers ?? false,
    maxBody: row.maxBody ?? MEGABYTE,
    file: row.file ?? null,
    conditional: row.conditional ?? false,
    bare: row.bare ?? false,
    storeless: row.storeless ?? false,
    admitted: row.callsUpstream === 'always',
    acl: row.acl ? (makesRecord(row) ? ('new' as const) : ('stored' as const)) : null,
    limited: row.limited ?? false,
    audit: row.audit ? { family: row.family as ResourceFamily, ...row.audit } : null,
    queryNames: Object.keys(row.query?.properties ?? {}),
    bodyPlan: row.body && !row.rawBody ? planOf(plain(row.body)) : null,
    replyPlan: planOf(plain(row.reply)),
  };
}

/** Creating a record: there is no stored access list to keep. */
const makesRecord = ({ method, body, params }: TableRow): boolean =>
  method === 'POST' && params === undefined && body !== undefined && 'acl' in (plain(body).properties ?? {});

function validator(check: ValidateFunction, messages: Record<string, string>): Validate {
  return (value) => (check(value) ? [] : problemsOf(check.errors ?? [], messages));
}

/** Compiles the table in memory for tests and tools; the build precompiles it for the shipped driver. */
export function compileRows(rows: readonly TableRow[]): CompiledRow[] {
  const [bodies, texts] = [bodyAjv(), textAjv()];
  const make = (ajv: Ajv, schema: TSchema | undefined): Validate | null => {
    if (!schema) return null;
    const json = plain(schema);
    return validator(ajv.compile(checkable(json)), messagesOf(json));
  };
  return rows.map((row) => {
    const compile = () => ({
      params: make(texts, row.params),
      query: make(texts, row.query),
      body: make(bodies, row.rawBody ? undefined : row.body),
    });
    // Compile once: it takes longer than most tests.
    let checks: ReturnType<typeof compile> | undefined;
    return { ...rowData(row), checks: async () => (checks ??= compile()) };
  });
}
