import { expect } from 'chai';
import type { Json } from '../../../src/contract/basics.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { ask, configure, gatewayApp, hello } from '../gatewayApp.ts';

const KEY = 'sk-canary-0123456789';

describe('an answer of a model', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
  });

  const save = (service: string, key: string) =>
    configure(
      app,
      'echo',
      'm',
      {},
      {
        service,
        servicesettings: { endpoint: { value: 'https://echo.example' }, access_token: { value: key } },
      },
    );
  const said = (key: string) => `Bearer ${key} ${encodeURIComponent(key)} ${Buffer.from(key).toString('base64')}`;
  const ANSWERS: [string, (text: string) => Json][] = [
    [
      'General_Chat',
      (text) => ({
        choices: [
          {
            message: {
              content: text,
              refusal: text,
              tool_calls: [
                {
                  id: 'c',
                  function: { name: 'f', arguments: JSON.stringify({ a: text }) },
                  extra_content: { google: { thought_signature: text } },
                },
              ],
            },
            logprobs: { content: [{ token: text }] },
          },
        ],
      }),
    ],
    [
      'Assistant_Family',
      (text) => ({
        content: [
          { type: 'text', text },
          { type: 'tool_use', id: 'c', name: 'f', input: { a: text } },
        ],
      }),
    ],
    [
      'Search_Vendor_Models',
      (text) => ({
        candidates: [{ content: { parts: [{ text }, { functionCall: { name: 'f', args: { a: text } } }] } }],
      }),
    ],
    [
      'Local_Runtime',
      (text) => ({ message: { content: text, tool_calls: [{ function: { name: 'f', arguments: { a: text } } }] } }),
    ],
  ];

  for (const [service, answer] of ANSWERS) {
    it(`has no key that ${service} repeats: in replies, streams, batches, contents of uses and tests`, async () => {
      app.settings.stanzas = { gateway: { log_content: '1' } };
      await save(service, KEY);
      app.llm.answer = () => ({ json: answer(said(KEY)) });
      const tools = [{ type: 'function', function: { name: 'f' } }];
      const model = 'echo/m';
      const replies = [
        await ask(app, { model, tools }),
        await ask(app, { model, tools, stream: true }),
        await app.call('asker', 'POST', '/ai_gateway/batch', {
          operation: 'chat',
          items: [{ id: 'a', model, messages: hello }],
        }),
        await app.call('llm', 'POST', '/aicommander_metadata', { service, connection_name: 'echo', model: 'm' }),
      ];
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
      await app.gateway.usage.flush();
      expect(app.events).to.have.length(3);
      const shown = JSON.stringify([replies, app.events, app.site.log.lines]);
      for (const form of [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('base64').replace(/=+$/, '')])
        expect(shown, form).not.to.include(form);
      expect(replies[0]?.json.choices[0].message.content).to.include('[redacted]');
      expect(JSON.parse(replies[0]?.json.choices[0].message.tool_calls[0].function.arguments).a).to.include(
        '[redacted]',
      );
    });
  }

  it('has no secret of Amazon Bedrock', async () => {
    const secret = 'aws-canary-0123456789';
    await configure(
      app,
      'aws',
      'm',
      {},
      {
        service: 'Cloud_Model_Hub',
        servicesettings: {
          region: { value: 'eu-central-1' },
          cloud_access_key_id: { value: 'AKIAIOSFODNN7EXAMPLE' },
          cloud_access_token: { value: secret },
        },
      },
    );
    app.llm.converseOutput = () => ({ output: { message: { content: [{ text: secret }] } } });
    const { json } = await ask(app, { model: 'aws/m' });
    expect(json.choices[0].message.content).to.equal('[redacted]');
  });

  it('tells nobody whether a guess is a short secret, and errors hide it all the same', async () => {
    const short = 'pin-4711-xy';
    const saved = await app.call('llm', 'POST', '/aicommander', {
      service: 'General_Chat',
      connection_name: 'short',
      model: 'm',
      servicesettings: { endpoint: { value: 'https://short.example' }, access_token: { value: short } },
    });
    expect(saved.json.warnings).to.deep.equal([
      'servicesettings.access_token.value is shorter than 12 characters: it is not masked where a server or a model repeats it',
    ]);
    app.llm.answer = () => ({ json: { choices: [{ message: { content: `pin-4710-xy ${short}` } }] } });
    const { json } = await ask(app, { model: 'short/m' });
    expect(json.choices[0].message.content).to.equal(`pin-4710-xy ${short}`);
    app.llm.answer = () => ({ status: 400, json: { error: { message: `You sent ${short}` } } });
    expect(JSON.stringify((await ask(app, { model: 'short/m' })).json)).not.to.include(short);
  });

  it('of megabytes of brackets is none', async () => {
    for (const text of ['['.repeat(3_000_000) + ']'.repeat(3_000_000), `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`]) {
      for (const status of [200, 400]) {
        app.llm.answer = () => ({ status, text });
        const { json } = await ask(app, {});
        expect(json.error_code).to.equal(status === 200 ? 'upstream_error' : 'bad_request');
      }
    }
  });
});
