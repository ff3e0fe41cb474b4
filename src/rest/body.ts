import { append, isObject, type Json } from '../contract/basics.ts';
import { Fault, invalid, type Problem } from '../contract/codes/faults.ts';
import { parentsOf } from '../contract/codes/problems.ts';
import { unknownFieldWarnings, withoutRepeats } from '../contract/codes/warnings.ts';
import { jsonNestsDeeperThan } from '../contract/depth.ts';
import { parseExact, withNumbers } from '../contract/exactJson.ts';
import type { Checks, CompiledRow, Plan, Validate } from '../contract/rows/compiled.ts';
import type { AnyHandler } from '../contract/rows/handlers.ts';
import { applyPlan, depthProblems, planBelow, TOO_DEEP } from './plan.ts';
import { type CallInput, header } from './request.ts';
import type { FileField, Upload } from './upload.ts';
import { illFormed, mayHaveLoneSurrogates } from './wellFormed.ts';

export interface RequestParts {
  params: Json;
  query: Json;
  body: unknown;
  /** Bytes of the file, for endpoints with a file. */
  file: Uint8Array | undefined;
  /** The body as it came, for endpoints that read it themselves. */
  rawBody: Uint8Array | undefined;
  /** Required version, from `If-Match`, `?version=` or `version`. */
  condition: number | undefined;
  warnings: string[];
}

interface CalledPath {
  row: CompiledRow;
  params: Json;
}

interface Checking {
  checks: Checks;
  handler: Pick<AnyHandler, 'rules'>;
}

/**
 * Validates a call without reading a record.
 * @param lookUp further checks that call the platform; must accept a body that fails the schema
 * @throws Fault `malformed_json`, `payload_too_large`, `validation_failed` with all problems; `not_found` for an id in the path
 */
export async function check(
  { row, params }: CalledPath,
  { checks, handler: { rules } }: Checking,
  request: CallInput,
  lookUp?: (body: unknown) => Promise<Problem[]>,
): Promise<RequestParts> {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  if ((request.body?.byteLength ?? 0) > row.maxBody) {
    throw new Fault('payload_too_large', `The body is larger than ${row.maxBody} bytes`, { limit: row.maxBody });
  }
  const upload = row.file ? await readUpload(row.file, request) : undefined;
  if (upload) append(problems, upload.problems);
  const json = upload?.fields ?? (row.bodyPlan === null ? {} : parse(request.body, row));
  const body = row.bodyPlan === null ? undefined : readBody(row, row.bodyPlan, json, warnings);
  const deep = row.bodyPlan === null || row.judgesDepth ? [] : depthProblems(body, row.bodyPlan);
  // The other checks may walk the values.
  if (deep.length > 0) throw invalid(deep);
  const ids: Problem[] = [];
  for (const problem of checks.params?.(params) ?? []) {
    (row.pathTypes.includes(problem.field) ? problems : ids).push(problem);
  }
  const query = readQuery(row, request, problems);
  if (checks.query) append(problems, checks.query(query));
  if (checks.body) append(problems, bodyProblems(row, checks.body, body));
  const broken = mayHaveLoneSurrogates(request.body) ? illFormed(body) : [];
  append(problems, newProblems(problems, broken));
  // Look-ups and rules may send texts of the body, so it must be well-formed.
  if (lookUp && broken.length === 0) append(problems, newProblems(problems, await lookUp(body)));
  const condition = row.conditional ? readCondition(request, body, problems) : undefined;
  if (problems.length > 0 && rules && broken.length === 0) {
    append(problems, await furtherProblems(problems, async () => rules(body as never, query as never)));
  }
  if (problems.length > 0) throw invalid(problems, warnings.length > 0 ? { warnings: withoutRepeats(warnings) } : {});
  if (ids.length > 0) throw noSuchRecord(ids);
  const rawBody = row.rawBody ? (request.body ?? new Uint8Array()) : undefined;
  return { params, query, body, file: upload?.file, rawBody, condition, warnings };
}

/** The validator knows no bigints, so what it finds in them counts only if it finds it in their numbers as well. */
export function bodyProblems(
  { exactIntegers }: Pick<CompiledRow, 'exactIntegers'>,
  validate: Validate,
  body: unknown,
): Problem[] {
  const problems = validate(body);
  if (problems.length === 0 || !exactIntegers) return problems;
  try {
    return validate(withNumbers(body));
  } catch (error) {
    // The body is nested too deeply for recursion.
    if (error instanceof RangeError) return problems;
    throw error;
  }
}

/** Problems that the handler's rules find in other fields of a body that fails the schema. */
async function furtherProblems(earlier: readonly Problem[], rules: () => Promise<unknown>): Promise<Problem[]> {
  try {
    await rules();
    return [];
  } catch (error) {
    // Rules expect a valid body: their other errors result from the invalid one.
    if (!(error instanceof Fault) || error.code !== 'validation_failed') return [];
    const later = (error.extra.errors ?? []) as Problem[];
    return newProblems(earlier, later);
  }
}

/** A text that cannot be a name or id is answered like an unknown one, after the body was checked. */
const noSuchRecord = (ids: readonly Problem[]): Fault =>
  new Fault(
    'not_found',
    `There is no such record: ${ids.map(({ field, message }) => `${field} ${message}`).join('; ')}`,
  );

/** Drops problems of fields that already have one. */
function newProblems(earlier: readonly Problem[], later: readonly Problem[]): Problem[] {
  const fields = new Set(earlier.map(({ field }) => field));
  return later.filter(({ field }) => ![field, ...parentsOf(field)].some((path) => fields.has(path)));
}

