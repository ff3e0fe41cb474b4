import type { Reply } from '../../../../client/src/index.ts';
import { LIMIT_QUANTITIES, type LimitQuantity, NEARLY_USED } from '../../../../src/contract/families/usageLimits.ts';
import { StateBadge } from '../../../parts/text/Badge.tsx';
import { costWords, formatCount } from '../../../parts/text/format.ts';

export const QUANTITIES: Readonly<Record<LimitQuantity, string>> = {
  requests: 'Requests',
  tokens: 'Tokens',
  cost: 'Cost',
};

export const WINDOWS = { minute: 'minute', hour: 'hour', day: 'day (UTC)', month: 'month (UTC)' } as const;
export const SUBJECTS = { user: 'each user', all: 'all users together' } as const;
export const ACTIONS = { refuse: 'refuse more', warn: 'only warn' } as const;

export const amountWords = (quantity: LimitQuantity, amount: number | undefined): string => {
  if (amount === undefined) return '–';
  return quantity === 'cost' ? costWords(amount) : formatCount(amount);
};

type Amounts = { [K in LimitQuantity]?: number };

/** The quantities that a limit states. @param amounts of the limit, or what is left of them */
export const statedIn = (amounts: Amounts): LimitQuantity[] =>
  LIMIT_QUANTITIES.filter((quantity) => amounts[quantity] !== undefined);

/** The amounts that a limit states: `1,000 requests, $5.00` */
export function limitWords(limit: Amounts): string {
  const words = statedIn(limit).map(
    (quantity) => `${amountWords(quantity, limit[quantity])}${quantity === 'cost' ? '' : ` ${quantity}`}`,
  );
  return words.join(', ');
}

type Status = Pick<Reply<'getOwnUsageLimits'>['result'][number], 'used' | 'left'>;

/** How much of an amount is used, from 0; 1 and more is used up. */
export function shareOf(quantity: LimitQuantity, { used, left }: Status): number {
  const remaining = left[quantity] ?? 0;
  return remaining <= 0 ? 1 : used[quantity] / (used[quantity] + remaining);
}

/** The share of an amount as text. */
export function Share({ share }: { share: number }) {
  if (share >= 1) return <StateBadge tone="error">used up</StateBadge>;
  const words = `${Math.floor(share * 100)} % used`;
  if (share >= NEARLY_USED) return <StateBadge tone="warning">{`${words}, runs out soon`}</StateBadge>;
  return <StateBadge tone="success">{words}</StateBadge>;
}
