import { expect } from 'chai';
import type { Json } from '../../../src/contract/basics.ts';
import { MaskingFailure } from '../../../src/masking/masking.ts';
import type { UseRecord } from '../../../src/metering/usage/useRecord.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { ask, configure, gatewayApp } from '../gatewayApp.ts';
import { mask, POLICY, recorder, VALUES, wordsIn } from './services.ts';

const { user, ipext } = VALUES;
const TEXT = `user=${user} came from ${ipext}`;
const said = (content: string): Json[] => [{ role: 'user', content }];

describe('masking in chats', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
    mask(app);
  });

  const record = (answer: Parameters<typeof recorder>[2] = () => ({ text: 'ok' })) =>
    recorder(app, 'General_Chat', answer);
  async function uses(): Promise<UseRecord[]> {
    await app.gateway.usage.flush();
    return app.events.splice(0).map(({ event }) => event as UseRecord);
  }

  it('leaves a chat as it is where no policy applies, and asks for no secret', async () => {
    mask(app, []);
    app.gateway.masking.secret = () => Promise.reject(new Error('not needed'));
    const { reference, bodies } = await record();
    const { json } = await ask(app, { model: reference, messages: said(TEXT), user: 'anna', metadata: { a: 'b' } });
    const { messages, user: hint, metadata } = JSON.parse(bodies[0] ?? '');
    expect([messages, /^[0-9a-f]{32}$/.test(hint), metadata]).to.deep.equal([said(TEXT), true, { a: 'b' }]);
    expect(json.ml).not.to.have.property('masked');
    const [{ masked, placeholders_unknown, placeholders_repaired }] = (await uses()) as [UseRecord];
    expect([masked, placeholders_unknown, placeholders_repaired]).to.deep.equal([undefined, undefined, undefined]);
  });

  it('adds no sentence and loosens no schema where nothing is masked', async () => {
    const { reference, bodies } = await record();
    const tools = [
      {
        type: 'function',
        function: { name: 'f', parameters: { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } } },
      },
    ];
    const { json } = await ask(app, { model: reference, messages: said('hello'), tools });
    const { messages, tools: sent } = JSON.parse(bodies[0] ?? '');
    expect([messages, sent]).to.deep.equal([said('hello'), tools]);
    expect(json.ml).not.to.have.property('masked');
  });

  it('keeps signed content, images, names and numbers, and leaves out what names the caller', async () => {
    const { reference, bodies } = await record();
    const signed = { google: { thought_signature: `signed ${user}` } };
    const image = `data:image/png;base64,${Buffer.from('\x89PNG jdoe', 'latin1').toString('base64')}`;
    const call = {
      id: user,
      type: 'function',
      function: { name: user, arguments: `{"n":12345678901234567890,"by":"${user}"}` },
    };
    await ask(app, {
      model: reference,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: TEXT },
            { type: 'image_url', image_url: { url: image } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ ...call, extra_content: signed }],
          reasoning_details: [{ text: user }],
        },
        { role: 'tool', tool_call_id: user, content: 'done' },
      ],
      user: 'anna',
      metadata: { of: user },
      prompt_cache_key: user,
      safety_identifier: user,
      store: false,
      stop: [user],
      guided: { regex: user },
    });
    const body = JSON.parse(bodies[0] ?? '{}');
    const word = wordsIn(bodies[0] ?? '').user;
    const [, asked, answered, result] = body.messages;
    expect(asked.content[1].image_url.url).to.equal(image);
    expect(answered.tool_calls[0]).to.deep.include({ id: user, extra_content: signed });
    expect(answered.tool_calls[0].function).to.deep.equal({
      name: user,
      arguments: `{"n":12345678901234567890,"by":"${word}"}`,
    });
    expect([answered.reasoning_details, result.tool_call_id]).to.deep.equal([[{ text: user }], user]);
    expect(body).not.to.have.any.keys('user', 'metadata', 'prompt_cache_key', 'safety_identifier');
    expect([body.store, body.stop, body.guided]).to.deep.equal([false, [word], { regex: word }]);
  });

  it('puts values back in keys of an answer that is JSON', async () => {
    const { reference } = await record(({ user: word = '' }) => ({
      text: JSON.stringify({ [word]: 3, of: [{ [word]: word }] }),
    }));
    const request = { model: reference, messages: said(TEXT), response_format: { type: 'json_object' } };
    const { json } = await ask(app, request);
    expect(JSON.parse(json.choices[0].message.content)).to.deep.equal({ [user]: 3, of: [{ [user]: user }] });
  });

  it('names words that look like placeholders and stand for nothing, and counts what it repairs', async () => {
    const { reference } = await record(({ user: word = '' }) => {
      const changed = `${word.slice(0, -1)}${word.endsWith('2') ? '3' : '2'}`;
      return { text: `${changed} and user-k7m2q9xw4d`, args: { user: changed } };
    });
    const { json } = await ask(app, { model: reference, messages: said(TEXT) });
    const [{ message }] = json.choices;
    expect(message.content).to.equal(`${user} and user-k7m2q9xw4d`);
    expect(JSON.parse(message.tool_calls[0].function.arguments).user).to.match(/^user-/);
    expect(json.ml.warnings).to.deep.equal(['placeholder_unknown']);
    const [use] = await uses();
    expect(use).to.deep.include({ masked: json.ml.masked, placeholders_unknown: 2, placeholders_repaired: 1 });
    const { json: report } = await app.call('asker', 'GET', '/usage?by=model');
    expect([report.total.masked, report.result[0].masked]).to.deep.equal([2, 2]);
  });

  it('logs contents without the values', async () => {
    app.settings.stanzas = { gateway: { log_content: '1' } };
    const { reference } = await record(({ user: word }) => ({ text: `${word} is fine` }));
    await ask(app, { model: reference, messages: said(TEXT) });
    const [use] = await uses();
    expect(JSON.stringify(use))
      .to.contain('content')
      .and.to.match(/user-[0-9a-z]{10} is fine/);
    expect(JSON.stringify(use)).not.to.contain(user).and.not.to.contain(ipext);
  });

  it('refuses what a policy refuses, names kinds and counts, and sends nothing', async () => {
    mask(app, [{ kinds: { ipv4: 'refuse' } }]);
    const { reference, bodies } = await record();
    const { status, json } = await ask(app, { model: reference, messages: said(`${ipext} and ${ipext}`) });
    expect([status, json.error.code, json.error.kinds, bodies]).to.deep.equal([
      400,
      'content_refused',
      [{ kind: 'ipv4', count: 2 }],
      [],
    ]);
    expect(await uses()).to.deep.equal([]);
  });

  describe('of an alias', () => {
    const alias = async (...targets: string[]) => {
      const acl = { sharing: 'app', perms: { read: ['*'], write: [] } };
      const made = await app.call('llm', 'POST', '/model_aliases', {
        name: 'Fast',
        acl,
        targets: targets.map((connection_name) => ({
          service: connection_name === 'local' ? 'Local_Runtime' : 'General_Chat',
          connection_name,
          model: 'm1',
        })),
      });
      expect(made.status, JSON.stringify(made.json)).to.equal(200);
    };
    beforeEach(() =>
      configure(
        app,
        'local',
        'm1',
        {},
        { service: 'Local_Runtime', servicesettings: { endpoint: { value: 'http://local.example' } } },
      ),
    );

    it('asks the next target where the first refuses the content, by the policies of that target', async () => {
      await alias('up', 'local');
      mask(app, [{ kinds: { ipv4: 'refuse' } }], 'General_Chat');
      app.llm.answer = () => ({ json: { message: { content: 'ok' }, done_reason: 'stop' } });
      app.llm.calls.length = 0;
      const { status, json } = await ask(app, { model: 'Fast', messages: said(TEXT) });
      expect([status, json.ml.service]).to.deep.equal([200, 'Local_Runtime']);
      expect(app.llm.calls.map(({ url }) => new URL(url).host)).to.deep.equal(['local.example']);
      expect(app.llm.calls[0]?.body).to.contain(ipext);
    });

    it('shows in a dry run the first target that does not refuse the content', async () => {
      await alias('up', 'local');
      mask(app, [{ kinds: { ipv4: 'refuse' } }], 'General_Chat');
      for (const body of [
        { operation: 'chat', items: [{ id: '1', messages: said(TEXT) }] },
        { operation: 'embed', items: [{ id: '1', input: TEXT }] },
      ]) {
        const { json } = await app.call('asker', 'POST', '/ai_gateway/batch', {
          ...{ ...body, common: { model: 'Fast' }, dry_run: true },
        });
        const [{ response }] = json.result;
        expect([response?.model, response?.prompt], body.operation).to.deep.equal(['local/m1', TEXT]);
      }
    });

    it('masks for a target that is asked after one that needs no masking', async () => {
      await alias('local', 'up');
      mask(app, [POLICY], 'General_Chat');
      app.llm.answer = ({ url }) =>
        url.includes('local') ? { status: 500, json: {} } : { json: { choices: [{ message: { content: 'ok' } }] } };
      app.llm.calls.length = 0;
      expect((await ask(app, { model: 'Fast', messages: said(TEXT) })).status).to.equal(200);
      const bodies = app.llm.calls.map(({ url, body }) => [new URL(url).host, body?.includes(ipext)]);
      expect(bodies.at(0)).to.deep.equal(['local.example', true]);
      expect(bodies.at(-1)).to.deep.equal(['up.example', false]);
    });

    it('asks no other target after a failure of masking', async () => {
      await alias('up', 'local');
      app.gateway.masking.tools = async () => ({
        ...(await import('../../../src/adapters/masking/tools.ts')).maskingTools(),
        clock: () => {
          throw new MaskingFailure('error');
        },
      });
      app.llm.calls.length = 0;
      const { status, json, headers } = await ask(app, { model: 'Fast', messages: said(TEXT) });
      expect([status, json.error.code, headers['x-should-retry']]).to.deep.equal([503, 'masking_failed', 'false']);
      expect(app.llm.calls).to.deep.equal([]);
      expect(JSON.stringify(json)).not.to.contain(user);
    });
  });

  it('sends no body with a value that the translation has brought back', async () => {
    const { reference, bodies } = await recorder(app, 'Local_Runtime', () => ({ text: 'ok' }));
    // The dialect joins the parts of an answer.
    const parts = ['Hello jd', 'oe'].map((text) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } }));
    const messages = [{ role: 'assistant', content: parts }, ...said('user=jdoe')];
    const { status, json } = await ask(app, { model: reference, messages });
    expect([status, json.error.code, bodies]).to.deep.equal([503, 'masking_failed', []]);
    expect(await uses()).to.deep.equal([]);
  });

  it('masks named fields of the row and of the request, wherever their values stand, and sends neither', async () => {
    mask(app, []);
    const { reference, bodies } = await record(({ name: word }) => ({ text: String(word) }));
    const body = {
      model: reference,
      messages: said('Is Contoso-7 in the logs of contoso-7?'),
      mask_fields: ['site'],
      row: { site: 'Contoso-7' },
    };
    const { json } = await ask(app, body);
    expect(bodies[0])
      .not.to.match(/contoso/i)
      .and.not.to.contain('mask_fields')
      .and.not.to.contain('"row"');
    expect(json.choices[0].message.content).to.equal('Contoso-7');
    expect(json.ml.masked).to.deep.equal({ field: 2 });
  });

  it('joins equal items of a batch, with the named values of all their rows', async () => {
    mask(app, []);
    const { reference, bodies } = await record();
    const item = (id: string, site: string) => ({ id, messages: said('Compare alpha1 with beta22'), row: { site } });
    const { json } = await app.call('asker', 'POST', '/ai_gateway/batch', {
      operation: 'chat',
      common: { model: reference, mask_fields: ['site'] },
      items: [item('1', 'alpha1'), item('2', 'beta22')],
    });
    expect(json.result.map(({ status }: Json) => status)).to.deep.equal(['done', 'done']);
    expect(bodies.length).to.equal(1);
    expect(bodies[0]).not.to.match(/alpha1|beta22/);
  });

  it('shows in a dry run what would be sent, and sends nothing', async () => {
    const { reference, bodies } = await record();
    const { json } = await app.call('asker', 'POST', '/ai_gateway/batch', {
      operation: 'chat',
      dry_run: true,
      items: [{ id: '1', model: reference, messages: said(TEXT) }],
    });
    const [{ response }] = json.result;
    expect(response.prompt).to.match(/user=user-\w{10} came from ipext-\w{10}/);
    expect([response.masked, bodies]).to.deep.equal([{ user: 1, ipv4: 1 }, []]);
  });

  it('masks texts for embeddings with the same words in every request to a model', async () => {
    const bodies: string[] = [];
    await configure(app, 'vectors', 'm');
    app.llm.answer = ({ body = '' }) => {
      bodies.push(body);
      return { json: { data: [{ embedding: [0.5] }] } };
    };
    for (const query of [TEXT, `What did ${ipext} do?`]) {
      const { status, json } = await app.call('asker', 'POST', '/ai_gateway/v1/embeddings', {
        model: 'vectors/m',
        input: query,
        user: 'anna',
      });
      expect([status, json.ml.masked.ipv4]).to.deep.equal([200, 1]);
    }
    const [first = '', other = ''] = bodies;
    expect(first).not.to.contain(user).and.not.to.contain('anna');
    expect(wordsIn(first).ipext)
      .to.equal(wordsIn(other).ipext)
      .and.match(/^ipext-/);
  });
});
