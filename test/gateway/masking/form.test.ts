import { expect } from 'chai';
import { toAnthropicChat } from '../../../src/families/llm-providers/chat/anthropic/request.ts';
import type { ChatReply, ChatRequest } from '../../../src/families/llm-providers/public.ts';
import { chatScope } from '../../../src/gateway/masking/chats.ts';
import { walkChat } from '../../../src/gateway/masking/chatWalk.ts';
import { restoredCall, restoredReply } from '../../../src/gateway/masking/restoreChat.ts';
import { MaskingFailure } from '../../../src/masking/masking.ts';
import { checkBody, maskContent } from '../../../src/masking/outgoing.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { ask, gatewayApp } from '../gatewayApp.ts';
import { ANSWERS, mask, POLICY, recorder, type Service, VALUES, wordsIn } from './services.ts';

const { user, mail } = VALUES;
const SERVICES = Object.keys(ANSWERS) as Service[];
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const picture = base64(`\x89PNG ${user}`);
const signed = {
  anthropic: {
    thinking_blocks: [{ type: 'thinking', thinking: user, signature: `by ${user}`, hidden: [`of ${user}`] }],
  },
};

const CHAT: ChatRequest = {
  messages: [
    { role: 'user', content: `user=${user}` },
    {
      role: 'assistant',
      content: 'so',
      reasoning: `About ${user}`,
      carrier: signed,
      toolCalls: [{ id: 'c1', name: 'get', arguments: '{}' }],
    },
    {
      role: 'tool',
      toolCallId: 'c1',
      content: `of ${user}`,
      parts: [
        { type: 'text', text: `of ${user}`, cache: {} },
        { type: 'image', mediaType: 'image/png', data: picture },
        { type: 'image_url', url: `file/${user}.png` },
        { type: 'file', mediaType: 'text/plain', data: base64(`by ${user}`), name: `${user}.txt` },
      ],
    },
  ],
  stop: [user],
};
const masked = () => {
  const parts = { policies: [POLICY], key: new Uint8Array(32), clock: () => 0, judgePhone: () => undefined };
  return maskContent(CHAT, walkChat, parts);
};

describe('masking of the normal form', () => {
  it('knows a conversation by its first texts, whatever numbers stand beside them', () => {
    const scopeOf = (n: bigint) => {
      const content = [{ type: 'text' as const, text: 'Hello.', others: { prompt_cache_breakpoint: { n } } }];
      return chatScope({ sid: undefined, requestId: 'r' }, 'anna', [{ role: 'user', content }]);
    };
    expect(scopeOf(12345678901234567890n)).to.deep.equal(scopeOf(12345678901234567890n));
    expect(scopeOf(12345678901234567890n)).not.to.deep.equal(scopeOf(12345678901234567891n));
  });

  it('replaces texts, names and text files of results, and of reasoning; images and signed reasoning stay', () => {
    const { content } = masked();
    const { user: word = '' } = wordsIn(JSON.stringify(content));
    expect(word).not.to.equal('');
    const [, answer, result] = content.messages;
    expect(answer).to.deep.include({ reasoning: `About ${word}`, carrier: signed });
    expect(result).to.deep.include({
      content: `of ${word}`,
      parts: [
        { type: 'text', text: `of ${word}`, cache: {} },
        { type: 'image', mediaType: 'image/png', data: picture },
        { type: 'image_url', url: `file/${word}.png` },
        { type: 'file', mediaType: 'text/plain', data: base64(`by ${word}`), name: `${word}.txt` },
      ],
    });
  });

  it('passes bodies with signed reasoning as it came, and none with a value beside it', () => {
    const { content } = masked();
    const sent = (request: ChatRequest) => () =>
      checkBody(content, JSON.stringify(toAnthropicChat('claude-sonnet-4-5', request).body));
    expect(sent(content)).not.to.throw();
    expect(sent(CHAT)).to.throw(MaskingFailure);
  });

  it('puts values back in the reasoning that is shown and in the text that ended an answer, not in the carrier', () => {
    const { content, ...restoring } = masked();
    const word = content.stop?.[0] ?? '';
    const carrier = { anthropic: { thinking_blocks: [{ type: 'thinking', thinking: word, signature: word }] } };
    const reply: ChatReply = {
      status: 200,
      warnings: [],
      message: { role: 'assistant', content: word, reasoning: `About ${word}`, carrier },
      toolCalls: [],
      finishReason: 'stop',
      stopSequence: word,
      usage: { input: { total: 1, cached: 0 }, output: { total: 1, reasoning: 0 } },
    };
    const { message, stopSequence } = restoredReply(reply, { content, ...restoring }, undefined, (call) =>
      restoredCall(call, restoring),
    );
    expect([message, stopSequence]).to.deep.equal([
      { role: 'assistant', content: user, reasoning: `About ${user}`, carrier },
      user,
    ]);
  });

  describe('in a request', () => {
    let app: MemoryApp;
    beforeEach(async () => {
      app = await gatewayApp();
      mask(app);
    });
    const call = { id: 'c1', type: 'function', function: { name: 'get', arguments: '{}' } };
    const messages = [
      { role: 'user', content: `user=${user}` },
      { role: 'assistant', content: null, tool_calls: [call] },
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: [
          { type: 'text', text: `mail ${mail}`, cache_control: { type: 'ephemeral' } },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
          { type: 'file', file: { filename: `${user}.txt`, file_data: `data:text/plain;base64,${base64(user)}` } },
        ],
      },
    ];

    for (const service of SERVICES) {
      it(`lets no value of a result out to ${service}`, async () => {
        const { reference, bodies } = await recorder(app, service, ({ mail: word }) => ({ text: `to ${word}` }));
        const { status, json } = await ask(app, { model: reference, messages });
        expect(status, JSON.stringify(json)).to.equal(200);
        expect(bodies[0]).not.to.contain(user).and.not.to.contain(mail).and.not.to.contain(base64(user));
        expect(json.choices[0].message.content).to.equal(`to ${mail}`);
      });
    }

    it('refuses images in results where a policy refuses them', async () => {
      app.gateway.masking.policies.applying = async () => ({ policies: [POLICY], refusesImages: true });
      const { reference, bodies } = await recorder(app, 'Assistant_Family', () => ({ text: 'ok' }));
      const { status, json } = await ask(app, { model: reference, messages });
      expect([status, json.error_code, bodies]).to.deep.equal([400, 'content_refused', []]);
    });
  });
});
