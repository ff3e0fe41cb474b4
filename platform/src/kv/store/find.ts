import { parseBoolean } from '../../confs/conf.ts';
import { PlatformError } from '../../http/reply.ts';
import { parseStored, withIdentity } from './document.ts';
import { indexPlan } from './indexPlan.ts';
import type { Json, JsonObject } from './json.ts';
import { compileQuery } from './query.ts';
import { comparator, type Projection, parseFields, parseSort, project } from './shape.ts';
import type { KvStore, Partition, Row } from './store.ts';

/** limits.conf [kvstore]. Larger results are truncated, not refused. */
const MAX_ROWS_PER_QUERY = 50_000;
const MAX_RESULT_BYTES = 50 * 1024 * 1024;

/** From a query string, or one element of a `batch_find` body. */
export interface FindSpec {
  query?: Json | undefined;
  fields?: Json | undefined;
  sort?: Json | undefined;
  limit?: Json | undefined;
  skip?: Json | undefined;
  shared?: Json | undefined;
}

/**
 * A validated search: a batch is validated before any of it runs. Yields documents as JSON to be joined by commas; one
 * text may hold several.
 */
export type Finder = (store: KvStore, at: Partition) => string[];

export function finder(spec: FindSpec): Finder {
  const query = compileQuery(spec.query);
  const sort = parseSort(spec.sort);
  const fields = parseFields(spec.fields);
  const skip = count(spec.skip, 'skip');
  const asked = count(spec.limit, 'limit');
  const limit = asked === 0 ? MAX_ROWS_PER_QUERY : Math.min(asked, MAX_ROWS_PER_QUERY);
  const shared = flag(spec.shared);
  const byKey = sort.length === 1 && sort[0]?.[0] === '_key' && sort[0][1] === 1;
  const isSorted = sort.length > 0 && !byKey;
  const paged = query.everything && !isSorted;

  return (store, partition) => {
    const plan = shared || query.keys ? undefined : indexPlan(query.query, sort, partition.accelerations ?? []);
    if (plan !== undefined && store.canIndex(partition, plan)) {
      const page = { limit, offset: skip };
      if (fields !== undefined && keysAlone(fields)) {
        // Sorting keys without need would cost more than reading them.
        const keys = store.indexedKeys(partition, sort.length > 0 ? plan : { ...plan, orderBy: undefined }, page);
        return keys === '' ? [] : [keys];
      }
      const columns = fields && fieldsOfIndex(fields, plan.acceleration);
      if (fields === undefined || columns === undefined) {
        return collect(store.indexed(partition, plan, page), 0, limit, (row) =>
          fields === undefined ? withIdentity(row.doc, row.user, row.key) : JSON.stringify(project(parse(row), fields)),
        );
      }
      return collect(store.indexedFields(partition, plan, columns, page), 0, limit, (row) => write(row, fields.key));
    }
    const users = shared && partition.user !== 'nobody' ? [partition.user, 'nobody'] : [partition.user];
    const rows = store.rows(partition, {
      users,
      ...(query.keys === undefined ? {} : { keys: query.keys }),
      ...(query.where === undefined ? {} : { where: query.where }),
      ...(byKey ? { byKey: { after: query.after } } : {}),
      ...(paged ? { limit, offset: skip } : {}),
    });
    const serialize = (doc: JsonObject): string => JSON.stringify(fields === undefined ? doc : project(doc, fields));
    if (paged) {
      return collect(rows, 0, limit, (row) =>
        fields === undefined ? withIdentity(row.doc, row.user, row.key) : serialize(parse(row)),
      );
    }
    if (!isSorted) {
      return collect(rows, skip, limit, (row) => {
        const doc = parse(row);
        return query.test(doc) ? () => serialize(doc) : undefined;
      });
    }
    const matching: JsonObject[] = [];
    for (const row of rows) {
      const doc = parse(row);
      if (query.test(doc)) matching.push(doc);
    }
    return collect(matching.sort(comparator(sort)), skip, limit, serialize);
  };
}

const keysAlone = ({ include, key }: Projection): boolean => key && include.length === 1 && include[0] === '_key';

/** The included fields if the index has all of them. */
function fieldsOfIndex({ include, exclude }: Projection, acceleration: readonly string[]): string[] | undefined {
  const fields = include.filter((name) => name !== '_key');
  if (include.length === 0 || exclude.length > 0) return undefined;
  return fields.every((name) => acceleration.includes(name)) ? fields : undefined;
}

/**
 * A missing field is NULL in the index, and a text that begins like an array is an array; both keep the index usable.
 */
function write({ _key, ...row }: Record<string, string | number | null>, withKey: boolean): string {
  const fields = Object.entries(row)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, typeof value === 'string' && value.startsWith('[') ? JSON.parse(value) : value]);
  return JSON.stringify(Object.fromEntries(withKey ? [...fields, ['_key', _key]] : fields));
}

/** Reads rows until enough match; `take` returns undefined for a row that does not. */
function collect<T>(
  rows: Iterable<T>,
  skip: number,
  limit: number,
  take: (row: T) => string | (() => string) | undefined,
): string[] {
  const texts: string[] = [];
  let toSkip = skip;
  let bytes = 0;
  for (const row of rows) {
    const taken = take(row);
    if (taken === undefined) continue;
    if (toSkip > 0) {
      toSkip -= 1;
      continue;
    }
    const text = typeof taken === 'string' ? taken : taken();
    bytes += text.length;
    if (bytes > MAX_RESULT_BYTES && texts.length > 0) break;
    texts.push(text);
    if (texts.length >= limit) break;
  }
  return texts;
}

function parse(row: Row): JsonObject {
  return parseStored(row.doc, row.user, row.key);
}

function count(value: Json | undefined, name: string): number {
  if (value === undefined || value === null || value === '') return 0;
  const number = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  throw new PlatformError(400, `Invalid ${name}: must be an integer not below 0.`);
}

function flag(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return false;
  const parsed = parseBoolean(String(value));
  if (parsed === undefined) throw new PlatformError(400, 'Invalid shared: must be true or false.');
  return parsed;
}
