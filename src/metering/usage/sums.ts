import { USAGE_KEYS, type UsageKey } from '../../contract/families/usage.ts';
import { roundDollars, roundTenths } from '../../domain/values/numbers.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';
import type { UseRecord } from './useRecord.ts';

export const USAGE = 'ml_usage';

/** Amounts that are summed. */
export interface UsageSums {
  requests: number;
  failed: number;
  input_tokens: number;
  output_tokens: number;
  /** US dollars of the uses with a price; absent if none has one. */
  cost?: number;
  /** Chats and embeddings without a price. */
  unpriced: number;
  /** Places that were masked; rows of earlier versions have no count. */
  masked?: number;
  upstream_ms: number;
  overhead_ms: number;
}

export type UsageRow = Readonly<Record<UsageKey, string>> & UsageSums;

/** Sums of a time, with one row for each combination of keys. */
export interface UsageDoc extends Doc {
  /** `process`: of one process and hour. The others are folded. */
  kind: 'process' | 'hour' | 'day';
  /** Epoch seconds, like `to`, which is exclusive. */
  from: number;
  to: number;
  /** The member of the cluster that wrote it. */
  member: string;
  /** Keys of the documents whose sums it contains. */
  sources: string[];
  /** `UsageRow[]` as JSON, since the store restricts field names. */
  rows: string;
  /** The users of the rows, so that the store finds those of one user. */
  users?: string[];
  /** Documents of earlier versions do not name their users. */
  has_users?: true;
}

/** The rows as a document holds them. */
export const storedRows = (rows: readonly UsageRow[]): Pick<UsageDoc, 'rows' | 'users' | 'has_users'> => ({
  rows: JSON.stringify(rows),
  users: [...new Set(rows.map(({ user }) => user))],
  has_users: true,
});

export const HOUR_S = 3600;
export const DAY_S = 86_400;

const UNPRICED_OPERATIONS = ['chat', 'embeddings'];

/** A use as a row. */
export function rowOf(use: UseRecord): UsageRow {
  const { user, operation, provider, connection, model, alias = '', agent = '', via } = use;
  const { cost, input_tokens = 0, output_tokens = 0, upstream_ms, overhead_ms, outcome } = use;
  return {
    ...{ user, operation, provider, connection, model, alias, agent, via },
    requests: 1,
    failed: outcome === 'fail' ? 1 : 0,
    input_tokens,
    output_tokens,
    ...(cost === undefined ? {} : { cost }),
    unpriced: cost === undefined && UNPRICED_OPERATIONS.includes(operation) ? 1 : 0,
    masked: Object.values(use.masked ?? {}).reduce((sum, count) => sum + count, 0),
    upstream_ms,
    overhead_ms,
  };
}

export const NOTHING: UsageSums = {
  requests: 0,
  failed: 0,
  input_tokens: 0,
  output_tokens: 0,
  unpriced: 0,
  masked: 0,
  upstream_ms: 0,
  overhead_ms: 0,
};

export function sumOf(a: UsageSums, b: UsageSums): UsageSums {
  const cost =
    a.cost === undefined && b.cost === undefined ? {} : { cost: roundDollars((a.cost ?? 0) + (b.cost ?? 0)) };
  return {
    requests: a.requests + b.requests,
    failed: a.failed + b.failed,
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    ...cost,
    unpriced: a.unpriced + b.unpriced,
    masked: (a.masked ?? 0) + (b.masked ?? 0),
    upstream_ms: roundTenths(a.upstream_ms + b.upstream_ms),
    overhead_ms: roundTenths(a.overhead_ms + b.overhead_ms),
  };
}

/** Adds rows to those of the same keys. */
export class RowSums {
  readonly #rows = new Map<string, UsageRow>();

  add(row: UsageRow): void {
    const key = JSON.stringify(USAGE_KEYS.map((name) => row[name]));
    const before = this.#rows.get(key);
    this.#rows.set(key, before ? { ...before, ...sumOf(before, row) } : row);
  }

  get size(): number {
    return this.#rows.size;
  }

  get rows(): UsageRow[] {
    return [...this.#rows.values()];
  }
}

/** Adds the names of the documents that these contain to `names`. */
export function addSources(names: Set<string>, docs: readonly { sources: readonly string[] }[]): void {
  for (const { sources } of docs) for (const name of sources) names.add(name);
}

export const parseRows = ({ rows }: Pick<UsageDoc, 'rows'>): UsageRow[] => JSON.parse(rows) as UsageRow[];

/** The documents that no other one contains. A document that was folded may still be there after a crash. */
export function withoutFolded<D extends Doc & { sources?: readonly string[] }>(docs: readonly D[]): D[] {
  const folded = new Set(docs.flatMap(({ sources = [] }) => sources));
  return docs.filter(({ _key }) => !folded.has(_key));
}
