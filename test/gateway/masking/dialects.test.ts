import { expect } from 'chai';
import type { Json } from '../../../src/contract/basics.ts';
import { SENTENCE } from '../../../src/masking/masking.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { ask, gatewayApp } from '../gatewayApp.ts';
import { ANSWERS, mask, recorder, type Service, VALUES, wordsIn } from './services.ts';

const { user, ipext, host, mail } = VALUES;
const SERVICES = Object.keys(ANSWERS) as Service[];
const CHAT: Json = {
  messages: [
    { role: 'system', content: `The domain controller is ${host}.` },
    { role: 'user', content: [{ type: 'text', text: `user=${user} came from ${ipext}` }] },
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'lookup', arguments: JSON.stringify({ name: `mail ${mail}`, user }) },
        },
      ],
    },
    {
      role: 'tool',
      tool_call_id: 'c1',
      content: JSON.stringify({ user, src: ipext, note: `seen at \\\\${host}\\share` }),
    },
    { role: 'user', content: `What did ${user.toUpperCase()} do at ${host}?` },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'lookup',
        description: `Looks up users such as ${mail}`,
        parameters: {
          type: 'object',
          properties: { user: { type: 'string', enum: [user, 'other'], minLength: 4, pattern: '^[a-z]+$' } },
        },
      },
    },
  ],
};

describe('masked chats', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
    mask(app);
  });

  for (const service of SERVICES) {
    it(`of ${service} send no value, and answers have them back, changed as models do`, async () => {
      const { reference, bodies } = await recorder(app, service, (words) => ({
        text: `**${words.user?.toUpperCase()}** came from \`${words.ipext}\` to ${words.host?.replace('-', '\u2011')}`,
        args: { user: words.user, mail: words.mail },
      }));
      const { status, json } = await ask(app, { ...CHAT, model: reference });
      expect(status, JSON.stringify(json)).to.equal(200);
      const [body = ''] = bodies;
      for (const value of Object.values(VALUES)) expect(body.toLowerCase()).not.to.contain(value);
      expect(body.split(SENTENCE).length).to.equal(2);
      expect(body).not.to.contain('minLength');
      expect(wordsIn(body)).to.have.all.keys(Object.keys(VALUES));
      const [{ message }] = json.choices;
      expect(message.content).to.equal(`**${user}** came from \`${ipext}\` to ${host}`);
      expect(JSON.parse(message.tool_calls[0].function.arguments)).to.deep.equal({ user, mail });
      expect(json.ml.masked.user).to.be.greaterThan(3);
      expect(json.ml.warnings).not.to.include('placeholder_unknown');
    });

    it(`of ${service} send structured questions without values, and check the answers by the true schema`, async () => {
      const { reference, bodies } = await recorder(app, service, ({ ipext: word, user: name }) => ({
        text: JSON.stringify({ src: word, user: name }),
      }));
      const schema = {
        type: 'object',
        required: ['src', 'user'],
        properties: { src: { type: 'string', format: 'ipv4', maxLength: 15 }, user: { enum: [user] } },
      };
      const { status, json } = await ask(app, {
        model: reference,
        messages: [{ role: 'user', content: `user=${user} came from ${ipext}` }],
        response_format: { type: 'json_schema', json_schema: { name: 'row', schema } },
      });
      expect(status, JSON.stringify(json)).to.equal(200);
      for (const value of [user, ipext]) expect(bodies.join('\n')).not.to.contain(value);
      expect(bodies.join()).not.to.contain('maxLength');
      expect(JSON.parse(json.choices[0].message.content)).to.deep.equal({ src: ipext, user });
      expect(bodies.length).to.equal(1);
    });
  }

  it('are the same words in every request of a conversation, and others in another one', async () => {
    const { reference, bodies } = await recorder(app, 'General_Chat', () => ({ text: 'ok' }));
    const first = { role: 'user', content: `user=${user}` };
    const again = [first, { role: 'assistant', content: 'ok' }, { role: 'user', content: `And ${user}?` }];
    for (const messages of [[first], again, [{ role: 'user', content: `Hello, user=${user}` }]])
      await ask(app, { model: reference, messages });
    const words = bodies.map((body) => wordsIn(body).user);
    expect(words[0]).to.equal(words[1]);
    expect(words[2])
      .to.match(/^user-/)
      .and.not.equal(words[0]);
  });

  it('are the same words in all chats of a search', async () => {
    const { reference, bodies } = await recorder(app, 'General_Chat', () => ({ text: 'ok' }));
    for (const [sid, content] of [
      ['1.2', `user=${user}`],
      ['1.2', `Is user=${user} known?`],
      ['1.3', `user=${user}`],
    ] as const) {
      const headers = { 'X-ML-Sid': sid };
      const messages = [{ role: 'user', content }];
      await app.call('asker', 'POST', '/ai_gateway/v1/chat/completions', { model: reference, messages }, headers);
    }
    const words = bodies.map((body) => wordsIn(body).user);
    expect(words[0]).to.equal(words[1]);
    expect(words[2])
      .to.match(/^user-/)
      .and.not.equal(words[0]);
  });

  it('ask once more about structured output with the same words', async () => {
    let answers = 0;
    const { reference, bodies } = await recorder(app, 'General_Chat', ({ user: word }) => {
      answers += 1;
      return { text: JSON.stringify(answers === 1 ? { name: word } : { user: word }) };
    });
    const schema = { type: 'object', required: ['user'], properties: { user: { const: user } } };
    const { json } = await ask(app, {
      model: reference,
      messages: [{ role: 'user', content: `user=${user}` }],
      response_format: { type: 'json_schema', json_schema: { name: 'row', schema } },
    });
    expect(JSON.parse(json.choices[0].message.content)).to.deep.equal({ user });
    expect(bodies.map((body) => wordsIn(body).user)).to.deep.equal([
      wordsIn(bodies[0] ?? '').user,
      wordsIn(bodies[0] ?? '').user,
    ]);
    expect(bodies.join('\n')).not.to.contain(user);
  });
});
