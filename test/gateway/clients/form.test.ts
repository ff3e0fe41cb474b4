import { expect } from 'chai';
import type { Json } from '../../../src/contract/basics.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { ask, gatewayApp } from '../gatewayApp.ts';
import { configureService, type Service } from './services.ts';

const PNG = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')}`;
const call = { id: 'c1', type: 'function', function: { name: 'get', arguments: '{}' } };
const HELLO = { role: 'user', content: 'Hello?' };

const messagesOf = (body: Json | undefined) => (body?.messages ?? []) as Json[];

describe('what Chat Completions asks of the normal form', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
  });

  const withResult = (content: unknown): Json => ({
    messages: [
      HELLO,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content },
    ],
  });
  const problemsOf = async (body: Json) => {
    const { status, json } = await ask(app, body);
    return [status, json.errors?.map(({ field }: Json) => field)];
  };

  it('takes images in results of tools to where they may be, and says where they may not', async () => {
    const content = [
      { type: 'text', text: 'seen' },
      { type: 'image_url', image_url: { url: PNG } },
    ];
    const { reference, bodies } = await configureService(app, 'Assistant_Family');
    const { json } = await ask(app, { model: reference, ...withResult(content) });
    expect(json.ml.warnings).to.deep.equal([]);
    const sent = JSON.stringify(bodies[0]);
    expect(sent).to.contain(
      '{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"seen"},{"type":"image"',
    );
    const plain = await configureService(app, 'General_Chat');
    const noted = await ask(app, { model: plain.reference, ...withResult(content) });
    expect(noted.json.ml.warnings).to.have.length(1);
    expect(messagesOf(plain.bodies[0])[2]?.content).to.match(/^seen\n\[An image was left out here: .*\]$/);
  });

  it('refuses parts of results that are none', async () => {
    expect(await problemsOf(withResult([{ type: 'image_url', image_url: { url: 'x' } }]))).to.deep.equal([
      400,
      ['messages.2.content.0.image_url.url'],
    ]);
    expect(await problemsOf(withResult({ a: 1 }))).to.deep.equal([400, ['messages.2.content']]);
  });

  it('refuses marks of the cache that are none, wherever they stand', async () => {
    const tool = { type: 'function', function: { name: 'get' } };
    const wrong = { cache_control: { type: 'ephemeral', ttl: '2h' } };
    const text = { type: 'text', text: 'a', cache_control: 'ephemeral' };
    const problems = await problemsOf({
      messages: [
        { role: 'system', content: [text] },
        { ...HELLO, ...wrong },
        { role: 'user', content: [text] },
      ],
      tools: [
        { ...tool, ...wrong },
        { ...tool, function: { name: 'put', ...wrong } },
      ],
    });
    expect(problems).to.deep.equal([
      400,
      [
        ...['messages.0.content.0.cache_control', 'messages.1.cache_control', 'messages.2.content.0.cache_control'],
        ...['tools.0.cache_control', 'tools.1.function.cache_control'],
      ],
    ]);
  });

  it('sends top_k to servers that may know it, and refuses it for OpenAI itself', async () => {
    const { reference, bodies } = await configureService(app, 'General_Chat');
    expect((await ask(app, { model: reference, messages: [HELLO], top_k: 5 })).status).to.equal(200);
    expect(bodies[0]?.top_k).to.equal(5);
    const own = await configureService(app, 'General_Chat', { address: 'https://api.openai.com/v1' });
    const refused = await ask(app, { model: own.reference, messages: [HELLO], top_k: 5 });
    expect([refused.status, refused.json.error.code, refused.json.error.param]).to.deep.equal([
      400,
      'not_supported',
      'top_k',
    ]);
    for (const top_k of [5.5, -2, 1_000_001, 2 ** 60]) {
      expect(await problemsOf({ model: reference, messages: [HELLO], top_k }), `${top_k}`).to.deep.equal([
        400,
        ['top_k'],
      ]);
    }
  });

  it('shows reasoning as a text, gives its carrier to the first call, and takes both back', async () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
    const uses = ['c1', 'c2'].map((id) => ({ type: 'tool_use', id, name: 'get', input: {} }));
    const { reference, bodies } = await configureService(app, 'Assistant_Family');
    const answered = app.llm.answer;
    app.llm.answer = (sent) => {
      answered(sent);
      return { json: { content: [thinking, ...uses], stop_reason: 'tool_use', stop_sequence: 'END' } };
    };
    const request = { model: reference, messages: [HELLO], stop: ['END'] };
    const { json } = await ask(app, request);
    const [{ message }] = json.choices;
    expect(message.reasoning_content).to.equal('hm');
    const blocks = { anthropic: { thinking_blocks: [thinking] } };
    expect(message.tool_calls.map(({ extra_content: extra }: Json) => extra)).to.deep.equal([blocks, undefined]);
    expect(JSON.stringify(json)).not.to.match(/carrier|stop_?sequence/i);
    const results = ['c1', 'c2'].map((tool_call_id) => ({ role: 'tool', tool_call_id, content: 'done' }));
    const again = await ask(app, { ...request, messages: [HELLO, message, ...results] });
    expect(again.json.ml.warnings).to.deep.equal([]);
    expect(messagesOf(bodies[1])[1]?.content).to.deep.equal([thinking, ...uses]);
  });

  for (const service of ['Assistant_Family', 'Cloud_Model_Hub', 'Search_Vendor_Models'] as Service[]) {
    it(`does not send reasoning as a text to ${service}`, async () => {
      const { reference, bodies } = await configureService(app, service);
      const answer = { role: 'assistant', content: 'so', reasoning_content: 'I should answer' };
      const { json } = await ask(app, { model: reference, messages: [HELLO, answer, HELLO] });
      expect(json.ml.warnings).to.deep.equal([]);
      expect(JSON.stringify(bodies)).not.to.contain('I should');
    });
  }
});
