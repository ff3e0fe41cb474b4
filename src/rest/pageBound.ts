import { MAX_PAGE_BYTES } from '../contract/basics.ts';
import { stringifyExact } from '../contract/exactJson.ts';
import type { Plan } from '../contract/rows/compiled.ts';
import type { Pagination } from '../contract/schemas/common.ts';

/** Space for message, pagination and warnings. */
const ENVELOPE_BYTES = 64 * 1024;

/** Truncates a page that is too large after pruning and sets `next_offset`. */
export function limitPageSize(payload: Record<string, unknown>, plan: Plan): Record<string, unknown> {
  const { result } = payload;
  if (!Array.isArray(result) || plan === true || !plan.p?.pagination) return payload;
  const fits = countFitting(result, MAX_PAGE_BYTES - ENVELOPE_BYTES);
  if (fits === result.length) return payload;
  // A list without pagination gets one when it is too large.
  const unpaged = { offset: 0, count: 0, total: result.length };
  const { offset, count, total } = (payload.pagination as Pagination | undefined) ?? unpaged;
  const pagination: Pagination = { offset, count, total, returned: fits, has_more: true, next_offset: offset + fits };
  return { ...payload, result: result.slice(0, fits), pagination };
}

/** Number of items within the limit, at least one. */
function countFitting(items: readonly unknown[], limit: number): number {
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    bytes += Buffer.byteLength(stringifyExact(item) ?? '') + 1;
    if (bytes > limit && index > 0) return index;
  }
  return items.length;
}
