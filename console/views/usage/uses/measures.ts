import type { UsageKey } from '../../../../src/contract/families/usage.ts';
import { costWords, formatCount } from '../../../parts/text/format.ts';

/** Numbers of a row or a total of usage. */
export interface Sums {
  requests: number;
  failed: number;
  input_tokens: number;
  output_tokens: number;
  /** US dollars; absent if nothing had a price. */
  cost?: number | undefined;
  /** Uses of language models without a price. */
  unpriced: number;
}

export interface Measure {
  label: string;
  of(sums: Sums): number;
  format(value: number): string;
}

export const MEASURES = {
  requests: { label: 'Requests', of: ({ requests }) => requests, format: formatCount },
  failed: { label: 'Failures', of: ({ failed }) => failed, format: formatCount },
  tokens: {
    label: 'Tokens',
    of: ({ input_tokens, output_tokens }) => input_tokens + output_tokens,
    format: formatCount,
  },
  cost: { label: 'Cost', of: ({ cost }) => cost ?? 0, format: costWords },
} as const satisfies Record<string, Measure>;
export type MeasureName = keyof typeof MEASURES;

/** Key -> label, and what a use without it is called. */
export const GROUPS: Readonly<Record<UsageKey, readonly [one: string, many: string, none: string]>> = {
  model: ['Model', 'models', 'no model'],
  user: ['User', 'users', 'no user'],
  operation: ['Operation', 'operations', 'no operation'],
  provider: ['Provider', 'providers', 'no provider'],
  connection: ['Connection', 'connections', 'no connection'],
  alias: ['Alias', 'aliases', 'no alias'],
  agent: ['Agent', 'agents', 'no agent'],
  via: ['Way', 'ways', 'no way'],
};
