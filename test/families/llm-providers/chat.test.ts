import { expect } from 'chai';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { fromAnthropicChat, toAnthropicChat } from '../../../src/families/llm-providers/chat/anthropicChat.ts';
import {
  bedrockEmbedBatch,
  fromBedrockEmbed,
  fromConverse,
  toBedrockEmbed,
  toConverse,
} from '../../../src/families/llm-providers/chat/bedrockChat.ts';
import type { ChatAnswer, ChatRequest } from '../../../src/families/llm-providers/chat/chat.ts';
import { fromGeminiChat, toGeminiChat } from '../../../src/families/llm-providers/chat/geminiChat.ts';
import { fromOllamaChat, toOllamaChat } from '../../../src/families/llm-providers/chat/ollamaChat.ts';
import { fromOpenAiChat, toOpenAiChat } from '../../../src/families/llm-providers/chat/openAiChat.ts';
import { LLM_PROVIDERS } from '../../../src/families/llm-providers/providers/registry.ts';
import { FakeLlm } from '../../support/memory/llm.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const call = { id: 'c1', name: 'weather', arguments: '{"city":"Ulm"}' };
const image = { type: 'image', mediaType: 'image/png', data: 'aGk=' } as const;
/** A turn with a tool behind it, and a picture. */
const REQUEST: ChatRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Look' }, image] },
    { role: 'assistant', content: '', toolCalls: [call] },
    { role: 'tool', toolCallId: 'c1', content: 'sunny' },
    { role: 'user', content: 'And now?' },
  ],
  tools: [{ name: 'weather', description: 'Tells it', parameters }],
  toolChoice: { name: 'weather' },
  maxTokens: 100,
  temperature: 1.5,
  stop: ['END'],
};
const SCHEMA: ChatRequest = {
  messages: [{ role: 'system', content: 'Only system' }],
  responseFormat: { type: 'json_schema', name: 'n', schema: { type: 'object' } },
};
const weather = (more: object) => ({ name: 'weather', description: 'Tells it', ...more });

describe('chat requests', () => {
  it('OpenAI', () => {
    expect(toOpenAiChat('m', REQUEST).body).to.deep.equal({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
        { role: 'user', content: 'And now?' },
      ],
      tools: [{ type: 'function', function: weather({ parameters }) }],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      temperature: 1.5,
      stop: ['END'],
    });
  });

  it('Anthropic: system apart, results first in a joined turn, temperature cut', () => {
    const { body, unsupported, warnings } = toAnthropicChat('m', { ...REQUEST, seed: 1, topP: 0.5 });
    expect(body).to.deep.equal({
      model: 'm',
      max_tokens: 100,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Ulm' } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'sunny' },
            { type: 'text', text: 'And now?' },
          ],
        },
      ],
      temperature: 1,
      stop_sequences: ['END'],
      tools: [weather({ input_schema: parameters })],
      tool_choice: { type: 'tool', name: 'weather' },
    });
    expect(unsupported).to.deep.equal(['seed', 'top_p']);
    expect(warnings).to.have.length(1);
    expect(toAnthropicChat('m', SCHEMA).body).to.deep.equal({
      model: 'm',
      max_tokens: 4096,
      messages: [{ role: 'user', content: 'Only system' }],
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
    });
  });

  it('Bedrock: alternating turns, tools named even where none may be called', () => {
    const { body } = toConverse(REQUEST);
    expect(body.system).to.deep.equal([{ text: 'Be brief.' }]);
    expect(body.inferenceConfig).to.deep.equal({ maxTokens: 100, temperature: 1, stopSequences: ['END'] });
    expect(body.messages).to.deep.equal([
      {
        role: 'user',
        content: [{ text: 'Look' }, { image: { format: 'png', source: { bytes: Buffer.from('hi') } } }],
      },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'weather', input: { city: 'Ulm' } } }] },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'c1', content: [{ text: 'sunny' }], status: 'success' } },
          { text: 'And now?' },
        ],
      },
    ]);
    expect(body.toolConfig).to.deep.equal({
      tools: [{ toolSpec: weather({ inputSchema: { json: parameters } }) }],
      toolChoice: { tool: { name: 'weather' } },
    });
    const none = toConverse({ ...REQUEST, tools: undefined, toolChoice: 'none' }).body;
    expect(none.toolConfig).to.deep.equal({
      tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object' } } } }],
    });
    expect(none.system).to.deep.equal([{ text: 'Be brief.' }, { text: 'Do not call any tool.' }]);
  });

  it('Gemini: results by name, and a signature for every turn of calls', () => {
    const { body } = toGeminiChat(REQUEST);
    expect(body.contents).to.deep.equal([
      { role: 'user', parts: [{ text: 'Look' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }] },
      {
        role: 'model',
        parts: [
          {
            functionCall: { id: 'c1', name: 'weather', args: { city: 'Ulm' } },
            thoughtSignature: 'skip_thought_signature_validator',
          },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'c1', name: 'weather', response: { output: 'sunny' } } },
          { text: 'And now?' },
        ],
      },
    ]);
    expect(body.toolConfig).to.deep.equal({
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] },
    });
    expect(toGeminiChat(SCHEMA).body.generationConfig).to.deep.equal({
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object' },
    });
  });

  it('Ollama: arguments as an object, a prompt that is never cut, no forced tool', () => {
    const { body, unsupported } = toOllamaChat('m', REQUEST);
    expect(unsupported).to.deep.equal(['tool_choice']);
    expect(body).to.deep.include({ stream: false, truncate: false, shift: false });
    expect(body.messages).to.deep.equal([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look', images: ['aGk='] },
      { role: 'assistant', content: '', tool_calls: [{ function: { name: 'weather', arguments: { city: 'Ulm' } } }] },
      { role: 'tool', tool_name: 'weather', content: 'sunny' },
      { role: 'user', content: 'And now?' },
    ]);
    expect(toOllamaChat('m', { ...REQUEST, toolChoice: 'none' }).body).not.to.have.property('tools');
  });

  it('what a provider cannot do is refused, or left out with a warning', async () => {
    const peers = new FakeLlm();
    peers.answer = () => ({ json: { content: [] } });
    const target = { settings: { endpoint: 'https://llm.example', verify_tls: true }, hidden: [] };
    using deadline = startDeadline(5000);
    const client = LLM_PROVIDERS.Assistant_Family.client(target, peers);
    const refused = await client.chat('m', { ...SCHEMA, seed: 1 }, deadline).catch((error) => error);
    expect(refused).to.include({ code: 'not_supported', message: 'The provider does not support seed.' });
    expect(peers.calls).to.have.length(0);
    const { warnings } = await client.chat('m', { ...SCHEMA, seed: 1, dropUnsupported: true }, deadline);
    expect(warnings).to.have.length(1);
  });
});

