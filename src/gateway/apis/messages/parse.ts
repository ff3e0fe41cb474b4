import type { Static } from 'typebox';
import { isObject, type Json } from '../../../contract/basics.ts';
import { Fault, invalid, type Problem } from '../../../contract/codes/faults.ts';
import { withNumbers } from '../../../contract/exactJson.ts';
import { withoutUndefined } from '../../../domain/values/json.ts';
import { type ChatMessage, type ChatRequest, isEmpty } from '../../../families/llm-providers/public.ts';
import { cacheOf, text } from '../../models/chatParts.ts';
import { NAMING_FIELDS, type Naming, namingOf } from '../../models/naming.ts';
import { LEFT_OUT } from '../chatApi.ts';
import { unknownFieldWarnings } from '../unknownFields.ts';
import type { Notices } from './blocks.ts';
import { toMessages } from './conversation.ts';
import type { MessagesBody } from './schemas.ts';
import { toEffort } from './thinking.ts';
import { toTools } from './tools.ts';

export type Body = Static<typeof MessagesBody>;

interface MessagesCall {
  /** Undefined: the alias `default`. */
  reference: string | undefined;
  request: ChatRequest;
  naming: Naming;
  schemaField: string;
  warnings: readonly string[];
}

/** Fields that the gateway reads, and those that do not change the answer. */
const KNOWN = new Set<string>([
  ...['model', 'max_tokens', 'messages', 'system', 'stream', 'temperature', 'top_p', 'top_k', 'stop_sequences'],
  ...['tools', 'tool_choice', 'thinking', 'output_config', 'output_format', 'metadata', 'cache_control'],
  ...['context_management', 'service_tier', 'speed', 'inference_geo', 'diagnostics', 'user_profile_id'],
  ...['workspace_id', 'billing_policy', 'safeguards', 'fallbacks', 'fallback_credit_token', 'drop_unsupported'],
  ...NAMING_FIELDS,
]);
/** Fields without which the answer would be another one. */
const REFUSED = ['mcp_servers', 'container', 'thread', 'compaction'] as const;

/** @throws Fault `validation_failed`, `not_supported` */
export function parseMessages(unread: Body): MessagesCall {
  const body = withRoundedLimits(unread);
  refuseUnsupported(body);
  const problems: Problem[] = [];
  const warnings = new Set(unknownFieldWarnings(unknownFields(body)));
  const notices: Notices = { problems, warnings };
  // A caller that validates nothing else learns it here, too.
  if (typeof body.max_tokens !== 'number') problems.push({ field: 'max_tokens', message: 'is required' });
  const toolWarnings: string[] = [];
  const tools = toTools(body, problems, toolWarnings);
  const messages = markedAtEnd(toMessages(body.system, body.messages, notices), body, problems);
  const { format: responseFormat, field: schemaField } = toFormat(body, problems);
  const reasoningEffort = toEffort(body, problems);
  warnOfContextManagement(body, warnings);
  if (problems.length > 0) throw invalid(problems);
  const user = text(body.metadata?.user_id) || undefined;
  return {
    reference: body.model ?? undefined,
    naming: namingOf(body),
    schemaField,
    warnings: [...warnings, ...toolWarnings],
    request: {
      messages,
      ...tools,
      maxTokens: body.max_tokens,
      temperature: body.temperature ?? undefined,
      topP: body.top_p ?? undefined,
      topK: body.top_k ?? undefined,
      stop: body.stop_sequences?.length ? body.stop_sequences : undefined,
      reasoningEffort,
      effortIsHint: reasoningEffort === undefined ? undefined : true,
      responseFormat,
      hints: user === undefined ? undefined : { user },
      continues: continuedIn(body),
      dropUnsupported: body.drop_unsupported ?? undefined,
      mayLeaveOut: LEFT_OUT,
    },
  };
}

/** Numbers that are compared here; all other integers keep their digits. */
function withRoundedLimits(body: Body): Body {
  const { max_tokens, temperature, top_p, top_k, thinking } = body;
  const limits = withoutUndefined({ max_tokens, temperature, top_p, top_k, thinking });
  return { ...body, ...withNumbers(limits) } as Body;
}

function refuseUnsupported(body: Body): void {
  const { speed } = body as Json;
  const param = REFUSED.find((name) => !isEmpty((body as Json)[name])) ?? (speed === 'fast' ? 'speed' : undefined);
  if (param !== undefined) throw new Fault('not_supported', `The gateway does not support ${param}`, { param });
}

const unknownFields = (body: Json): string[] =>
  Object.keys(body).filter((name) => !KNOWN.has(name) && !isEmpty(body[name]));

/** Place of an answer that the client has begun. */
function continuedIn({ messages }: Body): string | undefined {
  return messages.at(-1)?.role === 'assistant' ? `messages.${messages.length - 1}` : undefined;
}

/** A mark of the whole request is one at the end of the last message. */
function markedAtEnd(messages: readonly ChatMessage[], body: Body, problems: Problem[]): readonly ChatMessage[] {
  const mark = cacheOf(body, '', problems);
  const last = messages.at(-1);
  return last && mark.cache && !last.cache ? [...messages.slice(0, -1), { ...last, ...mark }] : messages;
}

/** Anthropic gives a schema no name. */
const NAME = 'answer';

function toFormat(body: Body, problems: Problem[]): { format: ChatRequest['responseFormat']; field: string } {
  const newer = isObject(body.output_config) ? body.output_config.format : undefined;
  const [format, field] = isEmpty(newer) ? [body.output_format, 'output_format'] : [newer, 'output_config.format'];
  const place = `${field}.schema`;
  if (isEmpty(format)) return { format: undefined, field: place };
  const { type, schema } = isObject(format) ? format : {};
  if (type === 'json_schema' && isObject(schema)) return { format: { type, name: NAME, schema }, field: place };
  problems.push({ field, message: 'must be {type: json_schema, schema}' });
  return { format: undefined, field: place };
}

/** @throws Fault `not_supported` for a compaction, which would be another conversation */
function warnOfContextManagement({ context_management: management }: Body, warnings: Set<string>): void {
  const edits = isObject(management) && Array.isArray(management.edits) ? management.edits.filter(isObject) : [];
  for (const [index, { type, keep }] of edits.entries()) {
    if (/^compact/.test(String(type))) {
      const param = `context_management.edits.${index}`;
      throw new Fault('not_supported', `The gateway does not support ${param}: it compacts no conversations`, {
        param,
      });
    }
    if (!/^clear_thinking/.test(String(type)) || keep !== 'all')
      warnings.add(`context_management.edits.${index} was left out: the gateway sends the conversation as it came`);
  }
}
