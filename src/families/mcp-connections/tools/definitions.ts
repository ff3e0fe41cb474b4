import { createHash } from 'node:crypto';
import type { Json } from '../../../contract/basics.ts';
import { stringifyExact, withNumbers } from '../../../contract/exactJson.ts';
import { containsSecret, withoutSecrets } from '../../../domain/net/redact.ts';
import { sortKeysDeep, withoutUndefined } from '../../../domain/values/json.ts';
import { MAX_SHOWN_NAME } from '../../../domain/values/texts.ts';
import type { McpTool } from '../../../ports/mcp/mcpClient.ts';
import type { AcceptedTool } from '../records.ts';
import { withSortedSets } from './schemaSets.ts';

/** The part of a tool that a model reads, besides its name. */
export interface Definition {
  description: string;
  input_schema?: Record<string, unknown>;
  output_schema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

/** Why a tool is not accepted without a person's decision; one that is too large never is. */
export type ToolFlag = 'hidden_characters' | 'too_large';

/** Size limit of an accepted definition as JSON, with name and title. */
export const MAX_DEFINITION_BYTES = 65_536;

/**
 * Characters that are not displayed: zero-width characters, bidirectional controls, tags and the like. One variation selector
 * that chooses between text and emoji is common in honest text.
 */
const HIDDEN = /(?![\uFE0E\uFE0F](?![\uFE00-\uFE0F]))\p{Default_Ignorable_Code_Point}/u;

/** A listed tool with the values that acceptance compares. */
export interface ExaminedTool {
  tool: McpTool;
  fingerprint: string;
  flags: ToolFlag[];
}

function definitionOf({ description, input_schema, output_schema, annotations }: McpTool): Definition {
  return withoutUndefined({ description, input_schema, output_schema, annotations }) as Definition;
}

/** Hash of name, description, both schemas and annotations, whatever the order of keys and of sets such as `required`. */
export function acceptanceFingerprint(tool: McpTool): string {
  const { input_schema, output_schema, ...otherFields } = definitionOf(tool);
  const schemas = { input_schema: withSortedSets(input_schema), output_schema: withSortedSets(output_schema) };
  return hashOf({ name: tool.name, ...otherFields, ...schemas });
}

/** The hash of versions up to 0.2, in which the order of sets counted. */
const formerFingerprint = (tool: McpTool): string => hashOf({ name: tool.name, ...definitionOf(tool) });

/** By rounded numbers, as in all versions: exact ones would end acceptance. */
const hashOf = (value: Json): string =>
  createHash('sha256')
    .update(JSON.stringify(withNumbers(sortKeysDeep(value))))
    .digest('base64url');

/** Whether the entry, also one that an earlier version has stored, accepts this definition of its tool. */
export const isAcceptedBy = (
  entry: Pick<AcceptedTool, 'fingerprint'>,
  { tool, fingerprint }: Pick<ExaminedTool, 'tool' | 'fingerprint'>,
): boolean => entry.fingerprint === fingerprint || entry.fingerprint === formerFingerprint(tool);

/** Hash of the title, so that a tool is shown with the title that it was accepted with. */
export const titlePrint = ({ title }: McpTool): string | undefined =>
  title === undefined ? undefined : createHash('sha256').update(title).digest('base64url').slice(0, 16);

export function examine(tool: McpTool): ExaminedTool {
  const definition = definitionOf(tool);
  const { name, title } = tool;
  const bytes = Buffer.byteLength(stringifyExact({ name, title, ...definition }));
  const isTooLarge = bytes > MAX_DEFINITION_BYTES || name.length > MAX_SHOWN_NAME;
  const isHiding = HIDDEN.test(stringifyExact([name, title, definition]));
  return {
    tool,
    fingerprint: acceptanceFingerprint(tool),
    flags: [...(isHiding ? ['hidden_characters' as const] : []), ...(isTooLarge ? ['too_large' as const] : [])],
  };
}

/** The definition to store or show, without secrets that the server repeats. */
export function maskedDefinition(tool: McpTool, secrets: readonly string[]): Definition {
  return withMaskedTexts(definitionOf(tool), secrets);
}

/** A value of a server without secrets that the server repeats. */
export function withMaskedTexts<T>(value: T, secrets: readonly string[]): T {
  return containsSecret(stringifyExact(value), secrets) ? (maskTexts(value, secrets) as T) : value;
}

/** Masks text by text, since a secret may look like a part of the JSON. */
function maskTexts(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return withoutSecrets(Buffer.from(value), secrets).toString();
  if (Array.isArray(value)) return value.map((item) => maskTexts(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [maskTexts(key, secrets), maskTexts(item, secrets)]),
  );
}
