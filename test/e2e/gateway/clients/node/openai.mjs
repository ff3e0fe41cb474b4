import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { report } from './session.mjs';

const look = {
  type: 'function',
  name: 'look',
  description: 'Looks at a step',
  parameters: {
    type: 'object',
    properties: { step: { type: 'integer' } },
    required: ['step'],
    additionalProperties: false,
  },
  strict: true,
};

await report((model, { url, key, prompts, picture, pictureStep }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
  const ask = (input) => client.responses.create({ model, input });
  const outputOf = (step) =>
    step === pictureStep
      ? [
          { type: 'input_text', text: `step ${step}` },
          { type: 'input_image', image_url: `data:image/png;base64,${picture}`, detail: 'auto' },
        ]
      : `step ${step}`;
  return {
    async steps() {
      const input = [{ role: 'user', content: prompts.steps }];
      for (let turn = 0; turn < 30; turn += 1) {
        const body = { model, input, tools: [look], store: false, include: ['reasoning.encrypted_content'] };
        const isStreamed = turn % 2 === 0;
        const { output, output_text } = isStreamed
          ? await client.responses.stream(body).finalResponse()
          : await client.responses.create(body);
        const calls = output.filter(({ type }) => type === 'function_call');
        if (calls.length === 0) return output_text;
        input.push(...output);
        for (const { call_id, arguments: text } of calls) {
          input.push({ type: 'function_call_output', call_id, output: outputOf(JSON.parse(text).step) });
        }
      }
    },
    async object() {
      const format = zodTextFormat(z.object({ count: z.number() }), 'count');
      const { output_parsed } = await client.responses.parse({ model, input: prompts.object, text: { format } });
      return output_parsed.count;
    },
    async refusal() {
      const { output, incomplete_details: incomplete } = await ask(prompts.refusal);
      const parts = output.flatMap(({ content = [] }) => content);
      return parts.some(({ type }) => type === 'refusal') || incomplete?.reason === 'content_filter';
    },
    async cut() {
      const { status, incomplete_details: incomplete } = await ask(prompts.cut);
      return status === 'incomplete' && incomplete.reason === 'max_output_tokens';
    },
    overload: () => ask(prompts.overload),
    models: async () => (await client.models.list()).data.some(({ id }) => id === model),
  };
});
