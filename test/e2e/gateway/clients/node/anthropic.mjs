import Anthropic from '@anthropic-ai/sdk';
import { report } from './session.mjs';

const look = {
  name: 'look',
  description: 'Looks at a step',
  input_schema: { type: 'object', properties: { step: { type: 'integer' } }, required: ['step'] },
};
const schema = {
  type: 'object',
  properties: { count: { type: 'number' } },
  required: ['count'],
  additionalProperties: false,
};

await report((model, { url, key, prompts, picture, pictureStep }) => {
  const client = new Anthropic({ baseURL: url, authToken: key, apiKey: null, maxRetries: 0 });
  const says = (content) => [{ role: 'user', content }];
  const ask = (prompt, more) => client.messages.create({ model, max_tokens: 1000, messages: says(prompt), ...more });
  const contentOf = (step) =>
    step === pictureStep
      ? [
          { type: 'text', text: `step ${step}` },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
        ]
      : `step ${step}`;
  return {
    async steps() {
      const messages = says(prompts.steps);
      for (let turn = 0; turn < 30; turn += 1) {
        const thinking = { type: 'enabled', budget_tokens: 1024 };
        const body = {
          model,
          max_tokens: 4000,
          thinking,
          messages,
          tools: [look],
          cache_control: { type: 'ephemeral' },
        };
        const isStreamed = turn % 2 === 0;
        const { content } = isStreamed
          ? await client.messages.stream(body).finalMessage()
          : await client.messages.create(body);
        const calls = content.filter(({ type }) => type === 'tool_use');
        if (calls.length === 0) return content.map(({ text = '' }) => text).join('');
        const results = calls.map(({ id, input }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: contentOf(input.step),
        }));
        messages.push({ role: 'assistant', content }, { role: 'user', content: results });
      }
    },
    async object() {
      const { content } = await ask(prompts.object, { output_config: { format: { type: 'json_schema', schema } } });
      return JSON.parse(content.at(-1).text).count;
    },
    refusal: async () => (await ask(prompts.refusal)).stop_reason === 'refusal',
    cut: async () => (await ask(prompts.cut)).stop_reason === 'max_tokens',
    overload: () => ask(prompts.overload),
    async models() {
      for await (const { id } of client.models.list()) if (id === model) return true;
      return false;
    },
    async count() {
      const { input_tokens: tokens } = await client.messages.countTokens({ model, messages: says(prompts.steps) });
      return tokens > 0;
    },
  };
});
