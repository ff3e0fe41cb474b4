import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, Output, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { report } from './session.mjs';

const [, , , maker] = process.argv;
/** The client for Anthropic forces a tool where it wants an object, which not every provider knows. */
const MAKERS = {
  openai: (baseURL, apiKey) => createOpenAI({ baseURL, apiKey }),
  anthropic: (baseURL, authToken) =>
    createAnthropic({ baseURL, authToken, headers: { 'X-ML-Drop-Unsupported': 'true' } }),
};
const SETTINGS = { maxRetries: 0, maxOutputTokens: 4000, providerOptions: { openai: { store: false } } };

await report((name, { url, key, prompts, picture, pictureStep }) => {
  const model = MAKERS[maker](`${url}/v1`, key)(name);
  const look = tool({
    description: 'Looks at a step',
    inputSchema: z.object({ step: z.number().int() }),
    execute: ({ step }) => step,
    toModelOutput({ output: step }) {
      const text = { type: 'text', text: `step ${step}` };
      const image = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: picture } };
      return { type: 'content', value: step === pictureStep ? [text, image] : [text] };
    },
  });
  const ask = (prompt, more) => generateText({ model, prompt, ...SETTINGS, ...more });
  return {
    async steps() {
      const asked = { model, prompt: prompts.steps, tools: { look }, stopWhen: stepCountIs(30) };
      let failure;
      const stream = streamText({ ...asked, ...SETTINGS, onError: ({ error }) => (failure = error) });
      await stream.consumeStream();
      if (failure) throw failure;
      return stream.text;
    },
    async object() {
      const output = Output.object({ schema: z.object({ count: z.number() }) });
      return (await ask(prompts.object, { output })).output.count;
    },
    refusal: async () => (await ask(prompts.refusal)).finishReason === 'content-filter',
    cut: async () => (await ask(prompts.cut)).finishReason === 'length',
    overload: () => ask(prompts.overload),
  };
});
