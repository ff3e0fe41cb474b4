import { isObject, type Json } from '../../contract/basics.ts';
import { nestsDeeperThan } from '../../domain/values/json.ts';
import type { McpTool } from '../../ports/mcp/mcpClient.ts';
import { textOf } from './messages.ts';

/** Whether deeper schemas exhaust the stack where they are compared and written depends on how much of it is in use. */
const MAX_LEVELS = 500;
/** Other members of annotations are no part of the protocol. */
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/**
 * A listed tool with regular members. A member that is null is absent; one that is of another kind than the protocol says is
 * left out, or converted.
 * @returns why the tool cannot be used, if that is impossible
 */
export function readTool(raw: unknown): McpTool | string {
  if (!isObject(raw)) return 'it is not an object';
  const { name } = raw;
  if (typeof name !== 'string' || name === '') return 'it has no name';
  if (nestsDeeperThan(raw, MAX_LEVELS)) return 'its definition is nested too deeply';
  const input_schema = argumentsSchema(raw.inputSchema);
  if (!input_schema) return 'its input schema is not that of an object';
  const { description, outputSchema } = raw;
  const annotations = isObject(raw.annotations) ? hintsOf(raw.annotations) : undefined;
  const title = [raw.title, annotations?.title].find((value) => typeof value === 'string') as string | undefined;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description: description === null || description === undefined ? '' : textOf(description),
    input_schema,
    ...(isObject(outputSchema) && Object.keys(outputSchema).length > 0 ? { output_schema: outputSchema } : {}),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

/** Arguments are an object, so a schema without a type gets that one. */
function argumentsSchema(raw: unknown): Json | undefined {
  if (raw === null || raw === undefined || raw === true) return { type: 'object' };
  // PHP writes an empty object as an empty list.
  if (Array.isArray(raw) && raw.length === 0) return { type: 'object' };
  if (!isObject(raw)) return undefined;
  const { type, properties, required, ...keywords } = raw;
  const isForObjects =
    type === null || type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (!isForObjects) return undefined;
  const isList = Array.isArray(required) && required.every((name) => typeof name === 'string');
  return {
    type: 'object',
    ...(isObject(properties) ? { properties } : {}),
    ...(isList ? { required } : {}),
    ...keywords,
  };
}

const hintsOf = ({ title, ...raw }: Json): Json => ({
  ...(typeof title === 'string' ? { title } : {}),
  ...Object.fromEntries(HINTS.flatMap((hint) => (typeof raw[hint] === 'boolean' ? [[hint, raw[hint]]] : []))),
});
