import type { Doc, Query } from '../../../ports/stores/recordStore.ts';

/** Request lines are limited, so a longer query is divided. Published apps send more, so one that cannot be divided still fits. */
export const MAX_QUERY_CHARS = 4000;

const isShort = (query: Query): boolean => JSON.stringify(query).length <= MAX_QUERY_CHARS;

/**
 * Divides the longest `$or` of a query, at its top or in its `$and`, until each part is short. Together the parts match what the query
 * matches; a document can match several of them.
 */
export function partsOf(query: Query): Query[] {
  if (isShort(query)) return [query];
  const halves = divide(query);
  return halves ? halves.flatMap(partsOf) : [query];
}

function divide(query: Query): [Query, Query] | undefined {
  const options = query.$or as Query[] | undefined;
  const conditions = (query.$and ?? []) as Query[];
  const longest = Math.max(0, ...conditions.map((condition) => JSON.stringify(condition).length));
  if (options && options.length > 1 && JSON.stringify(options).length >= longest) {
    const middle = Math.ceil(options.length / 2);
    return [
      { ...query, $or: options.slice(0, middle) },
      { ...query, $or: options.slice(middle) },
    ];
  }
  const index = conditions.findIndex((condition) => JSON.stringify(condition).length === longest);
  const halves = conditions[index] && divide(conditions[index]);
  return halves && [withCondition(query, index, halves[0]), withCondition(query, index, halves[1])];
}

const withCondition = (query: Query, index: number, condition: Query): Query => ({
  ...query,
  $and: (query.$and as Query[]).with(index, condition),
});

interface SortKey {
  field: string;
  direction: 1 | -1;
}

/** @param sort `field:1` or `field:-1`, comma separated */
const sortKeysOf = (sort: string): SortKey[] =>
  sort.split(',').map((part) => {
    const [field = '', direction] = part.split(':');
    return { field, direction: direction === '-1' ? -1 : 1 };
  });

/** The fields that a sort reads. */
export const sortFieldsOf = (sort: string): string[] => sortKeysOf(sort).map(({ field }) => field);

/** Documents of several parts of a query in the order that the store gives one query, each document once. */
export function merged<D extends Doc>(pages: readonly (readonly D[])[], sort: string): D[] {
  const keys = [...sortKeysOf(sort), { field: '_key', direction: 1 as const }];
  const documents = new Map(pages.flat().map((document) => [document._key, document]));
  return [...documents.values()].sort((a, b) => {
    for (const { field, direction } of keys) {
      const order = compare((a as unknown as Query)[field], (b as unknown as Query)[field]);
      if (order !== 0) return order * direction;
    }
    return 0;
  });
}

const RANKS = ['undefined', 'number', 'string', 'object', 'boolean'];

/** As the store sorts: absent values first, then numbers, texts by their bytes, other values. */
function compare(a: unknown, b: unknown): number {
  const rank = (value: unknown) => RANKS.indexOf(value === null ? 'undefined' : typeof value);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return typeof a === 'number' || typeof a === 'boolean' ? Number(a) - Number(b) : 0;
}
