import { randomInt } from 'node:crypto';
import { invalid } from '../../../contract/faults.ts';
import { MASK } from '../../../contract/mask.ts';
import { type GivenSecrets, splitSecrets } from '../../../domain/secrets.ts';
import type { Fields, OpenField } from '../engines/fields.ts';
import type { ConnectionInput } from '../schemas.ts';
import type { ConnectionOpen } from './records.ts';

export type Changes = Partial<Record<OpenField, string | null>>;

/** The body of a save, taken apart. */
export interface Sent {
  isEdit: boolean;
  /** What is unset is null. */
  changes: Changes;
  given: GivenSecrets;
}

/** @throws Fault `validation_failed` of `is_edit` alone */
export function readInput(input: ConnectionInput, names: readonly OpenField[], secretPaths: readonly string[]): Sent {
  const { open, given } = splitSecrets(input, secretPaths);
  const texts = open as Record<string, string | undefined>;
  const sent = names.filter((field) => texts[field] !== undefined);
  return {
    isEdit: editFlag(texts.is_edit),
    changes: Object.fromEntries(sent.map((field) => [field, blank(texts[field])])),
    given: Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value === MASK ? value : blank(value)]),
    ),
  };
}

/** Empty unsets. */
const blank = (value: string | null | undefined): string | null => value?.trim() || null;

/** Applies changes to fields; what is unset gets its default again. */
export function applied<T extends ConnectionOpen>(base: T, changes: Changes, defaults: Fields): T {
  const next: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(changes)) {
    const fallback = defaults[name as OpenField];
    if (value !== null) next[name] = value;
    else if (fallback !== undefined) next[name] = fallback;
    else delete next[name];
  }
  return next as T;
}

function editFlag(value: string | undefined): boolean {
  const text = value ?? 'false';
  if (/^(true|1)$/i.test(text)) return true;
  if (/^(false|0|)$/i.test(text)) return false;
  throw invalid([{ field: 'is_edit', message: "must be 'true' or 'false'" }]);
}

const TOKEN_LENGTH = 64;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function newToken(): string {
  return Array.from({ length: TOKEN_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
