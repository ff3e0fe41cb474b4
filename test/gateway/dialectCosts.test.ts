import { expect } from 'chai';
import { fromAnthropicChat } from '../../src/families/llm-providers/chat/anthropic/answer.ts';
import { fromConverse } from '../../src/families/llm-providers/chat/bedrock/answer.ts';
import { fromBedrockEmbed } from '../../src/families/llm-providers/chat/bedrock/embeddings.ts';
import { fromGeminiChat } from '../../src/families/llm-providers/chat/gemini/answer.ts';
import { fromOllamaChat, fromOllamaEmbed } from '../../src/families/llm-providers/chat/ollama/answer.ts';
import { fromOpenAiChat } from '../../src/families/llm-providers/chat/openai/answer.ts';
import { fromOpenAiEmbed } from '../../src/families/llm-providers/chat/openai/embeddings.ts';
import type { Usage } from '../../src/families/llm-providers/public.ts';
import { tokensOf } from '../../src/gateway/models/chatReply.ts';
import { chargeFor } from '../../src/metering/prices/price.ts';

const PRICE = { input: 3, cachedInput: 0.3, output: 15, version: 'test' };
const K = 1000;
/** 10,000 tokens of input, 4,000 of them from a cache; 2,000 of output, 500 of them reasoning. */
const COST = (6 * K * 3 + 4 * K * 0.3 + 2 * K * 15) / 1e6;
const WITHOUT_CACHE = (10 * K * 3 + 2 * K * 15) / 1e6;

/** The same use, as each provider counts it: some count what is cached and thought apart, some within. */
const ANSWERS: [string, { usage: Usage } | undefined, number][] = [
  [
    'OpenAI, Azure, Groq and hosted models',
    fromOpenAiChat({
      choices: [{ message: { content: 'x' }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 10 * K,
        completion_tokens: 2 * K,
        total_tokens: 12 * K,
        prompt_tokens_details: { cached_tokens: 4 * K },
        completion_tokens_details: { reasoning_tokens: 500 },
      },
    }),
    COST,
  ],
  [
    'Anthropic',
    fromAnthropicChat({
      content: [{ type: 'text', text: 'x' }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 5 * K,
        cache_creation_input_tokens: 1 * K,
        cache_read_input_tokens: 4 * K,
        output_tokens: 2 * K,
      },
    }),
    COST,
  ],
  [
    'Bedrock',
    fromConverse({
      output: { message: { content: [{ text: 'x' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 6 * K, cacheReadInputTokens: 4 * K, outputTokens: 2 * K, totalTokens: 12 * K },
    }),
    COST,
  ],
  [
    'Gemini',
    fromGeminiChat({
      candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 10 * K,
        cachedContentTokenCount: 4 * K,
        candidatesTokenCount: 1500,
        thoughtsTokenCount: 500,
        totalTokenCount: 12 * K,
      },
    }),
    COST,
  ],
  [
    'Ollama, which has no cache',
    fromOllamaChat({
      message: { content: 'x' },
      done_reason: 'stop',
      prompt_eval_count: 10 * K,
      eval_count: 2 * K,
    }),
    WITHOUT_CACHE,
  ],
  [
    "embeddings in OpenAI's dialect",
    fromOpenAiEmbed({ data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 10 * K } }),
    (10 * K * 3) / 1e6,
  ],
  ['embeddings of Bedrock', fromBedrockEmbed({ embedding: [1], inputTextTokenCount: 10 * K }), (10 * K * 3) / 1e6],
  ['embeddings of Ollama', fromOllamaEmbed({ embeddings: [[1]], prompt_eval_count: 10 * K }), (10 * K * 3) / 1e6],
];

describe('the cost of the same use', () => {
  for (const [provider, answer, cost] of ANSWERS) {
    it(`is the same with ${provider}`, () => {
      const { usage } = answer ?? expect.fail('no answer');
      // Embeddings have no output.
      const counted = { ...usage, output: { ...usage.output, total: usage.output.total ?? 0 } };
      const tokens = tokensOf(counted, { prompt: () => expect.fail('estimated'), answer: () => '' });
      expect([tokens.input, tokens.estimated]).to.deep.equal([10 * K, false]);
      expect(chargeFor(PRICE, tokens)?.cost).to.equal(cost);
    });
  }
});
