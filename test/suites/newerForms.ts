import { expect } from 'chai';
import { CAPABILITIES, type Capability } from '../../src/contract/capabilities.ts';
import { AgentCorePeer } from '../support/peers/agentCore.ts';
import { told } from '../support/replies.ts';
import type { Answer, OpenWorld } from '../support/worlds/world.ts';
import { COLLECTIONS, furnish } from './configuration/site.ts';

type Json = Record<string, unknown>;
type Call = [method: string, path: string, body?: object];

interface Family {
  name: string;
  collection: string;
  /** Which of its documents is meant. */
  is(doc: Json): boolean;
  list: string;
  /** How many entries of the list it makes. */
  entries: number;
  /** Whatever can be asked of the record. @param key of its document */
  calls(key: string): Call[];
  /** A change that is made where the record can be read. */
  update(key: string): Call;
}

const named =
  (name: string, field = 'name') =>
  (doc: Json) =>
    doc[field] === name;

const llm = { service: 'General_Chat', connection_name: 'Team', model: 'gpt-4.1' };
const details = { cloud_region: 'eu-central-1', kb_id: 'ABCDEFGHIJ', role_arn: 'arn:aws:iam::123456789012:role/r' };
const lab = (more: object) => ({ payload: { container_type: 'docker', connection_name: 'Lab', ...more } });

/** Every family with records that can be changed. */
const FAMILIES: readonly Family[] = [
  {
    ...{ name: 'MCP connections', collection: 'ml_mcp_connections', is: named('Tracker') },
    ...{ list: '/mcp_connection', entries: 1 },
    calls: () => [
      ['GET', '/mcp_connection/Tracker'],
      ['DELETE', '/mcp_connection/Tracker?force=true'],
      ['POST', '/mcp_connection', { name: 'tracker', type: 'PLATFORM', details: { url: 'https://other.example/' } }],
      ['POST', '/mcp_connection/test', { name: 'Tracker' }],
      ['POST', '/mcp_connection/tools', { name: 'Tracker' }],
      ['POST', '/agents', { name: 'second', mcps: [{ name: 'Tracker', tools: ['close'] }] }],
    ],
    update: () => ['PUT', '/mcp_connection', { name: 'Tracker', description: 'changed' }],
  },
  {
    ...{ name: 'LLM connections', collection: 'ml_llm_connections', is: named('Team', 'connection_name') },
    ...{ list: '/aicommander', entries: 2 },
    calls: () => [
      ['GET', '/aicommander/General_Chat/Team/gpt-4.1'],
      ['DELETE', '/aicommander/General_Chat/Team/gpt-4.1?force=true'],
      ['POST', '/aicommander_metadata', llm],
      ['POST', '/agents', { name: 'second', llm }],
    ],
    update: () => ['POST', '/aicommander', { ...llm, modelsettings: { max_tokens: { value: 65 } } }],
  },
  {
    ...{ name: 'Container connections', collection: 'ml_container_connections' },
    ...{ is: named('Lab', 'connection_name'), list: '/container_connection/docker', entries: 1 },
    calls: () => [
      ['GET', '/container_connection/docker/Lab'],
      ['DELETE', '/container_connection/docker/Lab'],
      ['POST', '/container_connection', lab({ docker_url: 'http://other.example:2375' })],
    ],
    update: () => ['POST', '/container_connection', lab({ is_edit: 'true', obs_otel_service_name: 'changed' })],
  },
  {
    ...{ name: 'Vector stores', collection: 'ml_vector_stores', is: named('Handbook') },
    ...{ list: '/vector_stores', entries: 1 },
    calls: () => [
      ['GET', '/vector_stores/Handbook'],
      ['DELETE', '/vector_stores/Handbook?force=true'],
      ['POST', '/vector_stores', { name: 'HANDBOOK', type: 'CLOUD_KB', details }],
      ['POST', '/vector_stores/test', { name: 'Handbook' }],
      ['POST', '/agents', { name: 'second', knowledge_bases: ['Handbook'] }],
    ],
    update: () => ['PUT', '/vector_stores', { name: 'Handbook', description: 'changed' }],
  },
  {
    ...{ name: 'Registered models', collection: 'ml_registered_models', is: named('forecast', 'model_name') },
    ...{ list: '/list_models', entries: 1 },
    calls: () => [
      ['GET', '/register_model?model_name=forecast'],
      ['DELETE', '/register_model?model_name=forecast'],
    ],
    update: () => ['PUT', '/register_model', { model_name: 'forecast', batch_size: 9 }],
  },
  {
    ...{ name: 'Experiments', collection: 'ml_experiments', is: named('the first', 'description') },
    ...{ list: '/experiments', entries: 1 },
    calls: (key) => [
      ['GET', `/experiments/${key}`],
      ['DELETE', `/experiments/${key}`],
      ['GET', `/experiments/${key}/history`],
      ['POST', `/experiments/${key}/history`, { action: 'note' }],
    ],
    update: (key) => ['POST', `/experiments/${key}`, { description: 'the first', tags: ['changed'] }],
  },
  {
    ...{ name: 'AI agents', collection: 'ml_agents', is: named('triage') },
    ...{ list: '/agents', entries: 1 },
    calls: () => [
      ['GET', '/agents/triage'],
      ['DELETE', '/agents/triage'],
      ['POST', '/agents', { name: 'Triage', description: 'another' }],
      ['POST', '/agents/triage/status', { action: 'create' }],
      // They may use it, which only the newer version can tell.
      ['DELETE', '/vector_stores/Handbook'],
      ['DELETE', '/mcp_connection/plain'],
      ['DELETE', '/aicommander/General_Chat/Team/gpt-4.1'],
    ],
    update: () => ['PUT', '/agents', { name: 'triage', description: 'changed' }],
  },
];

