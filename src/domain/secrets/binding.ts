import { isWithin } from '../net/certificates.ts';
import { hostBinding, staysBound } from '../net/url.ts';
import { assertBound, type FieldOf, type SecretDecision } from './secrets.ts';

/** How a server is verified. */
export interface Trust {
  verify: boolean;
  /** PEM of authorities that replace the default ones. */
  ca?: string | undefined;
}

/** Where a record's secrets are sent. */
export interface Binding<T> {
  /** Field -> address that gets the secrets. */
  addresses(record: T): Record<string, string | undefined>;
  /** Field -> verification. Weaker verification or other authorities count as another receiver. */
  trust?(record: T): Record<string, Trust | undefined>;
  /** Whether the secret at a path is sent to these addresses; default: all are. */
  travels?(path: string): boolean;
  /** Field name of a secret in messages; default: its dotted path. */
  fieldOf?: FieldOf;
  /** Field of `addresses` or `trust` -> paths of the secrets sent there; default: all. */
  receives?: Readonly<Record<string, readonly string[]>>;
}

/** Fields whose change would send a stored secret to another or a less verified receiver. */
export function changedReceivers<T>(binding: Binding<T>, before: T, after: T): string[] {
  const addresses = changedFields(binding.addresses(before), binding.addresses(after), sameReceiver);
  const trust = changedFields(binding.trust?.(before) ?? {}, binding.trust?.(after) ?? {}, staysTrusted);
  return [...new Set([...addresses, ...trust])];
}

/**
 * Checks that kept secrets are sent only to the receivers they were saved for.
 * @throws Fault `secret_required_for_new_host`
 */
export function assertStaysBound<T>(binding: Binding<T>, { keep }: SecretDecision, before: T, after: T): void {
  const { travels, receives, fieldOf } = binding;
  const changed = changedReceivers(binding, before, after);
  const isSentTo = (path: string, field: string) => receives?.[field]?.includes(path) ?? travels?.(path) ?? true;
  const bound = keep.filter((path) => changed.some((field) => isSentTo(path, field)));
  const reasons = changed.filter((field) => bound.some((path) => isSentTo(path, field)));
  assertBound(bound, reasons, fieldOf);
}

function changedFields<V>(
  before: Record<string, V | undefined>,
  after: Record<string, V | undefined>,
  isSame: (before: V | undefined, after: V | undefined) => boolean,
): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].filter((field) => !isSame(before[field], after[field]));
}

function sameReceiver(before: string | undefined, after: string | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  if (before === after) return true;
  try {
    return staysBound(hostBinding(before), hostBinding(after));
  } catch {
    return false;
  }
}

/** Whether verification is at least as strict as before. Without `ca` the default authorities apply. */
export function staysTrusted(before: Trust = { verify: true }, after: Trust = { verify: true }): boolean {
  if (!after.verify) return !before.verify;
  if (!before.verify || after.ca === undefined) return true;
  return before.ca !== undefined && isWithin(after.ca, before.ca);
}
