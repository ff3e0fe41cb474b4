import type { Static } from 'typebox';
import { OutboundError } from '../../contract/codes/outbound.ts';
import type { ChatReply, ChatRequest, OpenModel } from '../../families/llm-providers/public.ts';
import { chargeFor } from '../../metering/prices/price.ts';
import { estimateTokens } from '../../metering/tokens.ts';
import type { SchemaChecks } from '../../ports/platform/schemaChecks.ts';
import { answerText, promptText, sumOf, withAliasDefaults, withConfiguration } from '../models/chat.ts';
import { parseChat } from '../models/chatBody.ts';
import { chatCompletion, tokensOf } from '../models/chatReply.ts';
import { estimateUse, referenceFor, routePlan } from '../models/routes.ts';
import { checkAnswer, firstProblems, NO_ANSWER, textToAskAgain, withJson } from '../models/structured.ts';
import type { MeteredUpstream, Operation } from '../operation.ts';
import type { ChatBody } from '../schemas.ts';

export type ChatInput = Static<typeof ChatBody>;

type ChatOperation = Operation<ChatInput, OpenModel, ChatReply, ReturnType<typeof chatCompletion>>;

/** @param isChecked whether an answer that does not match the schema of the request is asked for once more */
const chatOperation = (isChecked: boolean): ChatOperation => ({
  name: 'chat',
  row: 'createChatCompletion',
  flag: 'llm_providers',
  isExact: true,
  async open({ deps, caller, use }, body) {
    const { reference, request } = parseChat(body);
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
    const ask = async (upstream: MeteredUpstream, { client, model }: OpenModel, sent: ChatRequest) => {
      const reply = await client.chat(model, sent, upstream);
      upstream.count(tokensFor(reply), reply.model);
      return format?.type === 'json_object' || schema ? withJson(reply) : reply;
    };
    return async () => {
      if (schema && isChecked) await deps.schemas.assertUsable(schema, 'response_format.json_schema.schema');
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
        result(answer, model) {
          const tokens = tokensFor(answer);
          const charge = chargeFor(prices(model), tokens);
          const warnings = [...ceilingWarnings(asked, model), ...answer.warnings, ...use.warnings];
          const facts = { answer, model, attempts: use.attempts, tokens, warnings, charge };
          return {
            response: chatCompletion(facts, referenceFor(route, reference), use.meter.times),
            ...{ tokens, charge },
            output: { content: answer.message.content, tool_calls: answer.toolCalls },
          };
        },
      };
    };
  },
  async dryRun(deps, body, caller) {
    const { reference, request } = parseChat(body);
    const route = await deps.resolve(caller, reference);
    const prompt = promptText(withAliasDefaults(request, route));
    return estimateUse(deps, route, { prompt, tokens: estimateTokens(prompt) });
  },
});

/** Asks a model, in the form of OpenAI's Chat Completions. */
export const chat = chatOperation(true);

/** The same for callers that check answers themselves. */
export const uncheckedChat = chatOperation(false);

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
  const messages = [
    ...request.messages,
    { role: 'assistant' as const, content: first.message.content || NO_ANSWER },
    { role: 'user' as const, content: textToAskAgain(problems) },
  ];
  const second = await ask({ ...request, messages });
  const { problems: left, warnings: unchecked } = await checkAnswer(schemas, schema, second);
  if (left.length > 0) {
    const message = `The model's answer does not match the schema, also when asked again: ${firstProblems(left)}`;
    throw new OutboundError('invalid_structured_output', message);
  }
  return withWarnings({ ...second, usage: sumOf(first, second) }, unchecked);
}

const withWarnings = (reply: ChatReply, warnings: readonly string[]): ChatReply =>
  warnings.length > 0 ? { ...reply, warnings: [...reply.warnings, ...warnings] } : reply;
