import { stringifyWellFormed } from '../../../contract/exactJson.ts';
import { checkBody, type Outgoing } from '../../../masking/checkedBody.ts';
import { isObject, type Json } from './json.ts';

/**
 * Called before each body is sent.
 * @throws MaskingFailure `residue`, if it holds a value that had to be masked
 */
export const assertMasked = (request: Outgoing<object>, body: Json | undefined): void =>
  checkBody(request, () => stringifyWellFormed(withoutBytes(body ?? {})));

/** Images and signed content of the AWS SDK. */
function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return '';
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutBytes(inner)]));
}
