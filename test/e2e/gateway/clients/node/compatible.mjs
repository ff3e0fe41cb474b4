import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embedMany, generateText, Output, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

// Asks the gateway in each way that the SDK has, and prints what came as JSON.
const [baseURL, apiKey] = process.argv.slice(2);
const provider = createOpenAICompatible({
  name: 'gateway',
  baseURL,
  apiKey,
  supportsStructuredOutputs: true,
  includeUsage: true,
});
const model = provider('up/m');
const results = {};

const plain = await generateText({ model, prompt: 'Say ok', temperature: 0.5, maxOutputTokens: 50 });
results.text = { text: plain.text, finish: plain.finishReason, tokens: plain.usage.totalTokens };

const stream = streamText({ model, prompt: 'Say ok' });
const pieces = [];
for await (const piece of stream.textStream) pieces.push(piece);
results.stream = { text: pieces.join(''), finish: await stream.finishReason, tokens: (await stream.usage).totalTokens };

let heard;
const looped = await generateText({
  model,
  prompt: 'What is the weather in Ulm?',
  tools: {
    weather: tool({
      description: 'Tells the weather',
      inputSchema: z.object({ city: z.string() }),
      execute: async (input) => {
        heard = input;
        return { sunny: true };
      },
    }),
  },
  stopWhen: stepCountIs(3),
});
results.tools = { called: heard !== undefined, steps: looped.steps.length, text: looped.text };

const object = await generateText({
  model,
  prompt: 'How many?',
  output: Output.object({ schema: z.object({ count: z.number() }) }),
});
results.object = { type: typeof object.output.count };

const image = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46]);
const picture = await generateText({
  model,
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image', image, mediaType: 'image/png' },
      ],
    },
  ],
});
results.picture = { text: picture.text };

const { embeddings } = await embedMany({ model: provider.embeddingModel('up/m'), values: ['a', 'bb'] });
results.embeddings = embeddings.map((vector) => vector.length);

results.failure = await generateText({ model: provider('up/nothing'), prompt: 'x', maxRetries: 2 }).then(
  () => undefined,
  ({ name, statusCode, isRetryable }) => ({ name, statusCode, isRetryable }),
);

console.log(JSON.stringify(results));
