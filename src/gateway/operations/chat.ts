import type { Static } from 'typebox';
import { OutboundError } from '../../contract/codes/outbound.ts';
import type { ChatReply, ChatRequest, OpenModel, ToolCall } from '../../families/llm-providers/public.ts';
import type { MaskedContent } from '../../masking/outgoing.ts';
import { chargeFor } from '../../metering/prices/price.ts';
import { estimateTokens } from '../../metering/tokens.ts';
import type { SchemaChecks } from '../../ports/platform/schemaChecks.ts';
import type { ChatApi } from '../apis/chatApi.ts';
import { chatCompletions } from '../apis/chatCompletions.ts';
import { withReasoning } from '../apis/envelope.ts';
import { chatScope, maskChat, withCheckedBodies } from '../masking/chats.ts';
import { PLACEHOLDER_UNKNOWN, restoredCall, restoredReply } from '../masking/restoreChat.ts';
import { answerText, hashedUser, promptText, sumOf, withAliasDefaults, withConfiguration } from '../models/chat.ts';
import { tokensOf } from '../models/chatReply.ts';
import { estimateUse, firstAllowed, referenceFor, routePlan } from '../models/routes.ts';
import { checkAnswer, firstProblems, NO_ANSWER, textToAskAgain, withJson } from '../models/structured.ts';
import type { MeteredUpstream, Operation, OperationContext } from '../operation.ts';
import type { ChatBody } from '../schemas.ts';

export type ChatInput = Static<typeof ChatBody>;

interface ChatAnswer {
  reply: ChatReply;
  /** About the request as this target got it. */
  warnings: readonly string[];
  /** For sites that log contents: what the model has said, without the values. */
  output: unknown;
  isMasked: boolean;
}

/**
 * Asks a model, in the form of one API.
 * @param isChecked whether an answer that does not match the schema of the request is asked for once more
 */
export const chatOperation = <B, R>(
  { row, parse }: ChatApi<B, R>,
  isChecked = true,
): Operation<B, OpenModel, ChatAnswer, R> => ({
  name: 'chat',
  row,
  flag: 'llm_providers',
  isExact: true,
  async open(context, body) {
    const { deps, caller, use } = context;
    const { reference, naming, schemaField, ...parsed } = parse(body);
    const request = withHashedUser(parsed.request);
    const [route, prices, cooldowns] = await Promise.all([
      deps.resolve(caller, reference),
      deps.prices(),
      deps.cooldowns(),
    ]);
    const asked = withAliasDefaults(request, route);
    const format = asked.responseFormat;
    const schema = format?.type === 'json_schema' ? format.schema : undefined;
    const prompt = () => promptText(asked);
    const tokensFor = (reply: ChatReply) => tokensOf(reply.usage, { prompt, answer: () => answerText(reply) });
    const json = format?.type === 'json_object' || schema !== undefined ? { schema } : undefined;
    const scope = chatScope(deps.origin, caller.user, asked.messages);
    const ask = async (upstream: MeteredUpstream, target: OpenModel, question: ChatRequest): Promise<ChatAnswer> => {
      const task = { target, alias: route.alias?.name, scope, ...naming };
      const { request: own, warnings } = withReasoning(question, target);
      const { content, masked } = await maskChat(context, task, own);
      if (masked) use.input = content.messages;
      const answer = await withCheckedBodies(() => target.client.chat(target.model, content, upstream));
      upstream.count(tokensFor(answer), answer.model);
      const reply = json ? withJson(answer) : answer;
      const output = { content: reply.message.content, tool_calls: reply.toolCalls };
      return { reply: restored(context, reply, masked, json), warnings, output, isMasked: masked !== undefined };
    };
    return async () => {
      if (schema && isChecked) await deps.schemas.assertUsable(schema, schemaField);
      return {
        ...routePlan({ ...deps, caller, prices, cooldowns }, route),
        input: request.messages,
        estimate(target) {
          const { maxTokens = 0 } = withConfiguration(asked, target);
          return { input: estimateTokens(prompt()), output: maxTokens };
        },
        send(upstream, target) {
          const once = (question: ChatRequest) => ask(upstream, target, question);
          const sent = withConfiguration(asked, target);
          return schema && isChecked ? structured(deps.schemas, schema, sent, once) : once(sent);
        },
        result({ reply: answer, warnings: own, output }, model) {
          const tokens = tokensFor(answer);
          const charge = chargeFor(prices(model), tokens);
          const given = [...parsed.warnings, ...own];
          const warnings = [...given, ...ceilingWarnings(asked, model), ...answer.warnings, ...use.warnings];
          const facts = { answer, model, attempts: use.attempts, tokens, warnings, charge, masked: use.masked };
          return {
            response: parsed.reply(facts, referenceFor(route, reference), use.meter.times),
            ...{ tokens, charge },
            output,
          };
        },
      };
    };
  },
  async dryRun(deps, body, caller) {
    const { reference, request, naming } = parse(body);
    const route = await deps.resolve(caller, reference);
    const asked = withAliasDefaults(withHashedUser(request), route);
    const scope = chatScope(deps.origin, caller.user, asked.messages);
    const context = { deps, caller, use: { countMasked: () => {} } };
    const { target, content, masked } = await firstAllowed(route, (target) =>
      maskChat(context, { target, alias: route.alias?.name, scope, ...naming }, asked),
    );
    const prompt = promptText(content);
    return estimateUse(deps, { target, prompt, tokens: estimateTokens(prompt), masked });
  },
});

