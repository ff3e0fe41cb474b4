import { isObject, type Json, MAX_JSON_LEVELS } from '../../../contract/basics.ts';
import { withNumbers } from '../../../contract/exactJson.ts';
import { nestsDeeperThan } from '../../../domain/values/json.ts';

/** Stands for an id that the library would refuse: an integer beyond 2^53. */
const OTHER_ID = 1;

/**
 * A client's message with the members that the library accepts: one that is null is absent. Arguments of a call are kept as they
 * came, with all digits.
 * @returns undefined for a message that is nested too deeply
 */
export function regularMessage({ id, params, ...members }: Json): Json | undefined {
  const { arguments: args, ...others } = isObject(params) ? params : {};
  if (nestsDeeperThan([members, isObject(params) ? others : params], MAX_JSON_LEVELS)) return undefined;
  const ids = id === undefined ? {} : { id: isOther(id) ? OTHER_ID : id };
  const message = { ...withoutNulls(members), ...ids };
  if (!isObject(params) && !isAbsent(params)) return { ...message, params };
  const regular = {
    ...DEFAULTS.get(members.method),
    ...withoutNulls(others),
    ...(isAbsent(args) ? {} : { arguments: args }),
  };
  return params || DEFAULTS.has(members.method) ? { ...message, params: regular } : message;
}

const isOther = (id: unknown): boolean => typeof id === 'bigint' || (Number.isInteger(id) && !Number.isSafeInteger(id));

/** The fault in the parameters of a request, in one sentence, where the library would only say that it is not a message. */
export function wrongParams({ id, method, params }: Json): string | undefined {
  const isRequest = typeof method === 'string' && ['string', 'number', 'bigint'].includes(typeof id);
  if (!isRequest || isAbsent(params)) return undefined;
  if (!isObject(params)) return wrong('params', 'object', params);
  const { _meta: meta } = params;
  if (isAbsent(meta)) return undefined;
  if (!isObject(meta)) return wrong('params._meta', 'object', meta);
  const { progressToken: token } = meta;
  const isToken = isAbsent(token) || ['string', 'number', 'bigint'].includes(typeof token);
  return isToken ? undefined : wrong('params._meta.progressToken', 'string or number', token);
}

const wrong = (path: string, expected: string, value: unknown): string =>
  `Invalid parameters: ${path}: expected ${expected}, received ${Array.isArray(value) ? 'array' : typeof value}`;

/** Parameters by method, so that the library names those that are missing. */
const DEFAULTS: ReadonlyMap<unknown, Json> = new Map([
  ['initialize', { capabilities: {} }],
  ['tools/call', {}],
]);

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

function withoutNulls(value: Json): Json {
  // No progress is told, so the token of one is not needed where the library would refuse it.
  const entries = Object.entries(value).filter(
    ([key, inner]) => !isAbsent(inner) && !(key === 'progressToken' && isOther(inner)),
  );
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, isObject(inner) ? withoutNulls(inner) : withNumbers(inner)]),
  );
}

const INVALID_PARAMS = -32602;
/** How the library begins the list of what its validator found. */
const DUMP = /^(?:Invalid \S+ request: )?(\[\s*\{.*\])$/s;

/** An answer of the library as the client gets it: with the client's id, and one sentence in place of a validator's list. */
export function regularAnswer(answer: Json, id: unknown): Json {
  const named = isOther(id) && answer.id === OTHER_ID ? { ...answer, id } : answer;
  const { error } = named;
  if (!isObject(error) || typeof error.message !== 'string') return named;
  const message = firstProblem(error.message);
  return message === undefined ? named : { ...named, error: { code: INVALID_PARAMS, message } };
}

function firstProblem(message: string): string | undefined {
  const dump = DUMP.exec(message)?.[1];
  if (dump === undefined) return undefined;
  try {
    const [issue] = JSON.parse(dump) as { path: string[]; message: string }[];
    const path = issue?.path ?? [];
    const what = issue?.message.replace(/^Invalid input(: )?/, '') || 'not valid';
    return `Invalid parameters: ${path.join('.') || 'params'}: ${what}`;
  } catch {
    return undefined;
  }
}
