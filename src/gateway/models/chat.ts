import { OutboundError } from '../../contract/codes/outbound.ts';
import { stringifyExact } from '../../contract/exactJson.ts';
import { addKnown } from '../../domain/values/numbers.ts';
import type { ChatReply, ChatRequest, OpenModel } from '../../families/llm-providers/public.ts';
import type { ModelRoute } from '../../families/model-aliases/public.ts';
import type { SchemaChecks } from '../../ports/llm/schemaChecks.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { estimateTokens } from '../use/tokens.ts';
import { tokensOf, type UseResult } from './chatReply.ts';
import { checkAnswer, withJson } from './structured.ts';
import { type CallTerms, callTargets, type ModelDependencies } from './targets.ts';

const MAX_PROBLEMS = 5;

/** Asks a model. @throws Fault; OutboundError */
export async function chat(
  deps: ModelDependencies & { schemas: SchemaChecks },
  route: ModelRoute,
  request: ChatRequest,
  terms: CallTerms,
): Promise<UseResult<ChatReply>> {
  const { use } = terms;
  const asked = withAliasDefaults(request, route);
  const format = asked.responseFormat;
  const schema = format?.type === 'json_schema' ? format.schema : undefined;
  if (schema) await deps.schemas.assertUsable(schema, 'response_format.json_schema.schema');
  const prompt = () => promptText(asked);
  const tokensFor = (reply: ChatReply) => tokensOf(reply.usage, { prompt, answer: () => answerText(reply) });
  const ask = async ({ client, model: id }: OpenModel, sent: ChatRequest, deadline: Deadline) => {
    const reply = await client.chat(id, sent, deadline);
    use.count(tokensFor(reply), reply.model);
    return format?.type === 'json_object' || schema ? withJson(reply) : reply;
  };
  const { answer, model } = await callTargets(deps, route, terms, {
    estimate(target) {
      const { maxTokens = 0 } = withConfiguration(asked, target);
      return { input: estimateTokens(prompt()), output: maxTokens };
    },
    async send(target, deadline, isRepeat) {
      const sent = { ...withConfiguration(asked, target), isRepeat };
      const once = (request: ChatRequest) => ask(target, request, deadline);
      return schema ? structured(deps.schemas, schema, sent, once) : once(sent);
    },
  });
  use.output = { content: answer.message.content, tool_calls: answer.toolCalls };
  const warnings = [...ceilingWarnings(asked, model), ...answer.warnings, ...use.warnings];
  return { answer, model, attempts: use.attempts, tokens: tokensFor(answer), warnings };
}

export function withAliasDefaults(request: ChatRequest, { alias }: ModelRoute): ChatRequest {
  const { temperature, max_tokens: maxTokens, system_prompt: prompt } = alias?.defaults ?? {};
  const { messages } = request;
  const first = prompt === undefined || prompt === '' ? [] : [{ role: 'system' as const, content: prompt }];
  return withDefaults({ ...request, messages: [...first, ...messages] }, { temperature, maxTokens });
}

/** Sets the parameters that the caller did not send, and marks them as such. */
function withDefaults(request: ChatRequest, defaults: Pick<ChatRequest, 'temperature' | 'maxTokens'>): ChatRequest {
  const names = (['temperature', 'maxTokens'] as const).filter(
    (name) => request[name] === undefined && defaults[name] !== undefined,
  );
  const values = Object.fromEntries(names.map((name) => [name, defaults[name]]));
  return { ...request, ...values, defaulted: [...(request.defaulted ?? []), ...names] };
}

/** The configuration's `max_tokens` is default and maximum, its `response_variability` the default temperature. */
function withConfiguration(request: ChatRequest, model: OpenModel): ChatRequest {
  const { maxTokens } = request;
  const most = model.maxTokens;
  const limited = maxTokens === undefined || most === undefined ? maxTokens : Math.min(maxTokens, most);
  return withDefaults({ ...request, maxTokens: limited }, model);
}

function ceilingWarnings({ maxTokens }: ChatRequest, { maxTokens: most }: OpenModel): string[] {
  if (maxTokens === undefined || most === undefined || maxTokens <= most) return [];
  return [`max_tokens was reduced to ${most}, the maximum of the configuration`];
}

/** Asks once more with the problems of an answer that does not match the schema. */
async function structured(
  schemas: SchemaChecks,
  schema: Record<string, unknown>,
  request: ChatRequest,
  ask: (request: ChatRequest) => Promise<ChatReply>,
): Promise<ChatReply> {
  const first = await ask(request);
  const { problems, warnings } = await checkAnswer(schemas, schema, first);
  if (problems.length === 0) return withWarnings(first, warnings);
  const again = `The answer does not match the JSON schema: ${problems.slice(0, MAX_PROBLEMS).join('; ')}. Answer again with JSON that matches it.`;
  const messages = [
    ...request.messages,
    { role: 'assistant' as const, content: first.message.content || '(no answer)' },
    { role: 'user' as const, content: again },
  ];
  const second = await ask({ ...request, messages }).catch((error: unknown) => {
    if (error instanceof OutboundError) error.attempts = (error.attempts ?? 1) + first.attempts;
    throw error;
  });
  const attempts = first.attempts + second.attempts;
  const { problems: left, warnings: unchecked } = await checkAnswer(schemas, schema, second);
  if (left.length > 0) {
    const message = `The model's answer does not match the schema, also when asked again: ${left.slice(0, MAX_PROBLEMS).join('; ')}`;
    const error = new OutboundError('invalid_structured_output', message);
    error.attempts = attempts;
    throw error;
  }
  return withWarnings({ ...second, attempts, usage: sumOf(first, second) }, unchecked);
}

const withWarnings = (reply: ChatReply, warnings: readonly string[]): ChatReply =>
  warnings.length > 0 ? { ...reply, warnings: [...reply.warnings, ...warnings] } : reply;

function sumOf({ usage: a }: ChatReply, { usage: b }: ChatReply): ChatReply['usage'] {
  const both = (one: number | undefined, other: number | undefined) =>
    one === undefined || other === undefined ? undefined : one + other;
  return {
    input: {
      total: both(a.input.total, b.input.total),
      cached: addKnown(a.input.cached, b.input.cached),
      cacheWritten: addKnown(a.input.cacheWritten, b.input.cacheWritten),
    },
    output: {
      total: both(a.output.total, b.output.total),
      reasoning: addKnown(a.output.reasoning, b.output.reasoning),
    },
  };
}

/** The text of a request, for estimates. */
export function promptText({ messages, tools }: ChatRequest): string {
  const texts = messages.map(({ content }) =>
    typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
  );
  return [...texts, ...(tools?.length ? [stringifyExact(tools)] : [])].join('\n');
}

const answerText = ({ message: { content, refusal = '', reasoning = '' }, toolCalls }: ChatReply): string =>
  [reasoning, content, refusal, ...toolCalls.map(({ name, arguments: text }) => `${name}${text}`)]
    .filter((text) => text !== '')
    .join('\n');
