import { expect } from 'chai';
import { type Answer, type Json, MemoryApp } from '../../support/memory/app.ts';
import { FaultPlan } from '../../support/memory/faults.ts';

const IDENTITY = { service: 'General_Chat', connection_name: 'one' };
const LIST = { json: { object: 'list', data: [{ id: 'a' }] } };
const CHAT = { json: { choices: [{ message: { role: 'assistant', content: 'ok' } }] } };
const REFUSED = { status: 401, json: { error: { message: 'no such key', code: 'invalid_api_key' } } };

describe('LLM configurations: verification', () => {
  let app: MemoryApp;
  /** The key of each call, and what was asked. */
  const asked = () => app.llm.calls.map(({ url, headers }) => [new URL(url).pathname, headers.authorization]);
  const settings = (key: string, host = 'llm') => ({
    servicesettings: { endpoint: { value: `https://${host}.example/v1` }, access_token: { value: key } },
  });
  const save = (model: string, more: Json = {}, query = '?verify=true') =>
    app.call('editor', 'POST', `/aicommander${query}`, { ...IDENTITY, model, ...more });
  const read = async (model: string) =>
    (await app.call('editor', 'GET', `/aicommander/General_Chat/one/${model}`)).json.config;
  const state = () => [app.site.records.all('ml_llm_connections'), [...app.site.secrets.values]];
  const keyStored = () => Object.values(JSON.parse([...app.site.secrets.values.values()][0] ?? '{}'));
  function expectOk({ status, json }: Answer): void {
    expect(status, JSON.stringify(json)).to.equal(200);
  }
  function expectRefused({ status, json }: Answer, cause: string): void {
    const outcome = [status, json.error_code, json.cause];
    expect(outcome, JSON.stringify(json)).to.deep.equal([409, 'verification_refused', cause]);
  }
  /** Done while the provider thinks about the next call. */
  function meanwhile(act: () => Promise<unknown>): void {
    const { request } = app.llm.http;
    app.llm.http.request = async (call) => {
      app.llm.http.request = request;
      await act();
      return request(call);
    };
  }
  beforeEach(() => {
    app = new MemoryApp();
    app.user('editor', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
    app.llm.answer = () => LIST;
  });

  it('asks for the list of models, which costs nothing', async () => {
    expectOk(await save('a', settings('key')));
    expect(asked()).to.deep.equal([['/v1/models', 'Bearer key']]);
  });

  for (const status of [404, 405, 501]) {
    it(`asks the model where the server has no list: ${status}`, async () => {
      app.llm.answer = ({ method }) => (method === 'GET' ? { status, json: {} } : CHAT);
      expectOk(await save('a', settings('key')));
      expect(asked().map(([path]) => path)).to.deep.equal(['/v1/models', '/v1/chat/completions']);
      expect((await read('a')).last_test.status).to.equal('success');
      app.llm.answer = ({ method }) => (method === 'GET' ? { status, json: {} } : REFUSED);
      const before = state();
      expectRefused(await save('a', settings('other')), 'auth_failed');
      expect(state()).to.deep.equal(before);
    });
  }

  it('refuses without a call what cannot be called', async () => {
    expectRefused(await save('a', { servicesettings: {} }), 'configuration_invalid');
    expect([asked(), state()]).to.deep.equal([[], [[], []]]);
  });

  it('tests settings that are not sent as they are stored, and keeps the outcome with this model alone', async () => {
    expectOk(await save('a', settings('key'), ''));
    expectOk(await save('b'));
    expect(asked()).to.deep.equal([['/v1/models', 'Bearer key']]);
    expect((await read('b')).last_test.status).to.equal('success');
    expect(await read('a'))
      .to.include({ version: 1 })
      .and.not.have.property('last_test');
    app.llm.answer = () => REFUSED;
    const before = state();
    expectRefused(await save('c'), 'auth_failed');
    expectRefused(await save('b', settings('key')), 'auth_failed');
    expect(state()).to.deep.equal(before);
  });

  describe('another model of the connection, saved meanwhile,', () => {
    beforeEach(async () => {
      expectOk(await save('a', settings('key'), ''));
    });

    it('does not matter if address and key stay the same', async () => {
      meanwhile(async () => expectOk(await save('b', { modelsettings: { note: 'theirs' } }, '')));
      expectOk(await save('a', { modelsettings: { note: 'mine' } }));
      expect((await read('a')).modelsettings).to.deep.equal({ note: 'mine' });
      expect((await read('b')).modelsettings).to.deep.equal({ note: 'theirs' });
      meanwhile(async () => expectOk(await save('c', {}, '')));
      expectOk(await save('d'));
      expect(app.llm.calls, 'each was tested once').to.have.length(2);
    });

    for (const [what, theirs] of Object.entries({ key: settings('theirs'), address: settings('theirs', 'b') })) {
      it(`makes the test void if the ${what} is another one by then`, async () => {
        meanwhile(async () => expectOk(await save('b', theirs, '')));
        const { status, json } = await save('new');
        expect([status, json.error_code], JSON.stringify(json)).to.deep.equal([409, 'version_conflict']);
        expect(json.current_version).to.equal(0);
        expect(await read('new')).to.equal(undefined);
        expect(keyStored()).to.deep.equal(['theirs']);
        expect(app.site.orphans('ml_llm_connections')).to.deep.equal([]);
      });
    }
  });

  it('a key that another model brings at any moment is never saved as one that was tested', async () => {
    const outcomes = new Set<number>();
    for (let at = 1, changed = true; changed; at++) {
      app = new MemoryApp();
      app.user('editor', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
      app.llm.answer = ({ headers }) => (headers.authorization === 'Bearer key' ? LIST : REFUSED);
      expectOk(await save('a', settings('key'), ''));
      changed = false;
      const faults = new FaultPlan(at, async () => {
        changed = true;
        await save('b', settings('theirs'), '');
      });
      const body = Buffer.from(JSON.stringify({ ...IDENTITY, model: 'new' }));
      const query: [string, string][] = [['verify', 'true']];
      const request = { method: 'POST', path: '/ml/aicommander', query, body, sessionToken: 'editor' };
      const { status } = await app.request(request, faults);
      const where = `before call ${at}: ${faults.trace.join(', ')}`;
      expect(status, where).to.be.oneOf([200, 409, 503]);
      outcomes.add(status);
      const saved = await read('new');
      // Their change of the key, made after ours, is one of this model, too.
      if (saved) expect(saved.version, where).to.equal(changed ? 2 : 1);
      else expect(status, where).to.not.equal(200);
    }
    expect([...outcomes]).to.include.members([200, 409]);
  });
});
