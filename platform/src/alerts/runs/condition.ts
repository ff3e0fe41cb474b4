import { PlatformError } from '../../http/reply.ts';
import { expandMacros } from '../../search/language/macros.ts';
import { applyStages } from '../../search/pipeline/pipeline.ts';
import { ArgumentError, parseSearch } from '../../search/pipeline/spl.ts';
import { type Batch, cellText } from '../../search/results/rows.ts';
import type { SavedSearch } from '../saved/savedSearch.ts';

/** A condition that cannot be judged; the alert does not trigger. */
export class ConditionError extends Error {}

/** Whether the results of a search meet its condition. @param previous the count of its last run, if there was one */
export function isMet({ keys }: SavedSearch, results: Batch, previous: number | undefined): boolean {
  const condition = keys.alert_condition?.trim() ?? '';
  if (condition !== '') return searchFinds(condition, results);
  const type = keys.counttype?.trim() ?? 'always';
  if (type === 'always') return true;
  const { relation = '', quantity = '' } = keys;
  const isShare = quantity.trim().endsWith('%');
  const bound = Number(quantity.trim().replace(/%$/, ''));
  const count = countOf(type, results);
  const change = (by: number) => previous !== undefined && by >= (isShare ? (bound * previous) / 100 : bound) && by > 0;
  switch (relation.trim()) {
    case 'greater than':
      return count > bound;
    case 'less than':
      return count < bound;
    case 'equal to':
      return count === bound;
    case 'not equal to':
      return count !== bound;
    case 'rises by':
      return change(count - (previous ?? 0));
    case 'drops by':
      return change((previous ?? 0) - count);
    default:
      throw new ConditionError(`Relation '${relation}' is unknown.`);
  }
}

/** The number that `counttype` names. */
export function countOf(type: string, { rows }: Batch): number {
  const field = /^number of (host|source)s$/.exec(type)?.[1];
  return field === undefined ? rows.length : new Set(rows.map((row) => cellText(row[field]))).size;
}

function searchFinds(condition: string, { columns, rows }: Batch): boolean {
  try {
    const text = expandMacros(condition, { find: () => undefined, evaluate: () => undefined });
    return applyStages(parseSearch(text), { columns, rows: [...rows] }).rows.length > 0;
  } catch (error) {
    if (error instanceof ArgumentError || error instanceof PlatformError)
      throw new ConditionError(`Cannot parse alert condition. ${error.message}`);
    throw error;
  }
}
