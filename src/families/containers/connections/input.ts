import { randomInt } from 'node:crypto';
import { invalid } from '../../../contract/codes/faults.ts';
import type { ConnectionInput } from '../schemas.ts';

/** Whether a save changes an existing connection. @throws Fault `validation_failed` */
export function isEdit({ is_edit }: Pick<ConnectionInput, 'is_edit'>): boolean {
  const text = is_edit ?? 'false';
  if (/^(true|1)$/i.test(text)) return true;
  if (/^(false|0|)$/i.test(text)) return false;
  throw invalid([{ field: 'is_edit', message: "must be 'true' or 'false'" }]);
}

const TOKEN_LENGTH = 64;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function newToken(): string {
  return Array.from({ length: TOKEN_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
