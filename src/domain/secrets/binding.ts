import { hostBinding, staysBound } from '../net/url.ts';
import { assertBound, type FieldOf, type SecretDecision } from './secrets.ts';

/** How a receiver proves who it is. */
export interface Trust {
  verify: boolean;
  /** The authorities that replace the usual ones, as text. */
  ca?: string | undefined;
}

/** What decides where a record's secrets go. */
export interface Binding<T> {
  /** Field -> address to which the record's secrets are sent. */
  addresses(record: T): Record<string, string | undefined>;
  /** Field -> how the receiver is verified. Looser verification, or other authorities, count as another receiver. */
  trust?(record: T): Record<string, Trust | undefined>;
  /** Whether the secret of a path goes to those addresses; all do unless this says otherwise. */
  travels?(path: string): boolean;
  /** The name of a secret's field in a message; by default its path with dots. */
  fieldOf?: FieldOf;
  /**
   * Field of `addresses` or `trust` -> paths of the secrets that go there. A field that is not named here is sent all of them.
   */
  receives?: Readonly<Record<string, readonly string[]>>;
}

/** Names of the fields by which a stored secret would now reach another receiver, or one that proves less. */
export function changedReceivers<T>(binding: Binding<T>, before: T, after: T): string[] {
  const addresses = changedFields(binding.addresses(before), binding.addresses(after), sameReceiver);
  const trust = changedFields(binding.trust?.(before) ?? {}, binding.trust?.(after) ?? {}, staysTrusted);
  return [...new Set([...addresses, ...trust])];
}

/**
 * Each receiver binds the secrets that are sent there, and no others.
 * @throws Fault `secret_required_for_new_host`
 */
export function assertStaysBound<T>(binding: Binding<T>, { keep }: SecretDecision, before: T, after: T): void {
  const { travels, receives, fieldOf } = binding;
  const changed = changedReceivers(binding, before, after);
  const goes = (path: string, field: string) => receives?.[field]?.includes(path) ?? travels?.(path) ?? true;
  const bound = keep.filter((path) => changed.some((field) => goes(path, field)));
  const reasons = changed.filter((field) => bound.some((path) => goes(path, field)));
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

/** Nobody who could not pose as the receiver before can do so now. Without authorities of its own the usual ones are asked. */
export function staysTrusted(before: Trust = { verify: true }, after: Trust = { verify: true }): boolean {
  if (!after.verify) return !before.verify;
  if (!before.verify || after.ca === undefined) return true;
  return before.ca !== undefined && plain(before.ca) === plain(after.ca);
}

const plain = (pem: string) => pem.replaceAll(/\s+/g, '');
