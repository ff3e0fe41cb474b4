import { isObject, type Json } from '../contract/basics.ts';
import { Fault, invalid, type Problem } from '../contract/codes/faults.ts';
import type { Checks, CompiledRow, Plan } from '../contract/rows/compiled.ts';
import type { AnyHandler } from '../contract/rows/handlers.ts';
import { applyPlan, planBelow } from './plan.ts';
import { type CallInput, header } from './request.ts';
import type { FileField, Upload } from './upload.ts';
import { illFormed, mayHoldHalves } from './wellFormed.ts';

export interface Checked {
  params: Json;
  query: Json;
  body: unknown;
  /** Only for rows with a file: its bytes. */
  file: Uint8Array | undefined;
  /** The version that `If-Match`, `?version=` or `version` of the body asks for. */
  condition: number | undefined;
  warnings: string[];
}

/** A call of a row, with the params of its path. */
interface CalledPath {
  row: CompiledRow;
  params: Json;
}

/** What a row checks a call with. */
interface Checking {
  checks: Checks;
  handler: Pick<AnyHandler, 'rules'>;
}

/**
 * Everything of a call that its row can check without looking at a record.
 * @param lookUp what only the platform knows about the body; it must take a body that the schema has refused
 * @throws Fault `malformed_json`, `payload_too_large`, `validation_failed` with every problem found
 */
export async function check(
  { row, params }: CalledPath,
  { checks, handler: { rules } }: Checking,
  request: CallInput,
  lookUp?: (body: unknown) => Promise<Problem[]>,
): Promise<Checked> {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  if ((request.body?.byteLength ?? 0) > row.maxBody) {
    throw new Fault('payload_too_large', `The body is larger than ${row.maxBody} bytes`, { limit: row.maxBody });
  }
  const upload = row.file ? await readUpload(row.file, request) : undefined;
  if (upload) problems.push(...upload.problems);
  const json = upload?.fields ?? (row.bodyPlan === null ? {} : parse(request.body, row.emptyBody));
  const body = row.bodyPlan === null ? undefined : readBody(row, row.bodyPlan, json, warnings);
  if (checks.params) problems.push(...checks.params(params));
  const query = readQuery(row, request, problems);
  if (checks.query) problems.push(...checks.query(query));
  if (checks.body) problems.push(...checks.body(body));
  const broken = mayHoldHalves(request.body) ? illFormed(body) : [];
  problems.push(...unnamed(problems, broken));
  // Roles are asked for by their names, and rules may send what they look at.
  if (lookUp && broken.length === 0) problems.push(...unnamed(problems, await lookUp(body)));
  const condition = row.conditional ? readCondition(request, body, problems) : undefined;
  if (problems.length > 0 && rules && broken.length === 0) {
    problems.push(...(await furtherProblems(problems, async () => rules(body as never, query as never))));
  }
  if (problems.length > 0) throw invalid(problems, warnings.length > 0 ? { warnings } : {});
  return { params, query, body, file: upload?.file, condition, warnings };
}

/** What the rules of the handler find in a body that the schema has refused already, about other fields. */
async function furtherProblems(known: readonly Problem[], rules: () => Promise<unknown>): Promise<Problem[]> {
  try {
    await rules();
    return [];
  } catch (error) {
    // Rules expect a body that has passed the schema: anything but their own finding is about that.
    if (!(error instanceof Fault) || error.code !== 'validation_failed') return [];
    const found = (error.extra.errors ?? []) as Problem[];
    return unnamed(known, found);
  }
}

/** Problems of fields about which nothing is known yet. */
function unnamed(known: readonly Problem[], found: readonly Problem[]): Problem[] {
  return found.filter(({ field }) => !known.some((one) => one.field === field || field.startsWith(`${one.field}.`)));
}

