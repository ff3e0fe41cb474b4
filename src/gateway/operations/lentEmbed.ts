import { Fault } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { parallel } from '../../domain/async/parallel.ts';
import { addKnown, roundDollars } from '../../domain/values/numbers.ts';
import type { OpenModel } from '../../families/llm-providers/public.ts';
import { nameOf } from '../../families/model-aliases/public.ts';
import { type Charge, chargeFor } from '../../metering/prices/price.ts';
import type { Tokens } from '../../metering/tokens.ts';
import type { Upstream } from '../../ports/platform/upstream.ts';
import { runOperation } from '../frame.ts';
import { maskEmbed, withCheckedBodies } from '../masking/chats.ts';
import type { MaskingScope } from '../masking/masker.ts';
import { embedTokens, estimateInputs } from '../models/embed.ts';
import { routePlan } from '../models/routes.ts';
import type { Operation, OperationContext } from '../operation.ts';

/** Texts for the embedding model that a vector store lends. */
export interface LentTexts {
  store: string;
  /** Model or alias. */
  reference: string;
  inputType: 'document' | 'query';
  /** `owner`: what the text is a part of; a text that the model refuses fails its owner. */
  texts: readonly { owner: number; text: string }[];
  /** Whether a refused text fails its owner alone; otherwise it fails the use. */
  failsAlone: boolean;
}

/** A failure of one owner. */
export type TextFailure = Fault | OutboundError;

export interface LentVectors {
  /** In the order of the texts; undefined where their owner failed. */
  vectors: (Float32Array | undefined)[];
  failures: ReadonlyMap<number, TextFailure>;
}

/** Texts of one request, and characters. */
const MAX_TEXTS = 64;
const MAX_CHARACTERS = 200_000;
const AT_ONCE = 2;
/** After so many refused texts, and no vector, the model is the cause and not the texts. */
const MAX_REFUSED = 8;
/** Codes of a text that the model does not take. */
const OWN_CODES = ['bad_request', 'context_length_exceeded', 'content_filtered', 'content_refused'];

/** Makes vectors for a store: the model is the store's, the use is the caller's. */
const lentEmbed: Operation<LentTexts, OpenModel, LentVectors, LentVectors> = {
  name: 'embeddings',
  repeatsEach: true,
  async open(context, { reference, inputType, texts, failsAlone }) {
    const { deps, caller, use } = context;
    const [route, prices, cooldowns] = await Promise.all([
      deps.resolveLent(reference),
      deps.prices(),
      deps.cooldowns(),
    ]);
    const inputs = texts.map(({ text }) => text);
    let tokens: Tokens = { input: 0, output: 0, estimated: false };
    let charge: Charge | undefined;
    /** As the provider gets them. */
    const sent: unknown[] = [...inputs];
    return async () => ({
      ...routePlan({ ...deps, caller, prices, cooldowns }, route),
      input: inputs,
      estimate: () => ({ input: estimateInputs(inputs), output: 0 }),
      async send(upstream, target) {
        const { client, model } = target;
        const scope: MaskingScope = ['model', route.alias?.name ?? nameOf(target)];
        const task = { target, alias: route.alias?.name, scope };
        const vectors: (Float32Array | undefined)[] = texts.map(() => undefined);
        const failures = new Map<number, TextFailure>();
        let made = 0;
        const embed = async (indexes: readonly number[]): Promise<void> => {
          const { content, masked } = await maskEmbed(context, task, {
            inputs: indexes.map((index) => inputs[index] as string),
            inputType,
          });
          if (masked) {
            for (const [place, index] of indexes.entries()) sent[index] = content.inputs[place];
            use.input = sent;
          }
          const reply = await withCheckedBodies(() => client.embed(model, content, upstream));
          const counted = embedTokens(reply, content.inputs);
          upstream.count(counted, reply.model);
          tokens = {
            input: tokens.input + counted.input,
            cached: addKnown(tokens.cached, counted.cached),
            output: 0,
            estimated: tokens.estimated || counted.estimated,
          };
          charge = sumOf(charge, chargeFor(prices(target), counted));
          if (reply.vectors.length !== indexes.length) throw wrongAnswer('as many vectors as texts');
          for (const [place, index] of indexes.entries()) vectors[index] = float32(reply.vectors[place] as number[]);
          made += indexes.length;
        };
        const embedOrSplit = async (given: readonly number[]): Promise<void> => {
          const indexes = given.filter((index) => !failures.has(ownerOf(texts, index)));
          if (indexes.length === 0 || upstream.signal.aborted) return upstream.signal.throwIfAborted();
          try {
            await embed(indexes);
          } catch (error) {
            if (!failsAlone || !isOwn(error)) throw error;
            const [first] = indexes;
            if (indexes.length === 1 && first !== undefined) {
              failures.set(ownerOf(texts, first), error);
              if (made === 0 && failures.size >= MAX_REFUSED && error.code === 'bad_request') throw error;
              return;
            }
            const half = Math.ceil(indexes.length / 2);
            await embedOrSplit(indexes.slice(0, half));
            await embedOrSplit(indexes.slice(half));
          }
        };
        await parallel(slicesOf(inputs), AT_ONCE, embedOrSplit);
        assertOneLength(vectors);
        return { vectors, failures };
      },
      result(answer) {
        return { response: answer, tokens, charge, output: null, warnings: use.warnings };
      },
    });
  },
};

