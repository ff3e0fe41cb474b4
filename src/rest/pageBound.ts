import { MAX_PAGE_BYTES } from '../contract/basics.ts';
import type { Plan } from '../contract/rows/compiled.ts';
import type { Pagination } from '../contract/schemas/common.ts';

/** For the rest of the reply: message, pagination, warnings. */
const ENVELOPE_BYTES = 64 * 1024;

/**
 * Ends a page where it has become too large, and says where to continue. Families read no more than a page holds; this is
 * the one place that measures what is really shown.
 */
export function limitPageSize(payload: Record<string, unknown>, plan: Plan): Record<string, unknown> {
  const { result } = payload;
  if (!Array.isArray(result) || plan === true || !plan.p?.pagination) return payload;
  const fits = fitting(result, MAX_PAGE_BYTES - ENVELOPE_BYTES);
  if (fits === result.length) return payload;
  // A list that is shown without pages has to have them when it is too large for one.
  const whole = { offset: 0, count: 0, total: result.length };
  const { offset, count, total } = (payload.pagination as Pagination | undefined) ?? whole;
  const pagination: Pagination = { offset, count, total, returned: fits, has_more: true, next_offset: offset + fits };
  return { ...payload, result: result.slice(0, fits), pagination };
}

/** How many fit before the bound is reached; at least one. */
function fitting(items: readonly unknown[], most: number): number {
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(item) ?? '') + 1;
    if (bytes > most && index > 0) return index;
  }
  return items.length;
}
