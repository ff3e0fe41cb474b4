import { createHash } from 'node:crypto';
import { containsSecret, withoutSecrets } from '../../../domain/net/redact.ts';
import { sortKeysDeep, withoutUndefined } from '../../../domain/values/json.ts';
import type { McpTool } from '../../../ports/mcp/mcpClient.ts';

/** What a model reads of a tool besides its name. */
export interface Definition {
  description: string;
  input_schema?: Record<string, unknown>;
  output_schema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

/** Why a tool is not accepted without a person's decision; one that is too large never is. */
export type ToolFlag = 'hidden_characters' | 'too_large';

/** Size limit of an accepted definition as JSON. */
export const MAX_DEFINITION_BYTES = 65_536;

/**
 * Characters that are not displayed: zero-width characters, bidirectional controls, tags and the like. One variation selector
 * that chooses between text and emoji is common in honest text.
 */
const HIDDEN = /(?![\uFE0E\uFE0F](?![\uFE00-\uFE0F]))\p{Default_Ignorable_Code_Point}/u;

/** A listed tool with what acceptance compares. */
export interface Examined {
  tool: McpTool;
  fingerprint: string;
  flags: ToolFlag[];
}

function definitionOf({ description, input_schema, output_schema, annotations }: McpTool): Definition {
  return withoutUndefined({ description, input_schema, output_schema, annotations }) as Definition;
}

/** Hash of name, description, both schemas and annotations, whatever the order of keys. */
export function acceptanceFingerprint(tool: McpTool): string {
  const text = JSON.stringify(sortKeysDeep({ name: tool.name, ...definitionOf(tool) }));
  return createHash('sha256').update(text).digest('base64url');
}

/** Hash of the title, so that a tool is shown with the title that it was accepted with. */
export const titlePrint = ({ title }: McpTool): string | undefined =>
  title === undefined ? undefined : createHash('sha256').update(title).digest('base64url').slice(0, 16);

export function examine(tool: McpTool): Examined {
  const definition = definitionOf(tool);
  const isTooLarge = Buffer.byteLength(JSON.stringify({ title: tool.title, ...definition })) > MAX_DEFINITION_BYTES;
  const isHiding = HIDDEN.test(JSON.stringify([tool.name, tool.title, definition]));
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
  return containsSecret(JSON.stringify(value), secrets) ? (maskTexts(value, secrets) as T) : value;
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
