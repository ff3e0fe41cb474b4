import { expect } from 'chai';
import { MASK } from '../../../src/contract/mask.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';

const CANARY = 'canary-in-the-open';

describe('LLM configurations: credentials that an earlier version left in the open', () => {
  let app: MemoryApp;
  const identity = { service: 'General_Chat', connection_name: 'c', model: 'm' };
  const call = (method: string, path: string, body?: unknown) => app.call('editor', method, path, body);
  const read = async (model = 'm') => (await call('GET', `/aicommander/General_Chat/c/${model}`)).json.config;
  const save = (more: Json) => call('POST', '/aicommander', { ...identity, ...more });
  const records = () => JSON.stringify(app.site.records.all('ml_llm_connections'));
  const secrets = () => JSON.parse([...app.site.secrets.values.values()][0] ?? '{}');

  beforeEach(async () => {
    app = new MemoryApp();
    app.user('editor', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
    const servicesettings = {
      access_token: { value: 'the-key', label: 'Key' },
      proxy_note: { value: CANARY, label: 'L' },
      n: 'plain',
    };
    const more = { headers: { 'X-Note': CANARY, list: [{ the_note: CANARY }] }, is_saved: true };
    await save({ servicesettings, ...more });
    await save({ model: 'other', headers: { 'X-Note': CANARY } });
    // As 0.1.0 stored them, which did not know these names for credentials.
    const collection = app.site.records.collection('ml_llm_connections');
    for (const [key, text] of collection) {
      collection.set(
        key,
        text
          .replaceAll('proxy_note', 'proxy_auth')
          .replaceAll('X-Note', 'Authorization')
          .replaceAll('the_note', 'cookie'),
      );
    }
    expect(records()).to.contain(CANARY);
  });

  const shown = {
    servicesettings: { proxy_auth: { value: MASK, label: 'L' }, n: 'plain' },
    headers: { Authorization: MASK, list: [{ cookie: MASK }] },
  };
  const sealed = {
    'servicesettings/access_token/value': 'the-key',
    'servicesettings/proxy_auth/value': CANARY,
    'models/m/headers/Authorization': CANARY,
    'models/m/headers/list/0/cookie': CANARY,
    'models/other/headers/Authorization': CANARY,
  };

  it('are masked wherever they are shown', async () => {
    const config = await read();
    expect(config.servicesettings).to.deep.include(shown.servicesettings);
    expect(config.servicesettings.access_token).to.deep.equal({ value: MASK, label: 'Key' });
    expect(config.headers).to.deep.equal(shown.headers);
    const list = await call('GET', '/aicommander');
    expect(list.json.result).to.have.length(2);
    expect(JSON.stringify([config, list.json, await read('other')])).not.to.contain(CANARY);
  });

  it('are sealed by the next write, of any kind, and kept by the mask and by absence', async () => {
    const config = await read();
    const writes: Record<string, () => Promise<unknown>> = {
      'the whole configuration sent back': () => call('POST', '/aicommander', config),
      'another model': () => save({ model: 'third' }),
      'a test': () => call('POST', '/aicommander_metadata', identity),
    };
    const before = app.site.records.all('ml_llm_connections')[0] as Json;
    const secretsBefore = [...app.site.secrets.values];
    for (const [name, write] of Object.entries(writes)) {
      app.site.records.collection('ml_llm_connections').set(String(before._key), JSON.stringify(before));
      app.site.secrets.values.clear();
      for (const [ref, value] of secretsBefore) app.site.secrets.values.set(ref, value);
      const answer = (await write()) as { status: number; text?: string };
      expect(answer.status, name).to.equal(200);
      expect(records(), name).not.to.contain(CANARY);
      expect(secrets(), name).to.deep.equal(sealed);
      expect((await read()).headers, name).to.deep.equal(shown.headers);
    }
  });

  it('are sealed by the deletion of another model, and go with their own', async () => {
    expect((await call('DELETE', '/aicommander/General_Chat/c/m')).status).to.equal(200);
    expect(records()).not.to.contain(CANARY);
    expect(secrets()).to.deep.equal({
      'servicesettings/access_token/value': 'the-key',
      'servicesettings/proxy_auth/value': CANARY,
      'models/other/headers/Authorization': CANARY,
    });
  });

  it('are no obstacle to a test of the form that shows them, which writes nothing', async () => {
    const before = app.site.records.dump();
    const { json, status } = await call('POST', '/aicommander_metadata', { ...(await read()), probe: 'list' });
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(app.site.records.dump()).to.equal(before);
  });

  it('a version does not rise when they are sealed by a test', async () => {
    const { version } = await read();
    await call('POST', '/aicommander_metadata', identity);
    expect((await read()).version).to.equal(version);
  });
});
