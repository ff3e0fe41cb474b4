import { expect } from 'chai';
import { MASK } from '../../../../src/contract/basics.ts';
import type { HttpCall } from '../../../../src/ports/llm/http.ts';
import { type Answer, type Json, MemoryApp } from '../../../support/memory/app.ts';

const FIELD = 'servicesettings.oauth.value';
const SECRET = 'client-secret-canary';
const TOKEN_URL = 'https://login.example/token';
const OAUTH = { token_url: TOKEN_URL, client_id: 'mlx', client_secret: SECRET, scope: 'models.read' };
const endpoint = { value: 'https://gateway.example/v1' };
const CHATS: Readonly<Record<string, unknown>> = {
  Enterprise_Cloud_Chat: { choices: [{ message: { role: 'assistant', content: 'ok' } }] },
  Assistant_Family: { content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn' },
  Search_Vendor_Models: { candidates: [{ content: { parts: [{ text: 'ok' }] }, finishReason: 'STOP' }] },
  Local_Runtime: { message: { role: 'assistant', content: 'ok' }, done: true, models: [{ name: 'm:latest' }] },
};
const KEYS = ['api-key', 'x-api-key', 'x-goog-api-key'];

describe('LLM configurations with OAuth client credentials', () => {
  let app: MemoryApp;
  let issued: number;
  let answerToken: () => { status?: number; json?: unknown; text?: string };
  let answerChat: (call: HttpCall) => { status?: number; json?: unknown };
  beforeEach(() => {
    app = new MemoryApp();
    const capabilities = ['edit_ai_commander_config', 'list_ai_commander_config', 'use_ai_gateway'];
    app.user('editor', { capabilities });
    issued = 0;
    answerToken = () => {
      issued += 1;
      return { json: { access_token: `access-token-canary-${issued}`, token_type: 'Bearer', expires_in: 3600 } };
    };
    answerChat = () => ({ json: CHATS.Enterprise_Cloud_Chat });
    app.llm.answer = (call) => (call.url === TOKEN_URL ? answerToken() : answerChat(call));
  });

  const identity = (service = 'General_Chat') => ({ service, connection_name: 'own', model: 'm' });
  const bodyOf = (value: unknown, more: Json = {}, service?: string) => ({
    ...identity(service),
    servicesettings: { endpoint, oauth: { value }, ...more },
  });
  const save = (value: unknown, more: Json = {}, service?: string) =>
    app.call('editor', 'POST', '/aicommander', bodyOf(value, more, service));
  const test = (body: Json = identity()) => app.call('editor', 'POST', '/aicommander_metadata', body);
  const shown = async () =>
    (await app.call('editor', 'GET', '/aicommander/General_Chat/own/m')).json.config.servicesettings.oauth;
  const callsOf = (isToken: boolean) => app.llm.calls.filter(({ url }) => (url === TOKEN_URL) === isToken);
  function expectFields({ status, json }: Answer, ...fields: string[]): void {
    expect([status, json.error_code], JSON.stringify(json)).to.deep.equal([400, 'validation_failed']);
    expect((json.errors as { field: string }[]).map(({ field }) => field)).to.deep.equal(fields);
  }

  it('sends the token in place of a key, and shows no secret', async () => {
    const { json } = await save(OAUTH);
    expect(json.updated_config?.servicesettings.oauth, JSON.stringify(json)).to.deep.equal({
      value: { ...OAUTH, client_secret: MASK },
    });
    expect((await test()).json).to.include({ success: true });
    const [asked] = callsOf(true);
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).to.deep.equal({
      grant_type: 'client_credentials',
      client_id: 'mlx',
      client_secret: SECRET,
      scope: 'models.read',
    });
    expect(asked?.headers).to.not.have.property('authorization');
    expect(callsOf(false)[0]?.headers.authorization).to.equal('Bearer access-token-canary-1');
    await test();
    expect(issued, 'the next process reads it').to.equal(1);
    expect(app.leaks(SECRET, 'access-token-canary')).to.deep.equal([]);
  });

  for (const [service, answer] of Object.entries(CHATS)) {
    it(`leaves the key header of ${service} out, which needs no key then`, async () => {
      answerChat = () => ({ json: answer });
      const more = { enterprise_api_version: { value: 'v1' } };
      expect((await save(OAUTH, more, service)).status).to.equal(200);
      const { json } = await test(identity(service));
      expect(json, JSON.stringify(json)).to.include({ success: true });
      for (const { headers } of callsOf(false)) {
        expect(headers.authorization).to.equal('Bearer access-token-canary-1');
        expect(headers).to.not.have.any.keys(...KEYS);
      }
    });
  }

  it('goes to Amazon unsigned, and to the own endpoint of Platform_Hosted_Models', async () => {
    await save(OAUTH, { region: { value: 'us-east-1' } }, 'Cloud_Model_Hub');
    expect((await test(identity('Cloud_Model_Hub'))).json).to.include({ success: true });
    expect(app.llm.accesses[0]).to.include({ bearer: 'access-token-canary-1' });
    app.llm.site = { endpoint: endpoint.value, token: 'token-of-the-site' };
    await save(OAUTH, {}, 'Platform_Hosted_Models');
    answerChat = ({ url }) => (url.endsWith('/models') ? { status: 404 } : { json: CHATS.Enterprise_Cloud_Chat });
    const { json } = await test(identity('Platform_Hosted_Models'));
    expect(json, JSON.stringify(json)).to.include({ success: true });
    expect(callsOf(false).at(-1)?.headers.authorization).to.equal('Bearer access-token-canary-2');
  });

  it('renews a refused token once, and asks once more', async () => {
    await save(OAUTH);
    await test();
    answerChat = ({ headers }) =>
      headers.authorization?.endsWith('-1') ? { status: 401 } : { json: CHATS.Enterprise_Cloud_Chat };
    expect((await test()).json).to.include({ success: true });
    expect([issued, callsOf(false).length]).to.deep.equal([2, 3]);
    answerChat = () => ({
      status: 401,
      json: { error: { message: 'no access-token-canary-2, access-token-canary-3' } },
    });
    const { json } = await test();
    expect(json).to.include({ success: false, error_code: 'auth_failed', http_status_code: 401 });
    expect(json.message).to.not.include('canary');
    expect([issued, callsOf(false).length]).to.deep.equal([3, 5]);
  });

  it('serves the gateway, and counts a failure of the token server as an attempt', async () => {
    await save(OAUTH);
    const body = { model: 'own/m', messages: [{ role: 'user', content: 'x' }] };
    const chat = () => app.call('editor', 'POST', '/ai_gateway/v1/chat/completions', body);
    const reply = await chat();
    expect(reply.json.choices?.[0].message.content, JSON.stringify(reply.json)).to.equal('ok');
    await save({ ...OAUTH, client_secret: 'another-secret' });
    answerToken = () => ({
      status: 401,
      json: { error: 'invalid_client', error_description: `no ${'another-secret'}` },
    });
    const failed = await chat();
    expect([failed.status, failed.json.error_code], JSON.stringify(failed.json)).to.deep.equal([502, 'auth_failed']);
    expect(failed.json.message).to.include('invalid_client').and.not.include('another-secret');
    expect(callsOf(false)).to.have.length(1);
  });

  it('keeps what is left out, and deletes all with null', async () => {
    await save(OAUTH);
    await test();
    expect(app.site.secrets.values.size).to.equal(2);
    await app.call('editor', 'POST', '/aicommander', { ...identity(), servicesettings: { endpoint } });
    expect(await shown()).to.deep.equal({ value: { ...OAUTH, client_secret: MASK } });
    const { scope: _, ...unscoped } = OAUTH;
    await save({ ...unscoped, client_secret: MASK });
    expect(await shown()).to.deep.equal({ value: { ...unscoped, client_secret: MASK } });
    expect((await test()).json).to.include({ success: true });
    await save(null);
    expect(await shown()).to.deep.equal({ value: null });
    expect(app.site.secrets.values.size, 'the token has gone, too').to.equal(0);
    await save(OAUTH);
    await test();
    await app.call('editor', 'DELETE', '/aicommander/General_Chat/own/m');
    expect([app.site.secrets.values.size, app.site.records.all('ml_platform_tokens')]).to.deep.equal([0, []]);
  });

  it('is bound to the address of the token and to that of the provider', async () => {
    await save(OAUTH);
    const masked = { ...OAUTH, client_secret: MASK };
    const moved = { ...masked, token_url: 'https://elsewhere.example/token' };
    const elsewhere = { endpoint: { value: 'https://elsewhere.example/v1' } };
    for (const [value, more] of [
      [moved, {}],
      [masked, elsewhere],
      [undefined, elsewhere],
    ] as const) {
      for (const reply of [await save(value, more), await test(bodyOf(value, more))]) {
        expect(reply.json.error_code, JSON.stringify(reply.json)).to.equal('secret_required_for_new_host');
        expect(reply.json.errors[0].field).to.equal(`${FIELD}.client_secret`);
      }
    }
    expect(app.llm.calls).to.deep.equal([]);
    expect((await save({ ...moved, client_secret: 'again' })).status).to.equal(200);
    const { json } = await test(bodyOf({ ...masked, token_url: 'https://elsewhere.example/other' }));
    expect(json.error_code, 'another path is the same host').to.not.equal('secret_required_for_new_host');
  });

  it('refuses a key besides, what is missing, and what is no address', async () => {
    const both = [
      ['access_token', 'k'],
      ['cloud_access_key_id', 'AKIAIOSFODNN7EXAMPLE'],
      ['role_arn', 'arn:aws:iam::123456789012:role/a'],
    ] as const;
    for (const [field, value] of both) {
      const more = { [field]: { value } };
      expectFields(await save(OAUTH, more), `servicesettings.${field}.value`);
      expectFields(await test(bodyOf(OAUTH, more)), `servicesettings.${field}.value`);
    }
    expectFields(
      await save(OAUTH, { headers: { value: { Authorization: 'x' } } }, 'Assistant_Family'),
      'servicesettings.headers.value.Authorization',
    );
    expectFields(await save({ client_secret: SECRET }), `${FIELD}.token_url`, `${FIELD}.client_id`);
    expectFields(await save({ ...OAUTH, token_url: 'https://user@login.example' }), `${FIELD}.token_url`);
    expectFields(await save({ ...OAUTH, client_id: 7 }), `${FIELD}.client_id`);
    await save({ ...OAUTH, client_secret: '' });
    expect((await test()).json.message).to.include(`lacks ${FIELD}.client_secret`);
    const key = await save(undefined, { access_token: { value: 'k' }, oauth: null });
    expect(key.status, JSON.stringify(key.json)).to.equal(200);
    expectFields(await save(OAUTH), 'servicesettings.access_token.value');
    expect((await save(OAUTH, { access_token: { value: '' } })).status).to.equal(200);
  });

  it('tests what is not saved with a token that nobody keeps', async () => {
    expect((await test(bodyOf(OAUTH))).json).to.include({ success: true });
    expect(app.site.secrets.values.size).to.equal(0);
    await save(OAUTH);
    expect((await test(bodyOf({ ...OAUTH, client_secret: MASK }))).json).to.include({ success: true });
    expect(app.site.records.all('ml_platform_tokens')).to.deep.equal([]);
  });

  it('is exported without its secret, and imported with it', async () => {
    await save(OAUTH);
    const { document } = (await app.call('editor', 'GET', '/export')).json;
    const { client_secret: _, ...open } = OAUTH;
    const [record] = document.records;
    expect(record.spec.servicesettings.oauth, JSON.stringify(record)).to.deep.equal({ value: open });
    expect(record.secrets).to.deep.equal([`${FIELD}.client_secret`]);
    await app.call('editor', 'DELETE', '/aicommander/General_Chat/own/m');
    const secrets = { 'llm-providers/General_Chat/own/m': { [`${FIELD}.client_secret`]: SECRET } };
    const imported = await app.call('editor', 'POST', '/import', { document, mode: 'apply', secrets });
    expect(imported.json.summary, JSON.stringify(imported.json)).to.include({ create: 1, done: 1 });
    expect((await test()).json).to.include({ success: true });
  });

  it('writes an audit entry of each renewal', async () => {
    app.user('editor', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config', 'list_ml_audit'] });
    await save(OAUTH);
    await test();
    await test();
    const { result } = (await app.call('editor', 'GET', '/audit?count=0')).json;
    const renewals = (result as Json[]).filter(({ action }) => action === 'token_refresh');
    expect(renewals).to.have.length(1);
    expect(renewals[0]).to.include({ user: 'splunk-system-user', name: 'General_Chat/own', outcome: 'success' });
  });

  it('is a field of every service in the catalogue, and takes the place of the key', async () => {
    const { services } = (await app.call('editor', 'GET', '/aicommander_metadata')).json.config;
    for (const { fields } of Object.values(services) as { fields: Json }[]) {
      const { type, required, fields: members } = fields.oauth as Json;
      expect({ type, required }).to.deep.equal({ type: 'object', required: false });
      expect(Object.keys(members as Json)).to.deep.equal(['token_url', 'client_id', 'client_secret', 'scope']);
    }
    expect(services.Assistant_Family.fields.access_token).to.include({ required: true, required_without: 'oauth' });
    expect(services.Local_Runtime.fields.access_token).to.not.have.property('required_without');
  });
});
