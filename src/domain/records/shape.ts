import { isObject } from '../../contract/basics.ts';
import type { UnreadableRecord } from '../../contract/unreadable.ts';
import type { Sealed } from './sealedRecord.ts';

export type Check = (value: unknown) => boolean;

type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

/** A check for each required field of a stored document, and for optional ones that the code relies on. */
export type ShapeOf<T> = Record<Exclude<RequiredKeys<T>, '_key'>, Check> & { [K in keyof T]?: Check };

export type Shape = Readonly<Record<string, Check>>;

/** The documents of a collection. */
export interface CollectionShape {
  family: UnreadableRecord['family'];
  shape: Shape;
  /** Further checks for documents of a kind, by the field `kind`; documents of other kinds have none. */
  kinds?: Readonly<Record<string, Shape>>;
  /** Further checks, whose modules are loaded when the collection is first read. */
  more?: () => Promise<Shape>;
  /** The app can do without the document: an unreadable one counts as missing and is replaced by the next write. */
  replaceable?: true;
}

export const text: Check = (value) => typeof value === 'string';
export const number: Check = (value) => typeof value === 'number';
export const flag: Check = (value) => typeof value === 'boolean';
export const object: Check = isObject;

export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

export const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

export const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.some((one) => one === value);

export const arrayOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

export const recordOf =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check);

export const fields = <T>(shape: ShapeOf<T>): Check => {
  const checks = Object.entries<Check | undefined>(shape as Shape);
  return (value) => isObject(value) && checks.every(([name, check]) => check?.(value[name]));
};

/** JSON text of such a value. */
export const jsonOf =
  (check: Check): Check =>
  (value) => {
    if (typeof value !== 'string') return false;
    try {
      return check(JSON.parse(value));
    } catch {
      return false;
    }
  };

export const texts = arrayOf(text);

export const SEALED: ShapeOf<Sealed> = {
  version: number,
  created_at: number,
  created_by: text,
  last_updated_at: number,
  last_updated_by: text,
  secret_ref: nullable(text),
  secret_fields: texts,
};

export const ACL = fields<{ owner: string; sharing: string; perms: object }>({
  owner: text,
  sharing: oneOf('user', 'app', 'global'),
  perms: fields<{ read: string[]; write: string[] }>({ read: texts, write: texts }),
});

export const LAST_TEST = optional(
  fields<{ status: string; error_code: string | null; tested_at: number; response_time_ms: number }>({
    status: text,
    error_code: nullable(text),
    tested_at: number,
    response_time_ms: number,
  }),
);

/** @param read the fields that were read; undefined = all */
export function isReadable(shape: Shape, doc: object, read: readonly string[] | undefined): boolean {
  const values = doc as Readonly<Record<string, unknown>>;
  return Object.entries(shape).every(([name, check]) => (read && !read.includes(name)) || check(values[name]));
}
