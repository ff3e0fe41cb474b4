import type { Caller } from '../../contract/caller.ts';
import type { UsageOperation } from '../../contract/families/usage.ts';
import { LIMIT_QUANTITIES, type LimitQuantity } from '../../contract/families/usageLimits.ts';
import type { LlmReference } from '../../contract/schemas/llmReference.ts';
import { fitsReference } from '../../domain/values/modelReference.ts';
import { windowAt } from '../usage/windows.ts';
import type { CounterId } from './counterDocs.ts';
import type { UsageLimit } from './usageLimit.ts';

/** Whose use it is; `roles` with imported ones. */
export type LimitedUser = Pick<Caller, 'user' | 'roles'>;

/** The target that is asked, and by which alias. */
export interface LimitedTarget {
  operation: UsageOperation;
  target: LlmReference;
  alias: string | undefined;
}

/** A limit that holds, for these amounts. */
export interface ApplicableLimit {
  limit: UsageLimit;
  most: Partial<Record<LimitQuantity, number>>;
}

/** The limits that hold a use. @param use undefined: any use of the user */
export function applicableLimits(
  limits: readonly UsageLimit[],
  who: LimitedUser,
  use?: LimitedTarget,
): ApplicableLimit[] {
  const fitting = limits.filter((limit) => limit.is_enabled && fitsUser(limit, who) && (!use || fitsUse(limit, use)));
  return competing(fitting).flatMap((group) => group.map((limit) => applicableOf(limit, group)).filter(holdsAnything));
}

/** The counter of a limit at a time. @param now milliseconds since the epoch */
export function counterAt({ limit_id, window, per }: UsageLimit, user: string, now: number): CounterId {
  return { limit: limit_id, window, ends: windowAt(window, now).ends, user: per === 'user' ? user : undefined };
}

const folded = (text: string): string => text.toLowerCase();
const hasFolded = (values: readonly string[], text: string): boolean =>
  values.some((value) => folded(value) === folded(text));

function fitsUser({ applies_to: { users, roles } }: UsageLimit, who: LimitedUser): boolean {
  return (!users || hasFolded(users, who.user)) && (!roles || who.roles.some((role) => hasFolded(roles, role)));
}

function fitsUse(
  { applies_to: { operations, models } }: UsageLimit,
  { operation, target, alias }: LimitedTarget,
): boolean {
  if (operations && !operations.includes(operation)) return false;
  if (!models) return true;
  return (
    models.includes('*') ||
    (alias !== undefined && hasFolded(models, alias)) ||
    models.some((reference) => fitsReference(target, reference))
  );
}

/** Limits that name roles and are equal in all else compete; each other limit stands alone. */
function competing(limits: readonly UsageLimit[]): UsageLimit[][] {
  const groups = new Map<string, UsageLimit[]>();
  for (const limit of limits) {
    const { users, roles, operations, models } = limit.applies_to;
    const equal = [[users, operations, models].map(setOf), limit.per, limit.window];
    const key = roles ? JSON.stringify(equal) : limit.limit_id;
    groups.set(key, [...(groups.get(key) ?? []), limit]);
  }
  return [...groups.values()];
}

/** Equal for lists that hold the same. */
const setOf = (values: readonly string[] | undefined): string[] =>
  values === undefined || values.includes('*') ? [] : [...new Set(values.map(folded))].sort();

/** The amounts of a limit that no competing limit exceeds; of equal ones those of the first. */
function applicableOf(limit: UsageLimit, group: readonly UsageLimit[]): ApplicableLimit {
  const most: ApplicableLimit['most'] = {};
  for (const quantity of LIMIT_QUANTITIES) {
    const values = group.map((member) => member[quantity] ?? -1);
    const best = Math.max(...values);
    if (best >= 0 && group[values.indexOf(best)] === limit) most[quantity] = best;
  }
  return { limit, most };
}

const holdsAnything = ({ most }: ApplicableLimit): boolean => Object.keys(most).length > 0;
