import type { Static } from 'typebox';
import { Fault } from '../../contract/codes/faults.ts';
import type { EmbedReply, OpenModel } from '../../families/llm-providers/public.ts';
import { nameOf } from '../../families/model-aliases/public.ts';
import { chargeFor } from '../../metering/prices/price.ts';
import { maskEmbed, withCheckedBodies } from '../masking/chats.ts';
import type { MaskingScope } from '../masking/masker.ts';
import { embeddingList, embedTokens, estimateInputs, parseEmbed } from '../models/embed.ts';
import { estimateUse, firstAllowed, referenceFor, routePlan } from '../models/routes.ts';
import type { Operation } from '../operation.ts';
import type { EmbeddingBody } from '../schemas.ts';

export type EmbedInput = Static<typeof EmbeddingBody>;

/** Makes vectors of texts, in the form of OpenAI's Embeddings. */
export const embed: Operation<EmbedInput, OpenModel, EmbedReply, ReturnType<typeof embeddingList>> = {
  name: 'embeddings',
  row: 'createEmbedding',
  flag: 'llm_providers',
  async open(context, body) {
    const { deps, caller, use } = context;
    const { reference, isBase64, naming, ...request } = parseEmbed(body);
    const { inputs } = request;
    const [route, prices, cooldowns] = await Promise.all([
      deps.resolve(caller, reference),
      deps.prices(),
      deps.cooldowns(),
    ]);
    const tokensFor = (reply: EmbedReply) => embedTokens(reply, inputs);
    return async () => ({
      ...routePlan({ ...deps, caller, prices, cooldowns }, route),
      input: inputs,
      estimate: () => ({ input: estimateInputs(inputs), output: 0 }),
      async send(upstream, target) {
        const { client, model } = target;
        const scope: MaskingScope = ['model', route.alias?.name ?? nameOf(target)];
        const task = { target, alias: route.alias?.name, scope, ...naming };
        const { content, masked } = await maskEmbed(context, task, request);
        if (masked) use.input = content.inputs;
        const reply = await withCheckedBodies(() => client.embed(model, content, upstream));
        upstream.count(tokensFor(reply), reply.model);
        return reply;
      },
      result(answer, model) {
        const { length } = answer.vectors;
        if (length !== inputs.length) {
          throw new Fault('upstream_error', `The provider answered ${length} vectors for ${inputs.length} texts`);
        }
        const tokens = tokensFor(answer);
        const charge = chargeFor(prices(model), tokens);
        const warnings = [...answer.warnings, ...use.warnings];
        const facts = { answer, model, attempts: use.attempts, tokens, warnings, charge, masked: use.masked };
        const response = embeddingList(facts, referenceFor(route, reference), isBase64, use.meter.times);
        return { response, tokens, charge, output: null };
      },
    });
  },
  async dryRun(deps, body, caller) {
    const { reference, inputs, naming } = parseEmbed(body);
    const route = await deps.resolve(caller, reference);
    const context = { deps, caller, use: { countMasked: () => {} } };
    const { target, content, masked } = await firstAllowed(route, (target) => {
      const scope: MaskingScope = ['model', route.alias?.name ?? nameOf(target)];
      return maskEmbed(context, { target, alias: route.alias?.name, scope, ...naming }, { inputs });
    });
    const prompt = content.inputs.filter((input) => typeof input === 'string').join('\n');
    return estimateUse(deps, { target, prompt, tokens: estimateInputs(inputs), masked });
  },
};
