import { isObject } from '../../contract/basics.ts';
import { MaskingFailure } from '../../masking/masking.ts';
import type { RequestContext } from '../context.ts';
import { type MaskingScope, maskingFailed } from './masker.ts';

/** Steps of a run and batches of a search agree in their placeholders, other uses those of one target. */
export function scopeOf({ run, sid }: RequestContext['origin'], target: string): MaskingScope {
  if (run) return ['run', run.id];
  return sid === undefined ? ['model', target] : ['search', sid];
}

/**
 * The work of a client that looks for values in the bodies that it sends.
 * @throws Fault `masking_failed` where a value is left
 */
export async function withBodyChecks<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof MaskingFailure ? maskingFailed(error) : error;
  }
}

/** Replaces the strings of a JSON value. Keys are names, and stay. */
export function withStrings<T>(value: T, replace: (text: string) => string): T;
export function withStrings(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => withStrings(item, replace));
  if (!isObject(value)) return value;
  // fromEntries defines keys: one called __proto__ is data.
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withStrings(item, replace)]));
}
