import type { Static } from 'typebox';
import type { Caller } from '../../contract/caller.ts';
import type { LlmIdentity } from '../../families/llm-providers/public.ts';
import { type ModelRoute, nameOf } from '../../families/model-aliases/public.ts';
import type { SchemaChecks } from '../../ports/llm/schemaChecks.ts';
import { chargeFor } from '../prices/price.ts';
import type { Prices } from '../prices/prices.ts';
import type { ChatBody, EmbeddingBody } from '../schemas.ts';
import type { Serving } from '../use/serving.ts';
import { estimateTokens } from '../use/tokens.ts';
import { chat, promptText, withAliasDefaults } from './chat.ts';
import { parseChat } from './chatBody.ts';
import { chatCompletion } from './chatReply.ts';
import { embed, embeddingList, estimateInputs, parseEmbed } from './embed.ts';
import type { CallTerms, ModelDependencies } from './targets.ts';

export interface OperationDependencies extends ModelDependencies {
  schemas: SchemaChecks;
  /** Of this request: a batch reads aliases and configurations once. */
  resolve(caller: Caller, reference: string | undefined): Promise<ModelRoute>;
  prices(): Promise<Prices>;
}

/** What a use would send. */
export interface DryRun {
  model: string;
  prompt: string;
  tokens_estimated: number;
  cost_estimated?: number;
}

export type ChatInput = Static<typeof ChatBody>;
export type EmbedInput = Static<typeof EmbeddingBody>;

/** @throws Fault; OutboundError */
export async function serveChat(deps: OperationDependencies, body: ChatInput, serving: Serving) {
  const { reference, request } = parseChat(body);
  const { terms, route, prices } = await beginUse(deps, serving, reference, 'chat', request.messages);
  const result = await chat(deps, route, request, terms);
  const { tokens } = result;
  const charge = chargeFor(prices(result.model), tokens);
  const response = chatCompletion({ ...result, charge }, referenceFor(route, reference), serving.use.meter.times);
  return { response, tokens, charge };
}

/** @throws Fault; OutboundError */
export async function serveEmbed(deps: OperationDependencies, body: EmbedInput, serving: Serving) {
  const call = parseEmbed(body);
  const { terms, route, prices } = await beginUse(deps, serving, call.reference, 'embeddings', call.inputs);
  const result = await embed(deps, route, call, terms);
  const { tokens } = result;
  const charge = chargeFor(prices(result.model), tokens);
  const reference = referenceFor(route, call.reference);
  const response = embeddingList({ ...result, charge }, reference, call.isBase64, serving.use.meter.times);
  return { response, tokens, charge };
}

/** Rights, then the slot; limits follow just before each call. */
async function beginUse(
  deps: OperationDependencies,
  serving: Serving,
  reference: string | undefined,
  operation: 'chat' | 'embeddings',
  input: unknown,
): Promise<{ route: ModelRoute; prices: Prices; terms: CallTerms }> {
  const [route, prices] = await Promise.all([deps.resolve(serving.caller, reference), deps.prices()]);
  const deadline = await serving.enter();
  const { alias, targets } = route;
  const target = targets[0] as LlmIdentity;
  const deadlineMs = deadline.remaining();
  serving.use.describe({ operation, alias: alias?.name, target, prices, deadlineMs, input });
  return { route, prices, terms: { ...serving, deadline } };
}

/** @throws Fault */
export async function dryChat(deps: OperationDependencies, body: ChatInput, caller: Caller): Promise<DryRun> {
  const { reference, request } = parseChat(body);
  const route = await deps.resolve(caller, reference);
  const prompt = promptText(withAliasDefaults(request, route));
  return estimateUse(deps, route, { prompt, tokens: estimateTokens(prompt) });
}

/** @throws Fault */
export async function dryEmbed(deps: OperationDependencies, body: EmbedInput, caller: Caller): Promise<DryRun> {
  const { reference, inputs } = parseEmbed(body);
  const prompt = inputs.filter((input) => typeof input === 'string').join('\n');
  const route = await deps.resolve(caller, reference);
  return estimateUse(deps, route, { prompt, tokens: estimateInputs(inputs) });
}

/** Of the prompt alone: how long the answer will be is unknown. */
async function estimateUse(
  { prices }: OperationDependencies,
  { targets }: ModelRoute,
  { prompt, tokens }: { prompt: string; tokens: number },
): Promise<DryRun> {
  const [first] = targets;
  const charge = first && chargeFor((await prices())(first), { input: tokens, output: 0 });
  return {
    model: first ? nameOf(first) : '',
    prompt,
    tokens_estimated: tokens,
    ...(charge ? { cost_estimated: charge.cost } : {}),
  };
}

const referenceFor = ({ alias }: ModelRoute, reference: string | undefined): string => reference ?? alias?.name ?? '';
