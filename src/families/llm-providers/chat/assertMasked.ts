import { stringifyWellFormed } from '../../../contract/exactJson.ts';
import { checkBody, type Outgoing } from '../../../masking/checkedBody.ts';
import { isObject, type Json } from './json.ts';
import { isOwnText, withoutNotes } from './ownTexts.ts';

/**
 * Called before each body is sent.
 * @throws MaskingFailure `residue`, if it holds a value that had to be masked
 */
export const assertMasked = (request: Outgoing<object>, body: Json | undefined): void =>
  checkBody(request, () => stringifyWellFormed(withoutOwn(body ?? {})));

/** Leaves out images and signed content of the AWS SDK, and the app's own texts. */
function withoutOwn(value: unknown): unknown {
  if (value instanceof Uint8Array) return '';
  if (typeof value === 'string') return isOwnText(value) ? '' : withoutNotes(value);
  if (Array.isArray(value)) return value.map(withoutOwn);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutOwn(inner)]));
}