/** What a newer version of the app has stored is refused, left out and left alone, and what it has added stays, in any world. */
export function newerFormsSuite(open: OpenWorld): void {
  let cloud: AgentCorePeer;
  before(async () => {
    cloud = await AgentCorePeer.start();
  });
  const world = open({
    users: { keeper: ['keeper'] },
    roles: { keeper: Object.keys(CAPABILITIES) as Capability[] },
    imports: { power: ['user'] },
    collections: [...COLLECTIONS, 'ml_audit', 'ml_uploaded_models', 'ml_ctsm'],
    agentCloud: () => cloud.url,
    modelEndpoints: true,
  });
  beforeEach(async () => {
    cloud.reset();
    await furnish((...call) => world.call('keeper', ...call), 'one.example');
  });
  after(() => cloud.stop());

  const call = (...[method, path, body]: Call) => world.call('keeper', method, path, body);
  const ok = async (...what: Call): Promise<Answer> => {
    const reply = await call(...what);
    expect(reply.status, `${what[0]} ${what[1]} ${told(reply)}`).to.equal(200);
    return reply;
  };
  const refused = async (...what: Call): Promise<void> => {
    const { status, json } = await call(...what);
    expect([status, json.error_code], `${what[0]} ${what[1]} ${JSON.stringify(json)}`).to.deep.equal([
      409,
      'newer_form',
    ]);
    expect(json.remedy).to.include('newer version');
  };
  const docOf = async ({ collection, is }: Pick<Family, 'collection' | 'is'>) => {
    const doc = (await world.records(collection)).find(is);
    if (!doc) throw new Error(`nothing in ${collection}`);
    return doc as Json & { _key: string };
  };
  /** As a newer version writes it. */
  const renewed = async (of: Pick<Family, 'collection' | 'is'>): Promise<Json & { _key: string }> => {
    const doc = { ...(await docOf(of)), form: 2, unheard_of: { by: 'anybody' } };
    await world.store(of.collection, doc);
    return docOf(of);
  };
  const warned = ({ json }: Answer): string[] =>
    (json.warnings ?? []).filter((text: string) => text.includes('newer version'));

  for (const family of FAMILIES) {
    const { name, collection, list, entries } = family;

    it(`${name}: a newer one is refused to everybody who names it, and nothing of it changes`, async () => {
      const before = await renewed(family);
      const refs = await world.secretRefs();
      for (const each of [...family.calls(before._key), family.update(before._key)]) await refused(...each);
      expect(await docOf(family)).to.deep.equal(before);
      expect(await world.secretRefs()).to.deep.equal(refs);
    });

    it(`${name}: lists leave a newer one out, count the rest and say so`, async () => {
      const all = await ok('GET', `${list}?count=1`);
      expect(warned(all)).to.deep.equal([]);
      await renewed(family);
      const { total } = all.json.pagination;
      for (const query of ['count=0', 'count=1', 'count=1&offset=1', 'count=0&search=e']) {
        const rest = await ok('GET', `${list}?${query}`);
        if (!query.includes('search')) expect(rest.json.pagination.total, query).to.equal(total - entries);
        expect(rest.json.result.length, query).to.equal(rest.json.pagination.returned);
        expect(JSON.stringify(rest.json.result), query).to.not.include('unheard_of');
        expect(warned(rest).join(), query).to.include(name);
      }
    });

    it(`${name}: an export leaves a newer one out and says so; an import of it is refused`, async () => {
      const { document } = (await ok('GET', '/export')).json;
      const before = await renewed(family);
      const less = await ok('GET', '/export');
      expect(document.records.length - less.json.document.records.length).to.equal(entries);
      expect(warned(less).join()).to.include(name);
      for (const mode of ['plan', 'apply']) {
        const reply = await ok('POST', '/import', { document, mode, include_agents: true });
        const bad = reply.json.result.filter(({ error_code }: Json) => error_code === 'newer_form');
        // Two experiments of one title are told apart by their age: without the first the second takes its name.
        if (collection !== 'ml_experiments') expect(bad.length, JSON.stringify(reply.json)).to.be.at.least(entries);
      }
      expect(await docOf(family)).to.deep.equal(before);
    });

    it(`${name}: a field that only a newer version knows survives a write`, async () => {
      const doc: Json & { _key: string } = { ...(await docOf(family)), added_later: { deep: ['x'] } };
      await world.store(collection, doc);
      await ok(...family.update(doc._key));
      const after = await docOf(family);
      expect(after.added_later).to.deep.equal({ deep: ['x'] });
      expect(after.version).to.equal(Number(doc.version) + 1);
      // The first form says nothing of itself, as 0.1.0 did not, or that it is the first.
      expect(after.form ?? 1).to.equal(1);
    });
  }

  it('what lists of all families have of it: health, connections', async () => {
    const totalOf = async (path: string) => (await ok('GET', path)).json.pagination.total;
    const before = await totalOf('/connection_health?count=0');
    for (const family of FAMILIES.slice(0, 5)) await renewed(family);
    expect(await totalOf('/connection_health?count=0')).to.be.lessThan(before);
    const health = await ok('GET', '/connection_health?count=0');
    expect(warned(health).length).to.be.at.least(5);
    await ok('POST', '/connection_health/check', {});
    const inventory = await ok('GET', '/list_connections?count=0');
    expect(JSON.stringify(inventory.json.result)).to.not.include('Lab');
    expect(warned(inventory).length).to.be.at.least(2);
  });

  it('entries of the audit trail and of a history', async () => {
    const entry = (await ok('GET', '/audit?count=1')).json.result[0];
    const one = { collection: 'ml_audit', is: named(entry.audit_id, 'audit_id') };
    const before = (await ok('GET', '/audit?count=1')).json.pagination.total;
    const doc = await renewed(one);
    const rest = await ok('GET', '/audit?count=1');
    expect([rest.json.pagination.total, warned(rest).length]).to.deep.equal([before - 1, 1]);
    await refused('GET', `/audit/${entry.audit_id}`);
    expect(await docOf(one)).to.deep.equal(doc);

    const { experiment_id: id } = (await ok('GET', '/experiments?count=1')).json.result[0];
    const history = await renewed({ collection: 'ml_experiment_history', is: named(id, 'experiment_id') });
    expect(warned(await ok('GET', `/experiments/${id}/history`))).to.have.length(1);
    await ok('DELETE', `/experiments/${id}`);
    expect(await world.records('ml_experiment_history')).to.deep.include(history);
  });

  it('decisions of a user', async () => {
    await ok('POST', '/ctsm_feature', { ctsm_opt_out: true });
    const doc = await renewed({ collection: 'ml_ctsm', is: named('keeper', 'user') });
    await refused('GET', '/ctsm_feature');
    await refused('POST', '/ctsm_feature', { ctsm_opt_out: false });
    expect(await world.records('ml_ctsm')).to.deep.equal([doc]);
  });
}
