import { expect } from 'chai';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { ask, gatewayApp } from '../gatewayApp.ts';
import { callTool, connect, toolsApp } from '../tools/toolsApp.ts';
import { ALL, applyPolicies } from './policies.ts';
import { mask, recorder } from './services.ts';

const IP = '198.51.100.7';
const user = (content: unknown): Json => ({ role: 'user', content });
const called = (args: Json): Json[] => [
  user('hi'),
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify(args) } }],
  },
  { role: 'tool', tool_call_id: 'c', content: 'x' },
];

describe('masked values that stand alone', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
    mask(app, [{ kinds: ALL, fields: ['badge'] }]);
  });
  const bodyOf = async (chat: Json, answer: Parameters<typeof recorder>[2] = () => ({ text: 'ok' })) => {
    const { reference, bodies } = await recorder(app, 'General_Chat', answer);
    const { status, json } = await ask(app, { ...chat, model: reference });
    expect(status, JSON.stringify(json)).to.equal(200);
    return { body: bodies.join('\n'), content: json.choices[0].message.content as string };
  };

  it('are known by the names before them in arguments and in unknown fields', async () => {
    const { body } = await bodyOf({
      messages: called({ password: 'hunter2xyz', user: 'jdoe', badge: 'ZX81Q' }),
      extra_body: { password: 'other2xyz' },
    });
    for (const value of ['hunter2xyz', 'jdoe', 'ZX81Q', 'other2xyz']) expect(body).not.to.contain(value);
  });

  it('are numbers of arguments, too', async () => {
    const { body } = await bodyOf({ messages: called({ card: 4111111111111111, limit: 100 }) });
    expect(body).to.contain('\\"limit\\":100').and.not.to.contain('4111111111111111');
  });

  it('are in files of text of any type', async () => {
    const data = Buffer.from(JSON.stringify({ src: IP })).toString('base64');
    const file = { filename: 'a.json', file_data: `data:application/json;base64,${data}` };
    const { body } = await bodyOf({ messages: [user([{ type: 'file', file }])] });
    expect(Buffer.from(/base64,([\w+/=]+)/.exec(body)?.[1] ?? '', 'base64').toString()).to.match(/"src":"ipext-/);
  });

  it('are in place of words of the protocol', async () => {
    const image_url = { url: 'data:image/png;base64,iVBORw0KGgo=', detail: IP };
    const words = { reasoning_effort: IP, verbosity: IP, service_tier: IP };
    const { body } = await bodyOf({ messages: [user([{ type: 'image_url', image_url }])], ...words });
    expect(body).not.to.contain(IP);
    const plain = await bodyOf({ messages: [user('severity=high')], reasoning_effort: 'high', row: { badge: 'high' } });
    expect(plain.body).to.contain('"reasoning_effort":"high"');
  });

  it('are those of named fields that the row does not have', async () => {
    mask(app, [{ kinds: { field: 'mask' }, fields: ['session', 'src'] }]);
    const { body } = await bodyOf({ messages: [user('src=box17 session=zz81kq')], row: { src: 'box17' } });
    expect(body).not.to.contain('zz81kq').and.not.to.contain('box17');
  });

  for (const [text, demanded] of [
    [JSON.stringify({ user: 'CORP\\nina' }), 'CORP\\nina'],
    ['user=jdoe logged in', 'JDOE'],
  ] as const) {
    it(`come back in structured output as its schema has them: ${demanded}`, async () => {
      const schema = { type: 'object', properties: { user: { enum: [demanded, 'other'] } } };
      const { content } = await bodyOf(
        { messages: [user(text)], response_format: { type: 'json_schema', json_schema: { name: 'r', schema } } },
        ({ user: word }) => ({ text: JSON.stringify({ user: word }) }),
      );
      expect(JSON.parse(content)).to.deep.equal({ user: demanded });
    });
  }
});

describe('tokens of embeddings', () => {
  it('are not sent where a policy applies, since nobody can read them', async () => {
    const app = await gatewayApp();
    const { reference, bodies } = await recorder(app, 'General_Chat', () => ({ text: 'ok' }));
    const embed = () =>
      app.call('asker', 'POST', '/ai_gateway/v1/embeddings', { model: reference, input: [[15339, 1917]] });
    mask(app, [{ kinds: { password: 'mask' } }]);
    const { status, json } = await embed();
    expect([status, json.error_code, bodies]).to.deep.equal([503, 'masking_failed', []]);
    expect(json.message).to.contain('tokens cannot be masked');
    mask(app, []);
    await embed();
    expect(bodies).to.have.length(1);
  });
});

describe('masked values that stand alone in calls of tools', () => {
  it('are known by the names before them', async () => {
    const app = toolsApp();
    await connect(app, 'one');
    applyPolicies(app, { kinds: ALL, operations: ['execute_tool'] });
    await callTool(app, { arguments: { text: 'x', password: 'hunter2xyz' } });
    expect(JSON.stringify(app.peers.calls)).to.contain('sec-').and.not.to.contain('hunter2xyz');
  });
});
