import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import type { OpenWorld } from '../../support/worlds/world.ts';
import { connection, documentOf, openKeeper } from './kit.ts';
import type { Json } from './site.ts';

const FIRST = 'canary-7c41d0-first';
const SECOND = 'canary-7c41d0-second';
const TOKEN = ['details.token'];

export function secretSuite(open: OpenWorld): void {
  const kit = openKeeper(open);
  const { world } = kit;
  const sending = (token: string, name = 'a') => ({
    secrets: { [`mcp-connections/${name}`]: { 'details.token': token } },
  });
  const storedToken = async () => (await world.secretsOf('ml_mcp_connections', 'a'))?.['details/token'];
  const record = connection('a', {}, { secrets: TOKEN });

  it('a secret that is not sent is missing; what can do without it is made all the same', async () => {
    expect(await kit.planOne(record)).to.deep.include({ action: 'create', missing_secrets: TOKEN, problems: [] });
    const { json } = await kit.apply(documentOf(record));
    expect(json.result[0]).to.deep.include({ action: 'create', missing_secrets: TOKEN, outcome: 'done' });
    expect(await kit.planOne(record)).to.deep.include({ action: 'unchanged', missing_secrets: TOKEN });
  });

  it('what cannot do without it is blocked, whether the document names it or not', async () => {
    const details = { url: 'https://mcp.example', client_id: 'c', is_auto_refresh_enabled: true };
    for (const secrets of [['details.refresh_token'], []]) {
      const one = await kit.planOne(connection('a', { type: 'ISSUE_TRACKER', details }, { secrets }));
      expect(one).to.deep.include({ action: 'blocked', missing_secrets: ['details.refresh_token'] });
      expect((one.problems as Json[])[0]).to.include({
        field: 'details.refresh_token',
        error_code: 'validation_failed',
      });
    }
    const store = {
      family: 'vector-stores',
      name: 's',
      spec: {
        name: 's',
        type: 'CLOUD_KB',
        details: { cloud_region: 'eu-central-1', kb_id: 'ABCDEFGHIJ', cloud_access_key_id: 'AKIA' },
      },
    };
    expect(await kit.planOne(store)).to.deep.include({
      action: 'blocked',
      missing_secrets: ['details.cloud_access_key_token'],
    });
  });

  it('one that is stored stays; one that is sent replaces it, and is sent again without any change', async () => {
    await kit.apply(documentOf(record), sending(FIRST));
    expect(await storedToken()).to.equal(FIRST);
    expect(await kit.planOne(record)).to.deep.include({ action: 'unchanged', missing_secrets: [] });
    expect(await kit.planOne(connection('a', { description: 'x' }))).to.deep.include({ changed: ['description'] });
    await kit.apply(documentOf(connection('a', { description: 'x' })));
    expect(await storedToken()).to.equal(FIRST);
    const refs = await world.secretRefs();
    expect(await kit.planOne(record, sending(SECOND))).to.deep.include({
      action: 'update',
      changed: ['description', 'details.token'],
    });
    expect(await world.secretRefs()).to.deep.equal(refs);
    await kit.apply(documentOf(record), sending(SECOND, 'A'));
    expect(await storedToken()).to.equal(SECOND);
    const version = (await world.records('ml_mcp_connections'))[0]?.version;
    expect((await kit.apply(documentOf(record), sending(SECOND))).json.summary).to.include({ unchanged: 1, done: 0 });
    for (const token of [FIRST, SECOND]) {
      const guess = await kit.planOne(record, sending(token));
      expect(guess, 'a plan is no way to guess').to.deep.include({ action: 'update', changed: TOKEN });
    }
    expect((await world.records('ml_mcp_connections'))[0]?.version).to.equal(version);
  });

  it('an address that has changed is blocked until its secrets are sent again', async () => {
    await kit.apply(documentOf(record), sending(FIRST));
    const moved = connection('a', { details: { url: 'https://elsewhere.example/mcp' } }, { secrets: TOKEN });
    const before = await world.records('ml_mcp_connections');
    const { json } = await kit.apply(documentOf(moved));
    expect(json.result[0]).to.deep.include({
      action: 'blocked',
      error_code: 'secret_required_for_new_host',
      missing_secrets: TOKEN,
    });
    expect(json.result[0].problems[0]).to.include({
      field: 'details.token',
      error_code: 'secret_required_for_new_host',
    });
    expect(await world.records('ml_mcp_connections')).to.deep.equal(before);
    expect(await kit.planOne(moved, sending(FIRST))).to.deep.include({
      action: 'update',
      changed: ['details.url', 'details.token'],
    });
    expect((await kit.apply(documentOf(moved), sending(SECOND))).json.result[0]).to.include({ outcome: 'done' });
    expect(await storedToken()).to.equal(SECOND);
  });

  it('one in the document itself is blocked; a mask in it means the one that is stored', async () => {
    const inline = (token: unknown) => connection('a', { details: { url: 'https://mcp.example/mcp', token } });
    const one = await kit.planOne(inline(FIRST));
    expect(one).to.include({ action: 'blocked' });
    expect((one.problems as Json[])[0]).to.include({ field: 'details.token' });
    await kit.apply(documentOf(record), sending(FIRST));
    expect(await kit.planOne(inline(MASK))).to.include({ action: 'unchanged' });
  });

  it('a path without a place for a secret, a record that the document has not', async () => {
    const one = await kit.planOne(record, {
      secrets: { 'mcp-connections/a': { 'details.url': FIRST, nonsense: FIRST } },
    });
    expect(one).to.include({ action: 'blocked' });
    expect((one.problems as Json[]).map(({ field }) => field)).to.deep.equal(['details.url', 'nonsense']);
    const secrets = { 'mcp-connections/b': { 'details.token': FIRST }, [FIRST]: { 'details.token': FIRST } };
    const { json } = await kit.plan(documentOf(record), { secrets });
    expect(json.warnings).to.deep.equal([
      'Secrets that belong to no record of the document were ignored: mcp-connections/b, 1 more',
    ]);
  });

  it('the key of an LLM connection is sent with one of its models', async () => {
    const llm = (model: string) => ({
      family: 'llm-providers',
      name: `General_Chat/Team/${model}`,
      spec: {
        ...{ service: 'General_Chat', connection_name: 'Team', model },
        servicesettings: { endpoint: { value: 'https://llm.example/v1' } },
      },
      secrets: ['servicesettings.access_token.value'],
    });
    const document = documentOf(llm('a'), llm('b'));
    const secrets = { 'llm-providers/General_Chat/Team/b': { 'servicesettings.access_token.value': FIRST } };
    const { json } = await kit.apply(document, { secrets });
    expect(json.result.map(({ action, missing_secrets }: Json) => [action, missing_secrets])).to.deep.equal([
      ['create', []],
      ['create', []],
    ]);
    expect((await kit.apply(document, { secrets })).json.summary).to.include({ unchanged: 2 });
    expect((await kit.plan(document)).json.summary).to.include({ unchanged: 2 });
    const other = { 'llm-providers/General_Chat/Team/b': { 'servicesettings.access_token.value': SECOND } };
    const changed = await kit.plan(document, { secrets: other });
    expect(changed.json.result[0]).to.deep.include({
      action: 'update',
      changed: ['servicesettings.access_token.value'],
    });
  });

  it('a container without a token gets one of its own', async () => {
    const lab = {
      family: 'container-connections',
      name: 'docker/Lab',
      spec: { container_type: 'docker', connection_name: 'Lab', docker_url: 'http://engine:2375' },
      secrets: ['api_token'],
    };
    expect(await kit.planOne(lab)).to.deep.include({ action: 'create', missing_secrets: [] });
    await kit.apply(documentOf(lab));
    expect(await world.secretsOf('ml_container_connections', 'Lab')).to.have.property('api_token');
    expect(await kit.planOne(lab)).to.deep.include({ action: 'unchanged', missing_secrets: [] });
  });
}
