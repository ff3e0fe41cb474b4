import { ADMIN_CAPABILITY, type Json } from '../contract/basics.ts';
import type { Caller } from '../contract/caller.ts';
import { passes } from '../contract/capabilities.ts';
import type { CompiledRow } from '../contract/rows/compiled.ts';
import type { UnreadableRecord } from '../contract/unreadable.ts';
import type { RequestScope } from './requestScope.ts';

/** Warnings for more records help nobody. */
const MAX_NAMED = 20;

const DELETIONS = new Set(['delete', 'stop']);

/** Names the records that a call left out, to a caller who may delete records of their family. */
export function leftOutWarnings(
  rows: readonly CompiledRow[],
  { capabilities }: Caller,
  leftOut: readonly UnreadableRecord[],
): string[] {
  const isAdmin = capabilities.includes(ADMIN_CAPABILITY);
  const mayWrite = ({ family }: UnreadableRecord) =>
    isAdmin ||
    rows.some(
      ({ audit, gate }) => audit?.family === family && DELETIONS.has(audit.action) && passes(gate, capabilities),
    );
  const deletable = leftOut.filter(mayWrite);
  const more = deletable.length - MAX_NAMED;
  return [
    ...deletable
      .slice(0, MAX_NAMED)
      .map(({ collection, key }) => `The unreadable record ${key} in ${collection} is left out. See GET /ml/health.`),
    ...(more > 0 ? [`${more} more unreadable records are left out.`] : []),
  ];
}

/**
 * Deletes the unreadable record that a deletion was to delete, for an administrator.
 * @param inputs parameters, query and body of the call, from which the reply is made
 * @returns undefined if this is another error, or the caller may not
 */
export async function deleteUnreadable(
  { family, audit, replyPlan }: CompiledRow,
  scope: RequestScope,
  { capabilities }: Caller,
  inputs: readonly Json[],
  thrown: unknown,
): Promise<object | undefined> {
  const record = scope.unreadable(thrown);
  if (!record || !audit || !DELETIONS.has(audit.action)) return undefined;
  if (record.family !== audit.family || !capabilities.includes(ADMIN_CAPABILITY)) return undefined;
  await scope.removeUnreadable(family, record);
  const input: Json = Object.assign({}, ...inputs.toReversed());
  const names = typeof replyPlan === 'object' ? Object.keys(replyPlan.p ?? {}) : [];
  const identity = names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]);
  return { message: 'The unreadable record was deleted', ...Object.fromEntries(identity) };
}
