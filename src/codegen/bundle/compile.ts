import { Ajv, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { problemsOf } from '../../contract/codes/problems.ts';
import type { ResourceFamily } from '../../contract/families/resourceFamilies.ts';
import type { CompiledRow, Validate } from '../../contract/rows/compiled.ts';
import type { Endpoint } from '../../contract/rows/endpoint.ts';
import { checkable, type JsonSchema, messagesOf, planOf } from './schemas.ts';

const MEGABYTE = 1024 * 1024;

/** A row with its family, as `src/table.ts` gives it. */
export type TableRow = Endpoint & { family: string };

const OPTIONS = { allErrors: true, strict: false, ownProperties: true } as const;
/** Bodies keep their types; texts of a query or path are converted as their schema says. */
export const bodyAjv = (code = false) =>
  // strictNumbers: JSON's 1e999 is read as Infinity, which we do not accept as a number.
  new Ajv({ ...OPTIONS, strictNumbers: true, ...(code ? { code: { source: true, esm: true } } : {}) });
export const textAjv = (code = false) =>
  // Not strict: the text Infinity is converted, and it is the upper bound of each number that refuses it.
  new Ajv({ ...OPTIONS, coerceTypes: true, ...(code ? { code: { source: true, esm: true } } : {}) });

/** Schemas of TypeBox carry hidden markers; validators and documents want plain data. */
export const plain = (schema: TSchema): JsonSchema => JSON.parse(JSON.stringify(schema));

function segmentsOf(path: string): CompiledRow['segments'] {
  return path
    .split('/')
    .slice(2)
    .map((part) => {
      const match = /^\{(\w+)(\.\.\.)?\}$/.exec(part);
      if (!match?.[1]) return part;
      return match[2] ? { rest: match[1] } : { param: match[1] };
    });
}

/** All of a row that is plain data: the build writes it out, tests use it as it is. */
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
    keepsUnknown: row.keepsUnknown ?? false,
    maxBody: row.maxBody ?? MEGABYTE,
    file: row.file ?? null,
    conditional: row.conditional ?? false,
    bare: row.bare ?? false,
    storeless: row.storeless ?? false,
    acl: row.acl ? (makesRecord(row) ? ('new' as const) : ('stored' as const)) : null,
    audit: row.audit ? { family: row.family as ResourceFamily, ...row.audit } : null,
    queryNames: Object.keys(row.query?.properties ?? {}),
    bodyPlan: row.body ? planOf(plain(row.body)) : null,
    replyPlan: planOf(plain(row.reply)),
  };
}

/** A POST to the family itself that takes an access list: there is no stored one that it could leave as it is. */
const makesRecord = ({ method, body, params }: TableRow): boolean =>
  method === 'POST' && params === undefined && body !== undefined && 'acl' in (plain(body).properties ?? {});

function validator(check: ValidateFunction, messages: Record<string, string>): Validate {
  return (value) => (check(value) ? [] : problemsOf(check.errors ?? [], messages));
}

/** The table compiled in memory: what tests and tools use. The shipped driver has the same from the build. */
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
      body: make(bodies, row.body),
    });
    // Once a row: compiling takes longer than most tests of it.
    let checks: ReturnType<typeof compile> | undefined;
    return { ...rowData(row), checks: async () => (checks ??= compile()) };
  });
}
