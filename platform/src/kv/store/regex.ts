import { createContext, Script } from 'node:vm';
import { PlatformError } from '../../http/reply.ts';
import { isObject, type Json } from './json.ts';

/** Time for one document. The store has one thread, and splunkd's expressions cannot backtrack without limit either. */
const MAX_MS = 200;

const surroundings = createContext({ work: undefined as unknown });
const script = new Script('work()');

const tooLong = (): Error => new PlatformError(400, 'The query is invalid: the expression of $regex takes too long.');

/** Runs work that evaluates regular expressions. @param refusal the error if it takes too long; by default that of a query */
export function inTime<T>(work: () => T, refusal: () => Error = tooLong): T {
  surroundings.work = work;
  try {
    return script.runInContext(surroundings, { timeout: MAX_MS }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw refusal();
  }
}

/** The query with options that its expressions begin with, as in `(?i)name`, in `$options`, where JavaScript needs them. */
export function withRegexOptions(value: Json): Json {
  if (Array.isArray(value)) return value.map(withRegexOptions);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, Json] => [name, withRegexOptions(inner)]);
  const query = Object.fromEntries(entries);
  const { $regex: expression, $options: options = '' } = query;
  if (typeof expression !== 'string' || typeof options !== 'string') return query;
  const [leading = '', flags = ''] = /^\(\?([ims]+)\)/.exec(expression) ?? [];
  return { ...query, $regex: expression.slice(leading.length), $options: [...new Set(options + flags)].join('') };
}

export function hasRegex(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasRegex);
  return isObject(value) && Object.entries(value).some(([name, inner]) => name === '$regex' || hasRegex(inner));
}