/** The code that reads uploads is loaded with the first of them. */
async function readUpload(file: FileField, request: CallInput): Promise<Upload> {
  const { body } = request;
  if (!body || body.byteLength === 0) throw new Fault('malformed_json', 'The body is empty; it must be a JSON object');
  const { readJsonUpload, readMultipart } = await import('./upload.ts');
  const type = header(request, 'content-type') ?? '';
  return /^multipart\/form-data\b/i.test(type.trim())
    ? readMultipart(body, type.trim(), file)
    : readJsonUpload(body, file);
}

function readBody(row: CompiledRow, plan: Plan, json: Json, warnings: string[]): unknown {
  const inner = row.wrapped ? unwrapped(json, plan) : json;
  if (!isObject(inner)) throw new Fault('malformed_json', 'The body must hold an object under the key payload');
  const unknown: string[] = [];
  const known = applyPlan(inner, plan, unknown);
  const named = unknown.filter((path) => !isReadOnly(row, path));
  if (!row.keepsUnknown) warnings.push(...named.slice(0, 100).map((path) => `Unknown field ignored: ${cut(path)}`));
  return known;
}

/** What some clients put beside the payload instead of inside it. */
const BESIDE = ['is_edit', 'version'];

function unwrapped(json: Json, plan: Plan): unknown {
  if (!isObject(json.payload)) return json.payload;
  const known = BESIDE.filter(
    (key) => Object.hasOwn(json, key) && plan !== true && plan.p && Object.hasOwn(plan.p, key),
  );
  return { ...Object.fromEntries(known.map((key) => [key, json[key]])), ...json.payload };
}

/** A key of the record that only the server writes: sending back the reply of a GET is not a reason for a warning. */
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

/** The parser's own message is never passed on: it quotes the text, which may hold a secret. */
function parse(body: Uint8Array | undefined, emptyBody: boolean): Json {
  if (!body || body.byteLength === 0) {
    if (emptyBody) return {};
    throw new Fault('malformed_json', 'The body is empty; it must be a JSON object');
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Fault('malformed_json', 'The body is not valid JSON in UTF-8');
  }
  if (!isObject(value)) throw new Fault('malformed_json', 'The body must be a JSON object');
  return value;
}

function readQuery(row: CompiledRow, request: CallInput, problems: Problem[]): Json {
  const query: Record<string, string> = {};
  for (const [key, value] of request.query) {
    // Only what the row knows: output_mode and the like are the platform's.
    if (!row.queryNames.includes(key)) continue;
    if (Object.hasOwn(query, key)) problems.push({ field: key, message: 'is given more than once' });
    query[key] = value.trim();
  }
  return query;
}

const VERSION = /^\d{1,15}$/;

/** A condition may be in the body, in the query string (proxies lose bodies and headers of a DELETE) and in a header. */
function readCondition(request: CallInput, body: unknown, problems: Problem[]): number | undefined {
  const places = [
    { place: 'the body', field: 'version', value: isObject(body) ? versionOf(body.version) : undefined },
    { place: 'the query string', field: 'version', value: versionInQuery(request, problems) },
    { place: 'the header', field: 'If-Match', value: versionInHeader(request, problems) },
  ].filter(({ value }) => value !== undefined);
  const [first, ...others] = places;
  for (const { field, value, place } of others) {
    if (value === first?.value) continue;
    problems.push({ field, message: `in ${place} differs from the version in ${first?.place}` });
    break;
  }
  return places.at(-1)?.value;
}

function versionInQuery({ query }: CallInput, problems: Problem[]): number | undefined {
  const given = query.filter(([key]) => key === 'version').map(([, value]) => value.trim());
  if (given.length > 1) problems.push({ field: 'version', message: 'is given more than once' });
  const [text] = given;
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

/** The container families send numbers as texts. */
function versionOf(value: unknown): number | undefined {
  if (typeof value === 'string' && VERSION.test(value)) return Number(value);
  return typeof value === 'number' ? value : undefined;
}

const cut = (text: string) => (text.length > 120 ? `${text.slice(0, 120)}…` : text);
