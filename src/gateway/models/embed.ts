import type { Static } from 'typebox';
import { invalid } from '../../contract/codes/faults.ts';
import type { EmbedReply, UnknownFields } from '../../families/llm-providers/public.ts';
import type { Times } from '../../metering/meter.ts';
import { estimateTokens, type Tokens } from '../../metering/tokens.ts';
import type { EmbeddingBody } from '../schemas.ts';
import { hashedUser } from './chat.ts';
import { othersIn } from './chatParts.ts';
import { type ChargeFields, type UseResult, usageOf, useFacts } from './chatReply.ts';
import { NAMING_FIELDS, type Naming, namingOf } from './naming.ts';

type Body = Static<typeof EmbeddingBody>;
type Input = string | readonly number[];

/** A parsed body of Embeddings. */
export interface EmbedCall {
  reference: string | undefined;
  inputs: readonly Input[];
  dimensions: number | undefined;
  inputType: 'document' | 'query';
  user: string | undefined;
  /** Fields that the gateway does not know. */
  others: UnknownFields | undefined;
  isBase64: boolean;
  naming: Naming;
}

const MAX_INPUTS = 2048;

/** @throws Fault `validation_failed` */
export function parseEmbed(body: Body): EmbedCall {
  const { input } = body;
  const inputs = isTokens(input) ? [input] : Array.isArray(input) ? (input as unknown[]) : [input];
  const message = inputProblem(inputs);
  if (message) throw invalid([{ field: 'input', message }]);
  return {
    reference: body.model ?? undefined,
    inputs: inputs as Input[],
    dimensions: body.dimensions ?? undefined,
    inputType: body.input_type ?? 'document',
    user: body.user === undefined || body.user === null ? undefined : hashedUser(body.user),
    others: othersIn(body, 'model', 'input', 'dimensions', 'input_type', 'user', 'encoding_format', ...NAMING_FIELDS),
    isBase64: body.encoding_format === 'base64',
    naming: namingOf(body),
  };
}

const isTokens = (input: unknown): input is number[] =>
  Array.isArray(input) && input.length > 0 && input.every((token) => Number.isInteger(token));

function inputProblem(inputs: readonly unknown[]): string | undefined {
  if (inputs.length === 0) return 'must not be empty';
  if (inputs.length > MAX_INPUTS) return `must have at most ${MAX_INPUTS} texts`;
  const isInput = (input: unknown) => (typeof input === 'string' && input !== '') || isTokens(input);
  return inputs.every(isInput)
    ? undefined
    : 'must be a text, a list of texts, or lists of token ids; no text may be empty';
}

/** Tokens of an answer, estimated where the provider does not count. */
export function embedTokens({ usage }: Pick<EmbedReply, 'usage'>, inputs: readonly Input[]): Tokens {
  const { total, cached } = usage.input;
  // No input is empty, so that a count of nothing is none.
  const counted = total === 0 ? undefined : total;
  return { input: counted ?? estimateInputs(inputs), cached, output: 0, estimated: counted === undefined };
}

export const estimateInputs = (inputs: readonly Input[]): number =>
  inputs.reduce((sum, input) => sum + (typeof input === 'string' ? estimateTokens(input) : input.length), 0);

/** OpenAI's object for vectors. */
export function embeddingList(
  result: UseResult<EmbedReply> & ChargeFields,
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