const sumOf = (sum: Charge | undefined, more: Charge | undefined): Charge | undefined =>
  more && { ...more, cost: roundDollars((sum?.cost ?? 0) + more.cost) };

const ownerOf = (texts: LentTexts['texts'], index: number): number => (texts[index] as { owner: number }).owner;

const isOwn = (error: unknown): error is TextFailure =>
  (error instanceof Fault || error instanceof OutboundError) && OWN_CODES.includes(error.code);

const wrongAnswer = (missing: string) => new OutboundError('upstream_error', `The provider did not answer ${missing}`);

/** @throws OutboundError `upstream_error` for numbers that are too large to be stored */
function float32(numbers: readonly number[]): Float32Array {
  const vector = Float32Array.from(numbers);
  if (!vector.every(Number.isFinite)) throw wrongAnswer('numbers of 32 bits');
  return vector;
}

/** @throws OutboundError `upstream_error` */
function assertOneLength(vectors: readonly (Float32Array | undefined)[]): void {
  const lengths = new Set(vectors.flatMap((vector) => (vector ? [vector.length] : [])));
  if (lengths.size > 1) throw wrongAnswer('vectors of one length');
}

/** Indexes of texts that go in one request. */
function slicesOf(texts: readonly string[]): number[][] {
  const slices: number[][] = [];
  let characters = 0;
  for (const [index, { length }] of texts.entries()) {
    const slice = slices.at(-1);
    if (slice && slice.length < MAX_TEXTS && characters + length <= MAX_CHARACTERS) {
      slice.push(index);
      characters += length;
    } else {
      slices.push([index]);
      characters = length;
    }
  }
  return slices;
}

/**
 * Has texts embedded by the model that a store lends: a use within that of the store.
 * @throws Fault, OutboundError `configuration_invalid` where the model is gone
 */
export async function embedForStore(context: OperationContext, upstream: Upstream, texts: LentTexts) {
  const { deps, caller, waits, beginning } = context;
  return context.use
    .within((use) => {
      const inner: OperationContext = { deps, caller, use, waits, enter: async () => upstream };
      return runOperation(lentEmbed, beginning ? { ...inner, beginning } : inner, texts);
    })
    .catch((error: unknown) => {
      if (!(error instanceof Fault) || error.code !== 'not_found') throw error;
      // The store itself was found.
      throw new OutboundError(
        'configuration_invalid',
        `The embedding model ${texts.reference} of the vector store ${texts.store} does not exist`,
      );
    });
}