/** Loads the code for uploads on first use. */
async function readUpload(file: FileField, request: CallInput): Promise<Upload> {
  const { body } = request;
  if (!body || body.byteLength === 0) throw new Fault('malformed_json', 'The body is empty. Send a JSON object.');
  const { readJsonUpload, readMultipart } = await import('./upload.ts');
  const type = header(request, 'content-type') ?? '';
  return /^multipart\/form-data\b/i.test(type.trim())
    ? readMultipart(body, type.trim(), file)
    : readJsonUpload(body, file);
}

function readBody(row: CompiledRow, plan: Plan, json: Json, warnings: string[]): unknown {
  const inner = row.wrapped ? unwrapped(json, plan) : json;
  if (!isObject(inner)) throw new Fault('malformed_json', 'The body must have an object in payload');
  const unknown: string[] = [];
  const value = applyPlan(inner, plan, unknown);
  const ignored = unknown.filter((path) => !isReadOnly(row, path));
  if (!row.keepsUnknown) append(warnings, unknownFieldWarnings(ignored));
  return value;
}

/** Keys that some clients send next to `payload`. */
const OUTER_KEYS = ['is_edit', 'version'];

function unwrapped(json: Json, plan: Plan): unknown {
  if (!isObject(json.payload)) return json.payload;
  const keys = OUTER_KEYS.filter(
    (key) => Object.hasOwn(json, key) && plan !== true && plan.p && Object.hasOwn(plan.p, key),
  );
  return { ...Object.fromEntries(keys.map((key) => [key, json[key]])), ...json.payload };
}

/** Keys set by the server cause no warning, so that the reply of a GET can be sent back. */
function isReadOnly(row: CompiledRow, path: string): boolean {
  return ['config', 'updated_config'].some((record) => isDeclared(row.replyPlan, [record, ...path.split('.')]));
}

function isDeclared(reply: Plan, path: readonly string[]): boolean {
  let plan = reply;
  for (const key of path) {
    const below: Plan | undefined = plan === true ? undefined : planBelow(plan, key);
    if (below === undefined) return false;
    plan = below;
  }
  return true;
}

/** JSON.parse takes seconds and hundreds of megabytes for millions of levels. */
const MAX_PARSED_LEVELS = 500_000;

/** @throws Fault `validation_failed` for a body that is too deep to be parsed */
function assertParsable(text: string): void {
  // As many levels need as many characters.
  if (text.length < MAX_PARSED_LEVELS || !jsonNestsDeeperThan(text, MAX_PARSED_LEVELS)) return;
  throw invalid([{ field: '$body', message: TOO_DEEP }]);
}

/** Hides the parser's message, which quotes the text and may contain a secret. */
function parse(
  body: Uint8Array | undefined,
  { emptyBody, exactIntegers }: Pick<CompiledRow, 'emptyBody' | 'exactIntegers'>,
): Json {
  if (!body || body.byteLength === 0) {
    if (emptyBody) return {};
    throw new Fault('malformed_json', 'The body is empty. Send a JSON object.');
  }
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    assertParsable(text);
    value = exactIntegers ? parseExact(text) : JSON.parse(text);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('malformed_json', 'The body is not valid JSON in UTF-8');
  }
  if (!isObject(value)) throw new Fault('malformed_json', 'The body must be a JSON object');
  return value;
}

function readQuery(row: CompiledRow, request: CallInput, problems: Problem[]): Json {
  const query: Record<string, string> = {};
  for (const [key, value] of request.query) {
    // Skips the platform's parameters, such as output_mode.
    if (!row.queryNames.includes(key)) continue;
    if (Object.hasOwn(query, key)) problems.push({ field: key, message: 'is given more than once' });
    query[key] = value.trim();
  }
  return query;
}

const VERSION = /^\d{1,15}$/;

/** The version may also be in the query string, since some proxies drop the body and headers of a DELETE. */
function readCondition(request: CallInput, body: unknown, problems: Problem[]): number | undefined {
  const sources = [
    { name: 'the body', field: 'version', value: isObject(body) ? versionOf(body.version) : undefined },
    { name: 'the query string', field: 'version', value: versionInQuery(request, problems) },
    { name: 'the header', field: 'If-Match', value: versionInHeader(request, problems) },
  ].filter(({ value }) => value !== undefined);
  const [first, ...others] = sources;
  for (const { field, value, name } of others) {
    if (value === first?.value) continue;
    problems.push({ field, message: `in ${name} differs from the version in ${first?.name}` });
    break;
  }
  return sources.at(-1)?.value;
}

function versionInQuery({ query }: CallInput, problems: Problem[]): number | undefined {
  const values = query.filter(([key]) => key === 'version').map(([, value]) => value.trim());
  if (values.length > 1) problems.push({ field: 'version', message: 'is given more than once' });
  const [text] = values;
  if (text === undefined) return undefined;
  if (VERSION.test(text)) return Number(text);
  problems.push({ field: 'version', message: 'must be a version such as 3' });
  return undefined;
}

function versionInHeader(request: CallInput, problems: Problem[]): number | undefined {
  const text = header(request, 'if-match')?.trim();
  if (text === undefined || text === '*') return undefined;
  const plain = text.replace(/^"(.*)"$/, '$1');
  if (VERSION.test(plain)) return Number(plain);
  problems.push({ field: 'If-Match', message: 'must be a version such as 3 or "3"' });
  return undefined;
}

/** The container families send numbers as strings. */
function versionOf(value: unknown): number | undefined {
  if (typeof value === 'string' && VERSION.test(value)) return Number(value);
  return typeof value === 'number' ? value : undefined;
}
