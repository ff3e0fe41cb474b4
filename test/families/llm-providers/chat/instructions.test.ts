import { expect } from 'chai';
import { toAnthropicChat } from '../../../../src/families/llm-providers/chat/anthropic/request.ts';
import { toConverse } from '../../../../src/families/llm-providers/chat/bedrock/request.ts';
import type { ChatRequest } from '../../../../src/families/llm-providers/chat/chat.ts';
import { toGeminiChat } from '../../../../src/families/llm-providers/chat/gemini/request.ts';
import { toOllamaChat } from '../../../../src/families/llm-providers/chat/ollama/request.ts';
import { toOpenAiChat } from '../../../../src/families/llm-providers/chat/openai/request.ts';

const NEW = 'claude-opus-4-8';
const OLD = 'claude-sonnet-4-5';
const ASKED: ChatRequest = {
  messages: [
    { role: 'system', content: 'A.' },
    { role: 'user', content: 'hi' },
    { role: 'system', content: 'B.', cache: {} },
  ],
};
const FIRST = {
  messages: [
    { role: 'system', content: 'A.\n\nB.' },
    { role: 'user', content: 'hi' },
  ],
};
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });
const MARKED = { cache_control: { type: 'ephemeral' } };

describe('instructions in the middle of a chat', () => {
  it('stay in their place at OpenAI', () => {
    expect(toOpenAiChat('m', ASKED).body.messages).to.deep.equal([
      { role: 'system', content: 'A.' },
      { role: 'user', content: 'hi' },
      { role: 'system', content: 'B.' },
    ]);
  });

  it('stay in their place at newer models of Anthropic, behind a turn of the user', () => {
    const { body, variants = [] } = toAnthropicChat(NEW, ASKED);
    expect(body.system).to.deep.equal([text('A.')]);
    expect(body.messages).to.deep.equal([
      { role: 'user', content: 'hi' },
      { role: 'system', content: [text('B.', MARKED)] },
    ]);
    for (const reason of [
      "role 'system' is not supported on this model",
      "messages.1.role: Input should be 'user' or 'assistant'",
    ]) {
      const next = variants.find(({ answers }) => answers(reason));
      expect(next?.body.system).to.deep.equal([text('A.'), text('B.', MARKED)]);
      expect(next?.body.messages).to.deep.equal([{ role: 'user', content: 'hi' }]);
    }
    const answered = toAnthropicChat(NEW, {
      messages: [
        ...ASKED.messages.slice(0, 2),
        { role: 'assistant', content: 'yes' },
        { role: 'developer', content: 'C.' },
        { role: 'user', content: 'go' },
      ],
    });
    expect(answered.body.system).to.deep.equal([text('A.'), text('C.')]);
    expect(answered.body.messages).to.deep.equal([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'yes' },
      { role: 'user', content: 'go' },
    ]);
  });

  it('stay behind the results of a turn', () => {
    const call = { id: 'c', name: 'n', arguments: '{}' };
    const { body } = toAnthropicChat(NEW, {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: '', toolCalls: [call] },
        { role: 'tool', toolCallId: 'c', content: '1' },
        { role: 'system', content: 'B.' },
      ],
    });
    expect((body.messages as { role: string }[]).map(({ role }) => role)).to.deep.equal([
      ...['user', 'assistant', 'user', 'system'],
    ]);
  });

  for (const model of [
    'claude-3-5-haiku-latest',
    'claude-sonnet-4-20250514',
    'claude-opus-4-1-20250805',
    OLD,
    'claude-opus-4.7',
  ])
    it(`join the first text at ${model}`, () => {
      const { body, variants = [] } = toAnthropicChat(model, ASKED);
      expect(body.system).to.deep.equal([text('A.'), text('B.', MARKED)]);
      expect(body.messages).to.deep.equal([{ role: 'user', content: 'hi' }]);
      expect(variants).to.deep.equal([]);
    });

  it('join the first text at Bedrock and Gemini', () => {
    const { system, messages } = toConverse(`anthropic.${NEW}`, ASKED).body;
    expect(system).to.deep.equal([{ text: 'A.' }, { text: 'B.' }, { cachePoint: { type: 'default' } }]);
    expect(messages).to.have.length(1);
    const { contents, systemInstruction } = toGeminiChat('gemini-3-pro', ASKED).body;
    expect(systemInstruction).to.deep.equal({ parts: [{ text: 'A.' }, { text: 'B.' }] });
    expect(contents).to.have.length(1);
  });

  it('join the first text at Groq, hosted models and Ollama, never last', () => {
    const traits = { isSystemFirst: true };
    expect(toOpenAiChat('m', ASKED, traits).body).to.deep.include(FIRST);
    expect(toOllamaChat('m', ASKED).body).to.deep.include(FIRST);
    const [, user, last] = ASKED.messages;
    expect(
      toOpenAiChat('m', { messages: [user, last] as ChatRequest['messages'] }, traits).body.messages,
    ).to.deep.equal([
      { role: 'system', content: 'B.' },
      { role: 'user', content: 'hi' },
    ]);
    const parts = [text('A.'), text('B.')] as { type: 'text'; text: string }[];
    const apart: ChatRequest['messages'] = [
      { role: 'system', content: 'A.B.', parts },
      { role: 'user', content: 'hi' },
    ];
    expect(toOllamaChat('m', { messages: apart }).body).to.deep.include(FIRST);
    expect(toOpenAiChat('m', { messages: apart }, traits).body.messages).to.deep.equal([
      { role: 'system', content: parts },
      { role: 'user', content: 'hi' },
    ]);
  });

  it('that are all there is stay what they are', () => {
    const messages: ChatRequest['messages'] = [
      { role: 'system', content: 'A.' },
      { role: 'developer', content: 'B.' },
    ];
    expect(toOpenAiChat('m', { messages }, { isSystemFirst: true }).body.messages).to.deep.equal(messages);
    expect(toAnthropicChat(NEW, { messages }).body.messages).to.have.length(1);
  });
});
