import { expect } from 'chai';
import { MASK } from '../../../../src/contract/basics.ts';
import { type Answer, type Json, MemoryApp } from '../../../support/memory/app.ts';

const CHAT = { json: { choices: [{ message: { role: 'assistant', content: 'ok' } }] } };
const FIELD = 'servicesettings.headers.value';
const CANARY = 'value-of-a-gateway';

describe('LLM configurations with further headers', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    app.user('editor', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
    app.llm.answer = () => CHAT;
  });

  const identity = (service = 'General_Chat') => ({ service, connection_name: 'own', model: 'm' });
  const endpoint = { value: 'https://gateway.example/v1' };
  const bodyOf = (value: unknown, more: Json = {}, service?: string) => ({
    ...identity(service),
    servicesettings: { endpoint, headers: { value }, ...more },
  });
  const save = (value: unknown, more: Json = {}, service?: string) =>
    app.call('editor', 'POST', '/aicommander', bodyOf(value, more, service));
  const test = (body: Json = identity()) => app.call('editor', 'POST', '/aicommander_metadata', body);
  const shown = async () =>
    (await app.call('editor', 'GET', '/aicommander/General_Chat/own/m')).json.config.servicesettings.headers;
  /** The further headers of the last request. */
  const sent = () => {
    const usual = ['accept', 'content-type', 'authorization', 'api-key', 'x-api-key', 'anthropic-version'];
    const headers = Object.entries(app.llm.calls.at(-1)?.headers ?? {});
    return Object.fromEntries(headers.filter(([name]) => !usual.includes(name)));
  };
  function expectFields({ status, json }: Answer, ...fields: string[]): void {
    expect([status, json.error_code], JSON.stringify(json)).to.deep.equal([400, 'validation_failed']);
    expect((json.errors as { field: string }[]).map(({ field }) => field)).to.deep.equal(fields);
  }

  it('sends them with chats and lists, and shows their names alone', async () => {
    const value = { 'X-Team': CANARY, 'api-key': `${CANARY}-2` };
    const { json } = await save(value);
    expect(json.updated_config.servicesettings.headers, JSON.stringify(json)).to.deep.equal({
      value: { 'X-Team': MASK, 'api-key': MASK },
    });
    expect((await test()).json).to.include({ success: true });
    expect(app.llm.calls[0]?.headers).to.deep.include(value);
    await test({ ...identity(), probe: 'list' });
    expect(app.llm.calls[1]?.headers).to.deep.include(value);
    expect(app.leaks(CANARY)).to.deep.equal([]);
  });

  it('refuses what is no name of a header, also to delete it', async () => {
    expectFields(await save({ 'X A': 'v' }), 'servicesettings.headers.value.X A');
    expectFields(await save({ '\u00d7': '' }), 'servicesettings.headers.value.\u00d7');
  });

  it('does not show a value that the server repeats', async () => {
    await save({ 'X-Team': CANARY });
    app.llm.answer = () => ({ status: 400, json: { error: { message: `X-Team ${CANARY} is unknown` } } });
    const { json } = await test();
    expect(json).to.include({ success: false, error_code: 'bad_request' });
    expect(json.message).to.include('X-Team').and.not.include(CANARY);
  });

  it('keeps a name that a write leaves out, in its first spelling, and deletes one with ""', async () => {
    await save({ 'X-A': 'a', 'X-B': 'b', 'X-C': 'c' });
    await save({ 'x-b': 'new', 'X-C': '', 'X-D': 'd' });
    await test();
    expect(sent()).to.deep.equal({ 'X-A': 'a', 'X-B': 'new', 'X-D': 'd' });
    await save({ 'x-a': MASK }, {});
    await app.call('editor', 'POST', '/aicommander', { ...identity(), servicesettings: { endpoint } });
    expect(await shown()).to.deep.equal({ value: { 'X-A': MASK, 'X-B': MASK, 'X-D': MASK } });
    await save(null);
    expect(await shown()).to.deep.equal({ value: null });
    await test();
    expect(sent()).to.deep.equal({});
  });

  it('leaves other models alone where a value is sent again, in whatever spelling its name has', async () => {
    await save({ 'X-A': 'a' });
    await app.call('editor', 'POST', '/aicommander', { ...identity(), model: 'other' });
    const same = await save({ 'x-a': 'a' });
    expect(same.json.warnings?.join(' ') ?? '').to.not.include('other models');
    expect((await save({ 'x-a': 'b' })).json.warnings.join(' ')).to.include('other models');
  });

  it('sends back what a reply shows without a change', async () => {
    await save({ 'X-A': 'a', 'X%2F*': 'b' });
    const { config } = (await app.call('editor', 'GET', '/aicommander/General_Chat/own/m')).json;
    const { json } = await app.call('editor', 'POST', '/aicommander', config);
    expect(json.updated_config.servicesettings).to.deep.equal(config.servicesettings);
    await test();
    expect(sent()).to.deep.equal({ 'X-A': 'a', 'X%2F*': 'b' });
  });

  it('binds them to the host', async () => {
    await save({ 'X-A': 'a' });
    const elsewhere = { endpoint: { value: 'https://other.example/v1' } };
    for (const value of [{}, { 'X-A': MASK }, { 'X-B': 'b' }]) {
      for (const reply of [await save(value, elsewhere), await test(bodyOf(value, elsewhere))]) {
        expect(reply.json.error_code, JSON.stringify(value)).to.equal('secret_required_for_new_host');
        expect(reply.json.errors[0].field).to.equal(`${FIELD}.X-A`);
      }
    }
    expect(app.llm.calls).to.deep.equal([]);
    expect((await save({ 'X-A': 'again' }, elsewhere)).status).to.equal(200);
  });

  it('refuses names of the connection and of the service, and what no header can carry', async () => {
    const reserved = ['Connection', 'keep-alive', 'TE', 'Transfer-Encoding', 'Upgrade', 'Proxy-Authorization'];
    for (const name of [
      ...reserved,
      'Host',
      'content-length',
      'Content-Type',
      'authorization',
      'a b',
      'a/b',
      '',
      '*',
    ]) {
      const reply = await save({ [name]: CANARY });
      expectFields(reply, `${FIELD}.${name}`);
      expect(JSON.stringify(reply.json)).to.not.include(CANARY);
    }
    for (const value of ['a\nb', 'a\u0000', '名']) expectFields(await save({ 'X-A': value }), `${FIELD}.X-A`);
    expectFields(await save({ 'X-A': 7 }), `${FIELD}.X-A`);
    expectFields(await save({ 'X-A': '1', 'x-a': '2' }), `${FIELD}.x-a`);
    const own = [
      ['Enterprise_Cloud_Chat', 'Api-Key'],
      ['Assistant_Family', 'X-Api-Key'],
      ['Search_Vendor_Models', 'x-goog-api-key'],
      ['Cloud_Model_Hub', 'X-Amz-Date'],
      ['Local_Runtime', 'Authorization'],
      ['Platform_Hosted_Models', 'Authorization'],
    ] as const;
    for (const [service, name] of own) {
      const more = { region: { value: 'us-east-1' } };
      expectFields(await save({ [name]: CANARY }, more, service), `${FIELD}.${name}`);
      expectFields(await test(bodyOf({ [name]: CANARY }, more, service)), `${FIELD}.${name}`);
    }
    const gateway = await save({ Authorization: 'Basic YTpi' }, {}, 'Assistant_Family');
    expect(gateway.status, 'a gateway in front may ask for a header that the service does not').to.equal(200);
  });

  it('takes 50 headers and 32 KB of values, those that are stored included', async () => {
    const headers = (count: number, size: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'v'.repeat(size)]));
    expectFields(await save(headers(51, 1)), FIELD);
    expect((await save(headers(50, 1))).status).to.equal(200);
    expectFields(await save({ 'X-One-More': '1' }), FIELD);
    expect((await save({ 'X-0': '', 'X-One-More': '1' })).status, 'another one in its place').to.equal(200);
    await save(null);
    const token = { access_token: { value: 't'.repeat(4000) } };
    expect((await save(headers(4, 8192), token)).status, 'the key does not count').to.equal(200);
    expectFields(await save({ 'X-More': '1' }), `${FIELD}.X-More`);
    expectFields(
      await save(headers(5, 8000), { endpoint: { value: 'https://new.example' } }, 'Fast_Inference'),
      `${FIELD}.X-0`,
    );
  });

  it('are stored with the address that the site has for its models, and sent to no other', async () => {
    const hosted = { ...identity('Platform_Hosted_Models'), servicesettings: { headers: { value: { 'X-A': 'a' } } } };
    const lacking = await test(hosted);
    expect(lacking.json, JSON.stringify(lacking.json)).to.include({ error_code: 'configuration_invalid' });
    expect(lacking.json.message).to.include('along with a token, headers or OAuth credentials of its own');
    app.llm.site = { endpoint: 'https://site.example/v1', token: 'token-of-the-site' };
    const { json } = await app.call('editor', 'POST', '/aicommander', hosted);
    expect(json.updated_config.servicesettings.endpoint).to.deep.equal({ value: 'https://site.example/v1' });
  });

  it('are fields of every service in the catalogue', async () => {
    const { services } = (await app.call('editor', 'GET', '/aicommander_metadata')).json.config;
    for (const { fields } of Object.values(services) as { fields: Json }[])
      expect(fields.headers).to.include({ type: 'map', secret: true, required: false });
  });
});
