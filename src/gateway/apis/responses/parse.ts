import type { Static } from 'typebox';
import { isObject, type Json } from '../../../contract/basics.ts';
import { Fault, invalid, type Problem } from '../../../contract/codes/faults.ts';
import { withNumbers } from '../../../contract/exactJson.ts';
import { withoutUndefined } from '../../../domain/values/json.ts';
import { type ChatMessage, type ChatRequest, isEmpty } from '../../../families/llm-providers/public.ts';
import { schemaFormat } from '../../models/chatParts.ts';
import { NAMING_FIELDS, type Naming, namingOf } from '../../models/naming.ts';
import { LEFT_OUT } from '../chatApi.ts';
import { unknownFieldWarnings } from '../unknownFields.ts';
import { inputItems, toMessages, toolsInItems } from './items.ts';
import type { ResponsesBody } from './schemas.ts';
import { chooseTools } from './toolChoice.ts';
import { readTools, type ToolSet } from './tools.ts';

type Body = Static<typeof ResponsesBody>;

/** A parsed body of Responses. */
interface ResponseCall {
  /** Undefined: the alias `default`. */
  reference: string | undefined;
  request: ChatRequest;
  naming: Naming;
  warnings: string[];
  tools: ToolSet;
}

/** Fields of Responses that are supported for no provider, with what to do. False asks for nothing. */
const REFUSED: Readonly<Record<string, string>> = {
  previous_response_id: 'The gateway stores no responses: send the whole conversation in input',
  conversation: 'The gateway stores no conversations: send the whole conversation in input',
  prompt: 'The gateway has no templates of prompts: send their text in instructions and input',
  background: 'The gateway answers at once: set background to false',
  background_options: 'The gateway answers at once: leave out background_options',
  context_management: 'The gateway does not shorten conversations: leave out context_management',
  moderation: 'The gateway does not support moderation: leave it out',
  access_programs: 'The gateway does not support access_programs: leave it out',
  image: 'The gateway makes no images: leave out image',
};
const HINTS = ['user', 'safety_identifier', 'prompt_cache_key', 'service_tier'] as const;
/** Fields that are read, and those that ask for nothing that the answer could show. */
const KNOWN = new Set<string>([
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'max_output_tokens'],
  ...['temperature', 'top_p', 'top_logprobs', 'text', 'reasoning', 'include', 'metadata', 'stream', 'stream_options'],
  ...['store', 'truncation', 'max_tool_calls', 'client_metadata', 'drop_unsupported', 'prompt_cache_options'],
  'prompt_cache_retention',
  ...Object.keys(REFUSED),
  ...HINTS,
  ...NAMING_FIELDS,
]);
const LOGPROBS = 'message.output_text.logprobs';

/** @throws Fault `validation_failed`, `not_supported` */
export function parseResponse(unread: Body): ResponseCall {
  const body = withRoundedLimits(unread);
  const warnings = droppedFields(body);
  const problems: Problem[] = [];
  const items = inputItems(body.input);
  if (!Array.isArray(items)) throw invalid([items]);
  const tools = readTools(
    [{ tools: body.tools ?? [], field: 'tools' }, ...toolsInItems(items, problems)],
    problems,
    warnings,
  );
  const chosen = chooseTools(body.tool_choice, tools, problems);
  const messages = [...instructionsOf(body), ...toMessages(items, tools, problems, warnings)];
  if (messages.length === 0 && problems.length === 0) {
    problems.push({ field: 'input', message: 'must have at least one message' });
  }
  const responseFormat = toResponseFormat(body.text?.format, problems);
  if (problems.length > 0) throw invalid(problems);
  const hints = Object.fromEntries(HINTS.flatMap((name) => (isEmpty(body[name]) ? [] : [[name, body[name]]])));
  return {
    reference: body.model ?? undefined,
    naming: namingOf(body),
    warnings,
    tools,
    request: {
      messages,
      ...chosen,
      parallelToolCalls: body.parallel_tool_calls ?? undefined,
      maxTokens: body.max_output_tokens ?? undefined,
      temperature: body.temperature ?? undefined,
      topP: body.top_p ?? undefined,
      reasoningEffort: body.reasoning?.effort || undefined,
      verbosity: body.text?.verbosity || undefined,
      ...logprobsOf(body),
      responseFormat,
      hints: Object.keys(hints).length > 0 ? hints : undefined,
      dropUnsupported: body.drop_unsupported ?? undefined,
      mayLeaveOut: LEFT_OUT,
    },
  };
}

/** Numbers that are compared here; other integers keep their digits. */
function withRoundedLimits(body: Body): Body {
  const { max_output_tokens, max_tool_calls, temperature, top_p } = body;
  return {
    ...body,
    ...withNumbers(withoutUndefined({ max_output_tokens, max_tool_calls, temperature, top_p })),
  } as Body;
}

/** Warnings for what changes no answer and is left out. @throws Fault `not_supported` for what would change it */
function droppedFields(body: Body): string[] {
  const fields = body as Json;
  const param = Object.keys(REFUSED).find((name) => fields[name] !== false && !isEmpty(fields[name]));
  if (param !== undefined) throw new Fault('not_supported', String(REFUSED[param]), { param });
  const mode = body.reasoning?.mode;
  if (!isEmpty(mode) && mode !== 'standard') {
    const message = 'The gateway does not support modes of reasoning: set reasoning.effort';
    throw new Fault('not_supported', message, { param: 'reasoning.mode' });
  }
  const isTruncated = !isEmpty(body.truncation) && body.truncation !== 'disabled';
  if (isTruncated && body.drop_unsupported !== true) {
    const message = 'The gateway does not cut the input: set truncation to disabled';
    throw new Fault('not_supported', message, { param: 'truncation' });
  }
  const unknown = Object.keys(body).filter((name) => !KNOWN.has(name) && fields[name] !== null);
  return [
    ...(body.store === true ? ['store was left out: the gateway stores no responses'] : []),
    ...(isTruncated ? ['truncation was left out: the gateway does not cut the input'] : []),
    ...(isDefaultCache(fields.prompt_cache_options) ? [] : ['prompt_cache_options was left out']),
    ...(isEmpty(fields.prompt_cache_retention) || fields.prompt_cache_retention === 'in_memory'
      ? []
      : ['prompt_cache_retention was left out']),
    ...unknownFieldWarnings(unknown),
  ];
}

const isDefaultCache = (options: unknown): boolean =>
  isEmpty(options) || (isObject(options) && (options.mode ?? 'implicit') === 'implicit' && isEmpty(options.ttl));

const instructionsOf = ({ instructions }: Body): ChatMessage[] =>
  instructions ? [{ role: 'system', content: instructions }] : [];

function logprobsOf({ include, top_logprobs: top }: Body): Pick<ChatRequest, 'logprobs' | 'topLogprobs'> {
  const topLogprobs = top ? top : undefined;
  return { logprobs: topLogprobs !== undefined || include?.includes(LOGPROBS) ? true : undefined, topLogprobs };
}

function toResponseFormat(format: unknown, problems: Problem[]): ChatRequest['responseFormat'] {
  if (format === undefined || format === null) return undefined;
  const { type, ...described } = isObject(format) ? format : {};
  if (type === 'text') return undefined;
  if (type === 'json_object') return { type };
  const read = type === 'json_schema' ? schemaFormat(described) : undefined;
  if (read) return read;
  const message = 'must be {type: text}, {type: json_object} or {type: json_schema, name, schema}';
  problems.push({ field: 'text.format', message });
  return undefined;
}
