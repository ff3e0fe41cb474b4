import { expect } from 'chai';
import { MASK } from '../../../src/contract/mask.ts';
import { type ScriptedProvider, startProvider, WELL } from '../../support/peers/llm.ts';
import type { Answer } from '../../support/worlds/world.ts';
import { type Json, type LlmKit, ROOT } from './kit.ts';

const CANARY = 'canary-in-the-open';
const CONNECTIONS = 'ml_llm_connections';
/** As 0.1.0 stored them, which did not know the names on the right for credentials. */
const RENAMED = { proxy_note: 'proxy_auth', 'X-Note': 'Authorization', the_note: 'cookie' };

/** Credentials that an earlier version left in the open. */
export function leftoverTests({ world, save, read, remove, test }: LlmKit): void {
  const identity = { service: 'General_Chat', connection_name: 'c', model: 'gpt-4o-mini' };
  const other = { ...identity, model: 'other' };
  const shown = {
    servicesettings: { proxy_auth: { value: MASK, label: 'L' }, n: 'plain' },
    headers: { Authorization: MASK, list: [{ cookie: MASK }] },
  };
  const sealed = {
    'servicesettings/access_token/value': 'the-key',
    'servicesettings/proxy_auth/value': CANARY,
    'models/gpt-4o-mini/headers/Authorization': CANARY,
    'models/gpt-4o-mini/headers/list/0/cookie': CANARY,
    'models/other/headers/Authorization': CANARY,
  };
  const configOf = async (blob: Json) => (await read(blob)).json.config;
  const records = async () => JSON.stringify(await world.records(CONNECTIONS));
  const secrets = () => world.secretsOf(CONNECTIONS, 'c');
  let provider: ScriptedProvider;

  before(async () => {
    provider = await startProvider(WELL.General_Chat);
  });
  after(() => provider.close());

  beforeEach(async () => {
    const servicesettings = {
      endpoint: { value: `${provider.url}/v1` },
      access_token: { value: 'the-key', label: 'Key' },
      proxy_note: { value: CANARY, label: 'L' },
      n: 'plain',
    };
    const headers = { 'X-Note': CANARY, list: [{ the_note: CANARY }] };
    await save({ ...identity, servicesettings, headers, is_saved: true });
    await save({ ...other, headers: { 'X-Note': CANARY } });
    let text = await records();
    for (const [now, then] of Object.entries(RENAMED)) text = text.replaceAll(now, then);
    for (const document of JSON.parse(text)) await world.store(CONNECTIONS, document);
    expect(await records()).to.contain(CANARY);
  });

  it('are masked wherever they are shown', async () => {
    const config = await configOf(identity);
    expect(config.servicesettings).to.deep.include(shown.servicesettings);
    expect(config.servicesettings.access_token).to.deep.equal({ value: MASK, label: 'Key' });
    expect(config.headers).to.deep.equal(shown.headers);
    const list = (await world.call('reader', 'GET', ROOT)).json;
    expect(list.result).to.have.length(2);
    expect(JSON.stringify([config, list, await configOf(other)])).not.to.contain(CANARY);
  });

  const writes: Record<string, () => Promise<Answer>> = {
    'the whole configuration sent back': async () => save(await configOf(identity)),
    'another model': () => save({ ...identity, model: 'third' }),
    'a test': () => test(identity),
  };
  for (const [name, write] of Object.entries(writes)) {
    it(`are sealed by the next write, and kept by the mask and by absence: ${name}`, async () => {
      expect((await write()).status).to.equal(200);
      expect(await records()).not.to.contain(CANARY);
      expect(await secrets()).to.deep.equal(sealed);
      expect((await configOf(identity)).headers).to.deep.equal(shown.headers);
    });
  }

  it('are sealed by the deletion of another model, and go with their own', async () => {
    expect((await remove(identity)).status).to.equal(200);
    expect(await records()).not.to.contain(CANARY);
    expect(await secrets()).to.deep.equal({
      'servicesettings/access_token/value': 'the-key',
      'servicesettings/proxy_auth/value': CANARY,
      'models/other/headers/Authorization': CANARY,
    });
  });

  it('are no obstacle to a test of the form that shows them, which writes nothing', async () => {
    const stored = () => Promise.all([CONNECTIONS, 'ml_llm_models', 'ml_leases', 'ml_journal'].map(world.records));
    const before = await stored();
    const reply = await test({ ...(await configOf(identity)), probe: 'list' });
    expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
    expect(await stored()).to.deep.equal(before);
  });

  it('a version does not rise when they are sealed by a test', async () => {
    const { version } = await configOf(identity);
    await test(identity);
    expect((await configOf(identity)).version).to.equal(version);
  });
}
