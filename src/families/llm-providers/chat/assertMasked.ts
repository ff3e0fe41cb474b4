import { stringifyWellFormed } from '../../../contract/exactJson.ts';
<<<<<<< HEAD:src/families/llm-providers/providers/assertMasked.ts
import { checkBody, type Outgoing } from '../../../masking/checkedBody.ts';
import { isObject, type Json } from '../chat/json.ts';
=======
import { checkBody, type Outgoing } from '../../../masking/outgoing.ts';
import { isObject, type Json } from './json.ts';
>>>>>>> w-llm:src/families/llm-providers/chat/assertMasked.ts

/** Texts that dialects write by themselves: users may be called like them. */
const PROTOCOL: ReadonlySet<string> = new Set([
  ...['user', 'assistant', 'system', 'developer', 'tool', 'model', 'function', 'text', 'image', 'image_url', 'file'],
  ...['document', 'base64', 'url', 'thinking', 'tool_use', 'tool_result', 'object', 'json', 'json_object'],
  ...[
    'json_schema',
    'success',
    'error',
    'auto',
    'any',
    'none',
    'required',
    'low',
    'medium',
    'high',
    'float',
    'default',
  ],
]);
const MODEL = ['model', 'model_id'];

/**
 * Called before each body is sent.
 * @throws MaskingFailure `residue`, if it holds a value that had to be masked
 */
export const assertMasked = (request: Outgoing<object>, body: Json | undefined): void =>
  checkBody(
    request,
    () => stringifyWellFormed(withoutBytes(body ?? {})),
    (path, text) => PROTOCOL.has(text) || (path.length <= 3 && MODEL.includes(String(path.at(-1)))),
  );

/** Images and signed content of the AWS SDK. */
function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return '';
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutBytes(inner)]));
}
