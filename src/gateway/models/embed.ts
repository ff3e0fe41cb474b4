import type { Static } from 'typebox';
import { Fault, invalid } from '../../contract/codes/faults.ts';
import type { EmbedReply } from '../../families/llm-providers/public.ts';
import type { ModelRoute } from '../../families/model-aliases/public.ts';
import type { EmbeddingBody } from '../schemas.ts';
import type { Times } from '../use/meter.ts';
import { estimateTokens, type Tokens } from '../use/tokens.ts';
import { type Priced, type UseResult, usageOf, useFacts } from './chatReply.ts';
import { type CallTerms, callTargets, type ModelDependencies } from './targets.ts';

type Body = Static<typeof EmbeddingBody>;
type Input = string | readonly number[];

/** A parsed body of Embeddings. */
export interface EmbedCall {
  reference: string | undefined;
  inputs: readonly Input[];
  dimensions: number | undefined;
  inputType: 'document' | 'query';
  user: string | undefined;
  isBase64: boolean;
}

const MAX_INPUTS = 2048;

/** @throws Fault `validation_failed` */
export function parseEmbed(body: Body): EmbedCall {
  const { input } = body;
  const inputs = isTokens(input) ? [input] : Array.isArray(input) ? (input as unknown[]) : [input];
  const message = inputProblem(inputs);
  if (message) throw invalid([{ field: 'input', message }]);
  return {
    reference: body.model,
    inputs: inputs as Input[],
    dimensions: body.dimensions ?? undefined,
    inputType: body.input_type ?? 'document',
    user: body.user ?? undefined,
    isBase64: body.encoding_format === 'base64',
  };
}

const isTokens = (input: unknown): input is number[] =>
  Array.isArray(input) && input.length > 0 && input.every((token) => Number.isInteger(token));

function inputProblem(inputs: readonly unknown[]): string | undefined {
  if (inputs.length === 0) return 'must not be empty';
  if (inputs.length > MAX_INPUTS) return `must have at most ${MAX_INPUTS} texts`;
  const isInput = (one: unknown) => (typeof one === 'string' && one !== '') || isTokens(one);
  return inputs.every(isInput)
    ? undefined
    : 'must be a text, a list of texts, or lists of token ids; no text may be empty';
}

/** @throws Fault; OutboundError */
export async function embed(
  deps: ModelDependencies,
  route: ModelRoute,
  { inputs, dimensions, inputType, user }: EmbedCall,
  terms: CallTerms,
): Promise<UseResult<EmbedReply>> {
  const { use } = terms;
  const tokensFor = ({ usage }: EmbedReply): Tokens => {
    const { total, cached } = usage.input;
    // No input is empty, so that a count of nothing is none.
    const counted = total === 0 ? undefined : total;
    return { input: counted ?? estimateInputs(inputs), cached, output: 0, estimated: counted === undefined };
  };
  const { answer, model } = await callTargets(deps, route, terms, {
    estimate: () => ({ input: estimateInputs(inputs), output: 0 }),
    async send(target, deadline) {
      const reply = await target.client.embed(target.model, { inputs, dimensions, inputType, user }, deadline);
      use.count(tokensFor(reply), reply.model);
      return reply;
    },
  });
  if (answer.vectors.length !== inputs.length) {
    throw new Fault(
      'upstream_error',
      `The provider answered ${answer.vectors.length} vectors for ${inputs.length} texts.`,
    );
  }
  const warnings = [...answer.warnings, ...use.warnings];
  return { answer, model, attempts: use.attempts, tokens: tokensFor(answer), warnings };
}

export const estimateInputs = (inputs: readonly Input[]): number =>
  inputs.reduce((sum, input) => sum + (typeof input === 'string' ? estimateTokens(input) : input.length), 0);

/** OpenAI's object for vectors. */
export function embeddingList(
  result: UseResult<EmbedReply> & Priced,
  reference: string,
  isBase64: boolean,
  times: Times,
) {
  const { input: tokens } = result.tokens;
  const { completion_tokens: _, ...usage } = usageOf(result.tokens);
  return {
    object: 'list' as const,
    data: result.answer.vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: isBase64 ? toBase64(vector) : vector,
    })),
    model: reference,
    usage: { ...usage, total_tokens: tokens },
    ml: useFacts(result, times),
  };
}

/** Little-endian float32, as OpenAI's clients ask by default. */
function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
