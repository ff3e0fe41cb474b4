import { Fault } from '../../contract/codes/faults.ts';
import { STORE_REASONS, type StoreReason } from '../../contract/codes/reasons.ts';

/** How splunkd words the states of the KV store. */
const WORDS: readonly [RegExp, StoreReason][] = [
  [/kv ?store disabled on instance/i, 'kvstore_disabled'],
  [/kv ?store is initializing/i, 'kvstore_starting'],
  [/\b(read-only|maintenance) mode\b/i, 'read_only'],
];

/** @param text status line and body of a refusal */
export const stateOf = (text: string): StoreReason | undefined => WORDS.find(([words]) => words.test(text))?.[1];

/** `store_unavailable` with its reason. It may be tried again only if the state passes by itself. */
export function stateFault(
  reason: StoreReason,
  { cause, retry_after }: { cause?: unknown; retry_after?: number } = {},
): Fault {
  const { message, pause } = STORE_REASONS[reason];
  const repeat = pause === undefined ? { should_retry: false } : { retry_after: retry_after ?? pause };
  return new Fault('store_unavailable', message, { reason, ...repeat }, { cause });
}
