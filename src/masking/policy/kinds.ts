import { MASKED_KINDS, SECRET_KINDS } from '../../contract/families/masking.ts';

const SECRETS: ReadonlySet<string> = new Set(SECRET_KINDS);
const CHECKED: ReadonlySet<string> = new Set(['card', 'iban', 'us_ssn']);

export const isSecret = (kind: string): boolean => SECRETS.has(kind);

/** Place of a kind where spans overlap: the lower level wins, and the lower order of equal spans. */
interface Rank {
  level: number;
  order: number;
}

const OTHERS: Rank = { level: 2, order: MASKED_KINDS.length };
/** Secrets win over kinds with a checksum, and these over all others. */
const RANKS: ReadonlyMap<string, Rank> = new Map(
  MASKED_KINDS.map((kind, order) => [kind, { level: SECRETS.has(kind) ? 0 : CHECKED.has(kind) ? 1 : 2, order }]),
);

export const rankOf = (kind: string): Rank => RANKS.get(kind) ?? OTHERS;

const GROUPS: Readonly<Record<string, string>> = {
  ...{ ipv4: 'address', ipv6: 'address', email: 'mail', host: 'host', user: 'user', win_user: 'user' },
  ...Object.fromEntries([...SECRETS].map((kind) => [kind, 'secret'])),
};

/** Values of a group that are equal have one placeholder. */
export const groupOf = (kind: string): string => GROUPS[kind] ?? kind;

/** Shorter values are masked only where a rule finds them: they are parts of too many texts. */
export const LEAST_EVERYWHERE = 3;
