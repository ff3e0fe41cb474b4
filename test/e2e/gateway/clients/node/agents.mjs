import { Agent, OpenAIResponsesModel, run, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { report } from './session.mjs';

// Traces hold the prompts, and would go to OpenAI with the platform's token.
setTracingDisabled(true);

await report((name, { url, key, prompts, picture, pictureStep }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
  const model = new OpenAIResponsesModel(client, name);
  const look = tool({
    name: 'look',
    description: 'Looks at a step',
    parameters: z.object({ step: z.number().int() }),
    execute: ({ step }) =>
      step === pictureStep
        ? [
            { type: 'text', text: `step ${step}` },
            { type: 'image', image: { data: picture, mediaType: 'image/png' } },
          ]
        : `step ${step}`,
  });
  const agent = new Agent({ name: 'worker', instructions: 'Be brief.', model, tools: [look] });
  const asked = async (prompt, more) => (await run(new Agent({ name: 'speaker', model, ...more }), prompt)).finalOutput;
  /** Whether it ends in an error of one of these names, by which the SDK reports answers that are not whole. */
  const ends = (prompt, ...names) =>
    asked(prompt).then(
      () => false,
      (error) => {
        if (names.includes(error.constructor.name)) return true;
        throw error;
      },
    );
  return {
    async steps() {
      const result = await run(agent, prompts.steps, { maxTurns: 30, stream: true });
      await result.completed;
      return result.finalOutput;
    },
    object: async () => (await asked(prompts.object, { outputType: z.object({ count: z.number() }) })).count,
    refusal: () => ends(prompts.refusal, 'ModelRefusalError', 'ModelBehaviorError'),
    cut: () => ends(prompts.cut, 'ModelBehaviorError'),
    overload: () => asked(prompts.overload),
  };
});