describe('chat answers', () => {
  const usage = (input: [number, number], output: [number, number?]) => ({
    input: { total: input[0], cached: input[1] },
    output: { total: output[0], reasoning: output[1] },
  });
  const expected = (more: Partial<ChatAnswer>, content = '') => ({
    message: { role: 'assistant', content },
    toolCalls: [call],
    finishReason: 'tool_calls',
    ...more,
  });

  it('OpenAI', () => {
    const message = {
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: call.arguments } }],
    };
    const answer = fromOpenAiChat({
      choices: [{ message, finish_reason: 'tool_calls' }],
      usage: {
        prompt_tokens: 9,
        completion_tokens: 5,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    });
    expect(answer).to.deep.equal(expected({ usage: usage([9, 4], [5, 3]) }));
    expect(fromOpenAiChat({})).to.equal(undefined);
  });

  it('Anthropic: the prompt includes the cache, thinking travels with the call and back', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
    const answer = fromAnthropicChat({
      content: [
        thinking,
        { type: 'text', text: 'so' },
        { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Ulm' } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 2, cache_creation_input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 5 },
    });
    const extra = { anthropic: { thinking_blocks: [thinking] } };
    expect(answer).to.deep.equal(expected({ toolCalls: [{ ...call, extra }], usage: usage([9, 4], [5]) }, 'so'));
    const again = toAnthropicChat('m', {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'so', toolCalls: answer?.toolCalls },
      ],
    });
    expect((again.body.messages as { content: unknown[] }[])[1]?.content[0]).to.deep.equal(thinking);
  });

  it('Bedrock', () => {
    const content = [{ toolUse: { toolUseId: 'c1', name: 'weather', input: { city: 'Ulm' } } }];
    const tokens = { inputTokens: 2, cacheReadInputTokens: 4, cacheWriteInputTokens: 3, outputTokens: 5 };
    const answer = fromConverse({ output: { message: { content } }, stopReason: 'tool_use', usage: tokens });
    expect(answer).to.deep.equal(expected({ usage: usage([9, 4], [5]) }));
    expect(() => fromConverse({ output: { message: {} }, stopReason: 'malformed_tool_use' })).to.throw(/malformed/);
  });

  it('Gemini: thoughts are counted and not shown, signatures travel with the call', () => {
    const answer = fromGeminiChat({
      candidates: [
        {
          content: {
            parts: [
              { text: 'hm', thought: true },
              { text: 'so' },
              { functionCall: { id: 'c1', name: 'weather', args: { city: 'Ulm' } }, thoughtSignature: 'sig' },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: {
        promptTokenCount: 9,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 2,
        thoughtsTokenCount: 3,
      },
    });
    const extra = { google: { thought_signature: 'sig' } };
    expect(answer).to.deep.equal(expected({ toolCalls: [{ ...call, extra }], usage: usage([9, 4], [5, 3]) }, 'so'));
    expect(fromGeminiChat({ promptFeedback: { blockReason: 'SAFETY' } })?.finishReason).to.equal('content_filter');
    const broken = { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] };
    expect(() => fromGeminiChat(broken)).to.throw(/malformed/);
  });

  it('Ollama: calls without ids get one', () => {
    const message = { content: '', tool_calls: [{ function: { name: 'weather', arguments: { city: 'Ulm' } } }] };
    const answer = fromOllamaChat({ message, done_reason: 'stop', prompt_eval_count: 9, eval_count: 5 });
    expect(answer?.toolCalls).to.deep.equal([{ ...call, id: 'call_0' }]);
    expect([answer?.finishReason, answer?.usage.input.total]).to.deep.equal(['tool_calls', 9]);
  });

  it('reasons to stop mean the same everywhere', () => {
    const read: [(word: string) => ChatAnswer | undefined, string[]][] = [
      [(finish_reason) => fromOpenAiChat({ choices: [{ finish_reason }] }), ['stop', 'length', 'content_filter']],
      [(stop_reason) => fromAnthropicChat({ content: [], stop_reason }), ['end_turn', 'pause_turn', 'refusal']],
      [
        (stopReason) => fromConverse({ output: { message: {} }, stopReason }),
        ['end_turn', 'max_tokens', 'content_filtered'],
      ],
      [(finishReason) => fromGeminiChat({ candidates: [{ finishReason }] }), ['STOP', 'MAX_TOKENS', 'IMAGE_SAFETY']],
    ];
    for (const [from, words] of read) {
      expect(words.map((word) => from(word)?.finishReason)).to.deep.equal(['stop', 'length', 'content_filter']);
    }
  });
});

describe('embeddings', () => {
  const target = { settings: { endpoint: 'https://llm.example', verify_tls: true }, hidden: [] };

  it('come in the order of the texts, from as many calls as it takes, with the sum of the usage', async () => {
    const peers = new FakeLlm();
    peers.answer = ({ body = '' }) => {
      const { input } = JSON.parse(body) as { input: string[] };
      const data = input.map((text, index) => ({ index, embedding: [Number(text)] })).reverse();
      return { json: { data, usage: { prompt_tokens: input.length } } };
    };
    using deadline = startDeadline(5000);
    const texts = Array.from({ length: 3000 }, (_, index) => String(index));
    const found = await LLM_PROVIDERS.General_Chat.client(target, peers).embed('m', { inputs: texts }, deadline);
    expect(found?.vectors).to.deep.equal(texts.map((text) => [Number(text)]));
    expect([found?.usage.input.total, peers.calls.length]).to.deep.equal([3000, 2]);
  });

  it('Gemini and Ollama ask in their own way, Anthropic and Groq have none', async () => {
    const peers = new FakeLlm();
    peers.answer = ({ url }) => ({ json: { embeddings: url.includes('v1beta') ? [{ values: [1] }] : [[1]] } });
    using deadline = startDeadline(5000);
    const request = { inputs: ['x'], dimensions: 8, inputType: 'query' } as const;
    for (const service of ['Search_Vendor_Models', 'Local_Runtime'] as const) {
      expect((await LLM_PROVIDERS[service].client(target, peers).embed('m', request, deadline))?.vectors).to.deep.equal(
        [[1]],
      );
    }
    const part = { model: 'models/m', content: { parts: [{ text: 'x' }] } };
    expect(peers.calls.map(({ url, body = '' }) => [url, JSON.parse(body)])).to.deep.equal([
      [
        'https://llm.example/v1beta/models/m:batchEmbedContents',
        { requests: [{ ...part, taskType: 'RETRIEVAL_QUERY', outputDimensionality: 8 }] },
      ],
      ['https://llm.example/api/embed', { model: 'm', input: ['x'], truncate: false, dimensions: 8 }],
    ]);
    for (const service of ['Assistant_Family', 'Fast_Inference'] as const) {
      const asked = LLM_PROVIDERS[service].client(target, peers).embed('m', request, deadline);
      expect(await asked?.catch((error) => error.code), service).to.equal('not_supported');
    }
  });

  it('Bedrock: Titan takes one text, Cohere 96', () => {
    expect([bedrockEmbedBatch('amazon.titan-embed-text-v2:0'), bedrockEmbedBatch('cohere.embed-v4')]).to.deep.equal([
      1, 96,
    ]);
    const titan = toBedrockEmbed('amazon.titan-embed-text-v2:0', { inputs: ['x'], dimensions: 256 });
    expect(titan).to.deep.equal({ inputText: 'x', dimensions: 256, normalize: true });
    expect(toBedrockEmbed('cohere.embed-v4', { inputs: ['x'], inputType: 'query' })).to.include({
      input_type: 'search_query',
    });
    expect(fromBedrockEmbed({ embedding: [1], inputTextTokenCount: 3 })?.vectors).to.deep.equal([[1]]);
    expect(fromBedrockEmbed({ embeddings: { float: [[1], [2]] } })?.vectors).to.deep.equal([[1], [2]]);
  });
});