/** A provider can tell users apart, and need not know who they are. */
const withHashedUser = (request: ChatRequest): ChatRequest =>
  request.hints?.user === undefined
    ? request
    : { ...request, hints: { ...request.hints, user: hashedUser(request.hints.user) } };

/** Asks a model, in the form of OpenAI's Chat Completions. */
export const chat = chatOperation(chatCompletions);

/** The same for callers that check answers themselves. */
export const uncheckedChat = chatOperation(chatCompletions, false);

function ceilingWarnings({ maxTokens }: ChatRequest, { maxTokens: most }: OpenModel): string[] {
  if (maxTokens === undefined || most === undefined || maxTokens <= most) return [];
  return [`max_tokens was reduced to ${most}, the maximum of the configuration`];
}

/** The answer with its values; words that look like placeholders and stand for nothing are named in the warnings. */
function restored(
  { use, restoreCall }: Pick<OperationContext, 'use' | 'restoreCall'>,
  reply: ChatReply,
  masked: MaskedContent<ChatRequest> | undefined,
  json: Parameters<typeof restoredReply>[2],
): ChatReply {
  const restore = restoreCall ?? ((call: ToolCall) => (masked ? restoredCall(call, masked) : call));
  if (!masked) return { ...reply, toolCalls: reply.toolCalls.map((call) => restore(call, undefined)) };
  const answer = restoredReply(reply, masked, json, (call) => restore(call, masked));
  const { counts } = masked.restorer;
  use.countRestored(counts);
  return counts.unknown > 0 ? withWarnings(answer, [PLACEHOLDER_UNKNOWN]) : answer;
}

/** Asks once more with the problems of an answer that does not match the schema. */
async function structured(
  schemas: SchemaChecks,
  schema: Record<string, unknown>,
  request: ChatRequest,
  ask: (request: ChatRequest) => Promise<ChatAnswer>,
): Promise<ChatAnswer> {
  const { reply: first, ...shown } = await ask(request);
  const { problems, warnings } = await checkAnswer(schemas, schema, first);
  if (problems.length === 0) return { reply: withWarnings(first, warnings), ...shown };
  const messages = [
    ...request.messages,
    { role: 'assistant' as const, content: first.message.content || NO_ANSWER },
    { role: 'user' as const, content: textToAskAgain(problems) },
  ];
  const { reply: second, ...last } = await ask({ ...request, messages });
  const { problems: left, warnings: unchecked } = await checkAnswer(schemas, schema, second);
  if (left.length > 0) {
    // The problems may quote values of the schema.
    const why = last.isMasked ? '' : `: ${firstProblems(left)}`;
    const message = `The model's answer does not match the schema, also when asked again${why}`;
    throw new OutboundError('invalid_structured_output', message);
  }
  return { reply: withWarnings({ ...second, usage: sumOf(first, second) }, unchecked), ...last };
}

const withWarnings = (reply: ChatReply, warnings: readonly string[]): ChatReply =>
  warnings.length > 0 ? { ...reply, warnings: [...reply.warnings, ...warnings] } : reply;
