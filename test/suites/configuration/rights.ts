import { expect } from 'chai';
import { CAPABILITIES, type Capability } from '../../../src/contract/capabilities.ts';
import type { OpenWorld } from '../../support/worlds/world.ts';
import { connection, documentOf, Kit } from './kit.ts';
import { actionsOf, COLLECTIONS, type Json } from './site.ts';

const SHARED = { sharing: 'app', perms: { read: ['*'], write: ['editors'] } };

/** Import grants no rights (contract 12), in any world. */
export function rightsSuite(open: OpenWorld): void {
  const world = open({
    users: {
      ...{ anna: ['keeper'], bert: ['keeper', 'editors'], carl: ['keeper'] },
      ...{ plain: ['user'], root: ['admin'] },
    },
    roles: { keeper: Object.keys(CAPABILITIES) as Capability[] },
    imports: { editors: [] },
    collections: COLLECTIONS,
  });
  const [anna, bert, carl] = [new Kit(world, 'anna'), new Kit(world, 'bert'), new Kit(world, 'carl')];
  const [plain, root] = [new Kit(world, 'plain'), new Kit(world, 'root')];
  /** Audit entries of a user, oldest first: `<action> <family>/<name> <outcome> <code> <count>`. */
  const trailOf = async ({ user }: Kit) =>
    ((await world.records('ml_audit')) as Json[])
      .filter((entry) => entry.user === user)
      .sort((a, b) => (String(a.audit_id) < String(b.audit_id) ? -1 : 1))
      .map(({ action, family, name, outcome, error_code = '', count = '' }) =>
        `${action} ${family}/${name} ${outcome} ${error_code} ${count}`.trim(),
      );
  const isRefusal = (line: string) => line.startsWith('import configuration/ fail');
  const refusalsOf = async (kit: Kit) => {
    const lines = (await trailOf(kit)).filter(isRefusal);
    return { entries: lines.length, count: lines.reduce((sum, line) => sum + (Number(line.split(' ')[4]) || 1), 0) };
  };
  const names = async (kit: Kit) => (await kit.export()).records.map(({ name }) => name);

  it('export holds what the caller may read; a family that is closed is told of', async () => {
    await anna.apply(documentOf(connection('own'), connection('shared', {}, { acl: SHARED })));
    await anna.make('/aicommander', {
      ...{ service: 'Local_Runtime', connection_name: 'box', model: 'm' },
      servicesettings: { endpoint: { value: 'http://one' } },
    });
    expect(await names(anna)).to.deep.equal(['Local_Runtime/box/m', 'own', 'shared']);
    expect(await names(carl)).to.deep.equal(['Local_Runtime/box/m', 'shared']);
    expect(await names(root)).to.deep.equal(['Local_Runtime/box/m', 'own', 'shared']);
    const { json } = await plain.call('GET', '/export');
    expect(json.document.records.map(({ name }: Json) => name)).to.deep.equal(['shared']);
    const closed = json.not_included.map(({ what }: Json) => what);
    expect(closed).to.include.members(['llm-providers', 'container-connections']);
  });

  it('a plain user imports only what they may: experiments, and nothing that needs a capability', async () => {
    const experiment = { family: 'experiments', name: 'e', spec: { title: 'e', type: 'smart_forecast' } };
    const store = {
      family: 'vector-stores',
      name: 's',
      spec: { name: 's', type: 'CLOUD_KB', details: { cloud_region: 'eu-central-1', kb_id: 'ABCDEFGHIJ' } },
    };
    const llm = {
      family: 'llm-providers',
      name: 'Local_Runtime/box/m',
      spec: { service: 'Local_Runtime', connection_name: 'box', model: 'm' },
    };
    const agent = { family: 'agents', name: 'a', spec: { name: 'a' } };
    const reply = await plain.apply(documentOf(connection('c'), experiment, store, llm, agent), {
      include_agents: true,
    });
    expect(actionsOf(reply)).to.deep.equal([
      'mcp-connections/c blocked',
      'experiments/e create',
      'vector-stores/s blocked',
      'llm-providers/Local_Runtime/box/m blocked',
      'agents/a blocked',
    ]);
    for (const one of reply.json.result.filter(({ action }: Json) => action === 'blocked')) {
      expect(one.error_code, one.name).to.equal('missing_capability');
      expect(one.problems[0].field).to.equal('$record');
    }
    expect(await world.records('ml_experiments')).to.have.length(1);
    expect(await world.records('ml_mcp_connections')).to.deep.equal([]);
  });

  it('refused records of an import are counted in one entry of the trail; a plan has none', async () => {
    const experiment = { family: 'experiments', name: 'f', spec: { title: 'f', type: 'smart_forecast' } };
    const agent = { family: 'agents', name: 'a', spec: { name: 'a' } };
    const wrong = connection('w', { details: { url: 'ftp://mcp.example' } });
    const before = await trailOf(plain);
    await plain.plan(documentOf(connection('c'), experiment, agent), { include_agents: true });
    expect(await trailOf(plain)).to.deep.equal(before);
    const refused = await refusalsOf(plain);
    await plain.apply(documentOf(connection('c'), wrong, experiment, agent), { include_agents: true });
    const [{ experiment_id: id } = {}] = (await world.records('ml_experiments')).filter(({ title }) => title === 'f');
    expect((await trailOf(plain)).filter((line) => !isRefusal(line)).slice(-2)).to.have.members([
      'import configuration/ success',
      `create experiments/${id} success`,
    ]);
    // The test before this one may have been refused within the same minute.
    expect(await refusalsOf(plain)).to.deep.equal({ entries: 1, count: refused.count + 3 });
    await anna.apply(documentOf(connection('shared', {}, { acl: SHARED })));
    const known = await refusalsOf(carl);
    const { json } = await carl.apply(documentOf(connection('shared', { description: 'mine now' }), wrong));
    expect(json.summary).to.include({ blocked: 2, done: 0, failed: 0, not_reached: 0 });
    expect((await refusalsOf(carl)).count).to.equal(known.count + 2);
    // Records that were not selected are not refused.
    const left = (await trailOf(carl)).length;
    await carl.apply(documentOf(connection('shared', { description: 'mine now' })), { on_existing: 'skip' });
    expect((await trailOf(carl)).length).to.equal(left + 1);
  });

  it('a record that the caller may not write, not read, or not share as the document says', async () => {
    await anna.apply(documentOf(connection('own'), connection('shared', {}, { acl: SHARED })));
    const count = (await world.records('ml_mcp_connections')).length;
    const changed = { description: 'mine now' };
    expect(await carl.planOne(connection('shared', changed))).to.include({
      action: 'blocked',
      error_code: 'acl_denied',
    });
    expect(await carl.planOne(connection('shared'))).to.include({ action: 'unchanged' });
    expect(await carl.planOne(connection('own', changed))).to.include({
      action: 'blocked',
      error_code: 'duplicate_name',
    });
    expect(await bert.planOne(connection('shared', changed))).to.include({ action: 'update' });
    const everyone = { acl: { ...SHARED, perms: { read: ['*'], write: ['*'] } } };
    expect(await bert.planOne(connection('shared', changed, everyone))).to.include({ error_code: 'acl_denied' });
    const strange = { acl: { ...SHARED, perms: { read: ['*', 'nobody-is-it'] } } };
    const one = await anna.planOne(connection('shared', {}, strange));
    expect(one).to.include({ action: 'blocked', error_code: 'validation_failed' });
    expect((one.problems as Json[])[0]).to.include({ field: 'acl.perms.read.1' });
    const { json } = await carl.apply(documentOf(connection('shared', changed), connection('new')));
    expect(json.result.map(({ action }: Json) => action)).to.deep.equal(['blocked', 'create']);
    expect(await world.records('ml_mcp_connections')).to.have.length(count + 1);
  });

  it('owners: an administrator gives records to those whom the document names, anybody else keeps them', async () => {
    const record = (name: string) => connection(name, {}, { acl: { owner: 'somebody of the other site', ...SHARED } });
    await carl.apply(documentOf(record('a')));
    await root.apply(documentOf(record('b')));
    const owners = (await world.records('ml_mcp_connections')).map(({ name, acl }) => [name, (acl as Json).owner]);
    expect(owners.sort()).to.deep.equal([
      ['a', 'carl'],
      ['b', 'somebody of the other site'],
    ]);
    expect((await carl.plan(documentOf(record('a')))).json.summary).to.include({ unchanged: 1 });
    expect(await root.planOne(record('a'))).to.deep.include({ action: 'update', changed: ['acl.owner'] });
    const listless = { family: 'llm-providers', name: 'Local_Runtime/b/m', acl: SHARED };
    const spec = { service: 'Local_Runtime', connection_name: 'b', model: 'm' };
    const { json } = await anna.plan(documentOf({ ...listless, spec }));
    expect(json.warnings).to.deep.equal(['document.records.0.acl: records of llm-providers have no access list']);
  });

  it('what exists is updated, left alone or blocked, as the caller says', async () => {
    await anna.apply(documentOf(connection('same'), connection('other')));
    const document = documentOf(connection('same'), connection('other', { description: 'x' }), connection('new'));
    const actions = async (more: object) =>
      (await anna.plan(document, more)).json.result.map(({ action }: Json) => action);
    expect(await actions({})).to.deep.equal(['unchanged', 'update', 'create']);
    expect(await actions({ on_existing: 'skip' })).to.deep.equal(['unchanged', 'skip', 'create']);
    expect(await actions({ on_existing: 'fail' })).to.deep.equal(['unchanged', 'blocked', 'create']);
    const { json } = await anna.apply(document, { on_existing: 'fail' });
    expect(json.result[1]).to.include({ error_code: 'already_exists' });
    expect(json.summary).to.include({ done: 1 });
  });

  it('agents are planned, and made only on demand; they may name what the same document makes', async () => {
    const agent = (spec: Json) => ({ family: 'agents', name: 'triage', spec: { name: 'triage', ...spec } });
    const document = documentOf(agent({ mcps: [{ name: 'a' }] }), connection('a'));
    const plan = await anna.plan(document);
    expect(actionsOf(plan)).to.deep.equal(['agents/triage skip', 'mcp-connections/a create']);
    expect(plan.json.result[0].problems[0].message).to.contain('include_agents');
    expect((await anna.apply(document)).json.summary).to.include({ done: 1, skip: 1 });
    expect(await world.records('ml_agents')).to.deep.equal([]);
    expect((await anna.plan(document, { include_agents: true })).json.result[0]).to.include({ action: 'create' });
    const team = { service: 'General_Chat', connection_name: 'Team', model: 'gpt-a' };
    const models = [
      { family: 'llm-providers', name: 'General_Chat/Team/gpt-a', spec: team },
      { family: 'model_aliases', name: 'fast', spec: { name: 'fast', targets: [team] } },
    ];
    for (const model of ['FAST', 'team/gpt-a', 'General_Chat/Team/gpt-a', 'gpt-a']) {
      const { json } = await anna.plan(documentOf(agent({ llm: { model } }), ...models), { include_agents: true });
      expect(json.result[0], model).to.include({ action: 'create' });
    }
    const other = documentOf(agent({ llm: { model: 'team/gpt-b' } }), ...models);
    expect((await anna.plan(other, { include_agents: true })).json.result[0]).to.include({
      action: 'blocked',
      error_code: 'unknown_reference',
    });
    const hosted = { runtime_type: 'CONTAINER', runtime: { container: 'answers' }, llm: { model: 'fast' } };
    const applied = await anna.apply(documentOf(agent(hosted), ...models), { include_agents: true });
    expect(applied.json.summary).to.include({ done: 3 });
    // Containers are started later: an import only says which are missing.
    expect(applied.json.warnings.filter((one: string) => one.includes('runtime.container'))).to.have.length(1);
    const [stored] = (await world.records('ml_agents')) as Json[];
    expect(stored).to.deep.include({ state: 'Available', ...hosted });
    const lost = await anna.planOne(agent({ knowledge_bases: ['nowhere'] }));
    expect(lost).to.include({ action: 'blocked', error_code: 'unknown_reference' });
    expect((lost.problems as Json[])[0]).to.include({ field: 'knowledge_bases.0' });
  });
}
