import { isObject, type Json } from '../../contract/basics.ts';

/** The object that a text holds as JSON; empty if it holds none. */
export function objectIn(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
