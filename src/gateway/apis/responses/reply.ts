import type { Static } from 'typebox';
import { isObject, type Json } from '../../../contract/basics.ts';
import { argumentsOf, withoutUndefined } from '../../../domain/values/json.ts';
import type { ChatReply, ToolCall } from '../../../families/llm-providers/public.ts';
import type { Times } from '../../../metering/meter.ts';
import type { Tokens } from '../../../metering/tokens.ts';
import { hexId, useFacts } from '../../models/chatReply.ts';
import type { ChatResult } from '../chatApi.ts';
import { sealReasoning } from '../envelope.ts';
import type { ResponsesBody } from './schemas.ts';
import type { ToolSet } from './tools.ts';

type Body = Static<typeof ResponsesBody>;
export type ResponseObject = ReturnType<typeof responseObject>;

/** OpenAI's object for an answer. @param reference the model that was asked for */
export function responseObject(
  result: ChatResult,
  reference: string,
  times: Times,
  { body, tools }: { body: Body; tools: ToolSet },
) {
  const { answer, tokens } = result;
  const { envelope, warnings } = sealReasoning(answer, result.model);
  const reason = incompleteReason(answer);
  const items = [
    ...reasoningItems(answer, envelope),
    ...messageItems(answer),
    ...answer.toolCalls.map((call) => callItem(call, tools)),
  ];
  const ends = reason ? 'incomplete' : 'completed';
  const now = Math.floor(Date.now() / 1000);
  return {
    id: idOf('resp'),
    object: 'response' as const,
    created_at: now,
    completed_at: reason ? null : now,
    status: ends as 'incomplete' | 'completed',
    background: false as const,
    error: null,
    incomplete_details: reason ? { reason } : null,
    ...echoOf(body),
    model: reference,
    // The end of the answer is missing, which is the last item.
    output: items.map((item, index) => withStatus(item, index === items.length - 1 ? ends : 'completed')),
    previous_response_id: null,
    service_tier: 'default' as const,
    store: false as const,
    truncation: 'disabled' as const,
    usage: usageOf(tokens),
    ml: useFacts({ ...result, warnings: [...result.warnings, ...warnings] }, times),
  };
}

/** As the client wrote it, with OpenAI's defaults. */
function echoOf(body: Body) {
  const { format, verbosity } = body.text ?? {};
  return {
    instructions: body.instructions ?? null,
    max_output_tokens: numberOf(body.max_output_tokens) ?? null,
    max_tool_calls: numberOf(body.max_tool_calls) ?? null,
    metadata: Object.fromEntries(
      Object.entries(body.metadata ?? {}).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null } as Json,
    temperature: body.temperature ?? 1,
    text: withoutUndefined({ format: format ?? { type: 'text' }, verbosity: verbosity ?? undefined }) as Json,
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    user: body.user ?? null,
  };
}

/** Bodies are read with bigints. */
const numberOf = (value: number | null | undefined): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);

const idOf = (kind: string): string => `${kind}_${hexId()}`;

/** A refusal is a complete answer. */
function incompleteReason({ finishReason, message }: ChatReply): string | undefined {
  if (finishReason === 'length') return 'max_output_tokens';
  return finishReason === 'content_filter' && !message.refusal ? 'content_filter' : undefined;
}

const withStatus = ({ id, type, ...members }: Json, status: string): Json => ({ id, type, status, ...members });

function reasoningItems({ message: { reasoning } }: ChatReply, envelope: string | undefined): Json[] {
  if (!reasoning && envelope === undefined) return [];
  const summary = reasoning ? [{ type: 'summary_text', text: reasoning }] : [];
  const state = envelope === undefined ? {} : { encrypted_content: envelope };
  return [{ id: idOf('rs'), type: 'reasoning', summary, ...state }];
}

function messageItems({ message: { content, refusal }, logprobs }: ChatReply): Json[] {
  const parts = [
    ...(content === '' ? [] : [{ type: 'output_text', text: content, annotations: [], logprobs: tokensIn(logprobs) }]),
    ...(refusal ? [{ type: 'refusal', refusal }] : []),
  ];
  return parts.length === 0 ? [] : [{ id: idOf('msg'), type: 'message', role: 'assistant', content: parts }];
}

const tokensIn = (logprobs: Json | undefined): unknown[] =>
  Array.isArray(logprobs?.content) ? logprobs.content.filter((token) => isObject(token)) : [];

function callItem({ id, name: flatName, arguments: text }: ToolCall, tools: ToolSet): Json {
  const { namespace, name, kind } = tools.ownNameOf(flatName);
  const named = { call_id: id, name, ...(namespace === undefined ? {} : { namespace }) };
  if (kind === 'function') return { id: idOf('fc'), type: 'function_call', ...named, arguments: text };
  return { id: idOf('ctc'), type: 'custom_tool_call', ...named, input: inputOf(text) };
}

/** Models also write the text itself. */
function inputOf(text: string): string {
  const input = argumentsOf(text)?.input;
  return typeof input === 'string' ? input : text;
}

const usageOf = ({ input, output, cached, cacheWritten, reasoning }: Tokens) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached ?? 0, cache_write_tokens: cacheWritten ?? 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
  total_tokens: input + output,
});
