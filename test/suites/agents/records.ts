import { expect } from 'chai';
import { recordKey } from '../../../src/domain/values/keys.ts';
import { llmConnectionKey } from '../../../src/families/llm-providers/records/connection.ts';
import { AgentCorePeer } from '../../support/peers/aws/agentCore.ts';
import type { Answer, OpenWorld } from '../../support/worlds/world.ts';

type Json = Record<string, unknown>;

const MAKER = ['edit_agents', 'run_agents', 'edit_agent_connections', 'list_ai_commander_config'] as const;
const fields = ({ json }: Answer) => (json.errors ?? []).map((error: { field: string }) => error.field);
const code = ({ status, json }: Answer) => [status, json.error_code];

const RUN_DEFAULTS = {
  approve_tools: 'destructive',
  approve_tools_named: [],
  approval_timeout_s: 0,
  on_approval_timeout: 'reject',
  on_unavailable: 'fail',
  on_unverified: 'mark',
};

/** Agents as records, in any world. Nobody follows them, so that they stay on their way until a test asks. */
export function agentSuite(open: OpenWorld): void {
  let cloud: AgentCorePeer;
  before(async () => {
    cloud = await AgentCorePeer.start();
  });
  const world = open({
    users: {
      ...{ maker: ['maker'], other: ['maker'], blind: ['blind'], half: ['half'], rest: ['rest'] },
      ...{ reader: ['user'], root: ['admin'] },
    },
    roles: { maker: MAKER, blind: ['edit_agents', 'run_agents'], half: ['run_agents'], rest: ['edit_agents'] },
    collections: ['ml_agents', 'ml_mcp_connections', 'ml_vector_stores', 'ml_llm_connections'],
    agentCloud: () => cloud.url,
  });
  beforeEach(() => cloud.reset());
  after(() => cloud.stop());

  const create = (body: object, user = 'maker') => world.call(user, 'POST', '/agents', body);
  const update = (body: object, user = 'maker', headers: Record<string, string> = {}) =>
    world.call(user, 'PUT', '/agents', body, headers);
  const read = async (name = 'triage') => (await world.call('maker', 'GET', `/agents/${name}`)).json;
  const poll = (name: string, action: string) => world.call('maker', 'POST', `/agents/${name}/status`, { action });
  const remove = (name: string, user = 'maker') => world.call(user, 'DELETE', `/agents/${name}`);
  const made = async (body: object) => {
    const reply = await create(body);
    expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
  };
  const settle = async (name = 'triage') =>
    expect((await poll(name, 'create')).json).to.include({ state: 'Available', done: 1 });
  const connection = (name: string, more: Json = {}) =>
    world.call('maker', 'POST', '/mcp_connection', {
      name,
      type: 'PLATFORM',
      details: { url: 'https://mcp.example/mcp' },
      ...more,
    });
  const store = (name: string) =>
    world.store('ml_vector_stores', {
      _key: recordKey(name),
      name,
      acl: { owner: 'maker', sharing: 'user', perms: { read: [], write: [] } },
    });
  const llm = (models: string[]) =>
    world.store('ml_llm_connections', {
      _key: llmConnectionKey('General_Chat', 'Main'),
      connection_name: 'Main',
      service: 'General_Chat',
      models: JSON.stringify(models.map((model) => ({ model }))),
    });

  describe('create', () => {
    it('takes a name alone; the rest has its default', async () => {
      const earliest = world.now();
      const reply = await create({ name: 'triage' });
      expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
      expect(reply.json).to.include({
        agent_name: 'triage',
        runtime_type: 'CLOUD_AGENT_CORE',
        state: 'Creating',
        tracking_job_id: null,
      });
      expect(reply.json.warnings.join()).to.include('| agentstatus agent_name=triage action=create');
      const { config, status, message, ...top } = await read();
      expect(top).to.deep.equal(config);
      expect([status, message]).to.deep.equal(['success', 'OK']);
      const { created_at, last_updated_at, tracking, ...rest } = config;
      const { started_at, ...unpolled } = tracking;
      const [id] = cloud.runtimes.keys();
      expect(rest).to.deep.equal({
        name: 'triage',
        description: '',
        is_enabled: true,
        runtime_type: 'CLOUD_AGENT_CORE',
        state: 'Creating',
        system_prompt: '',
        task_prompt: '',
        mcps: [],
        knowledge_bases: [],
        search_tools: [],
        agent_timeout: 450,
        max_steps: 20,
        ...RUN_DEFAULTS,
        acl: { owner: 'maker', sharing: 'user', perms: { read: [], write: [] } },
        versions: [
          {
            version: 1,
            state: 'Creating',
            system_prompt: '',
            task_prompt: '',
            tools: { mcps: [], knowledge_bases: [], search_tools: [] },
            agent_timeout: 450,
            max_steps: 20,
            ...RUN_DEFAULTS,
            runtime_params: {
              runtime_id: id,
              runtime_arn: `arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/${id}`,
              runtime_version: '1',
            },
          },
        ],
        version: 1,
        created_by: 'maker',
        last_updated_by: 'maker',
      });
      expect(created_at).to.equal(last_updated_at);
      expect(started_at).to.be.within(earliest, created_at);
      expect(unpolled).to.deep.equal({ job_id: null, action: 'create', last_polled_at: null, attempts: 0 });
    });

    it('refuses what is no name', async () => {
      const bad = ['', ' ', '1a', '_a', 'a-b', 'a b', 'a/b', 'a%b', 'ä', 'a"b', "a'|delete", 'a\nb', 'x'.repeat(49)];
      for (const name of bad) {
        const reply = await create({ name });
        expect(code(reply), name).to.deep.equal([400, 'validation_failed']);
        expect(fields(reply), name).to.deep.equal(['name']);
      }
      expect(cloud.calls).to.deep.equal([]);
    });

    it('names every problem of a body', async () => {
      const reply = await create({
        name: 5,
        agent_timeout: 0,
        is_enabled: 'x',
        runtime_type: 'OTHER',
        runtime: { container: 'a b' },
        llm: { service: 's', max_tokens: 0, response_variability: 2 },
        mcps: [{ tools: [] }, { name: 'a', tools: [''] }],
        knowledge_bases: 'kb',
        max_steps: 101,
        max_tokens_per_run: 0,
        approve_tools: 'sometimes',
        approve_tools_named: [''],
        output_schema: [],
        on_unavailable: 'wait',
        check_evidence: 'x',
        on_unverified: 'drop',
        approval_timeout_s: 604_801,
        on_approval_timeout: 'approve',
      });
      expect(reply.status).to.equal(400);
      expect(fields(reply)).to.have.members([
        'name',
        'agent_timeout',
        'is_enabled',
        'runtime_type',
        'runtime.container',
        'llm.model',
        'llm.max_tokens',
        'llm.response_variability',
        'mcps.0.name',
        'mcps.1.tools.0',
        'knowledge_bases',
        'max_steps',
        'max_tokens_per_run',
        'approve_tools',
        'approve_tools_named.0',
        'output_schema',
        'on_unavailable',
        'check_evidence',
        'on_unverified',
        'approval_timeout_s',
        'on_approval_timeout',
      ]);
    });

    it('takes a name once, whatever its case', async () => {
      await made({ name: 'Triage' });
      expect(code(await create({ name: 'tRIAGE' }, 'other'))).to.deep.equal([409, 'duplicate_name']);
      expect(cloud.runtimes.size).to.equal(1);
    });
  });

  describe('names of other records', () => {
    it('have to exist and to be readable: connection, store, LLM configuration', async () => {
      await connection('hidden');
      await store('hidden_store');
      await llm(['m1']);
      const named = {
        name: 'triage',
        mcps: [{ name: 'hidden', tools: ['x'] }, { name: 'none' }],
        knowledge_bases: ['hidden_store', 'none'],
        llm: { service: 'General_Chat', connection_name: 'MAIN', model: 'm2' },
      };
      const reply = await create(named, 'other');
      expect(code(reply)).to.deep.equal([400, 'unknown_reference']);
      expect(fields(reply)).to.have.members([
        'mcps.0.name',
        'mcps.1.name',
        'knowledge_bases.0',
        'knowledge_bases.1',
        'llm',
      ]);
      expect(cloud.calls).to.deep.equal([]);
      const good = {
        ...named,
        mcps: [{ name: 'HIDDEN', tools: ['x', 'x'] }],
        knowledge_bases: ['hidden_store'],
        llm: { ...named.llm, model: 'm1', max_tokens: 10 },
      };
      await made(good);
      const { config } = await read();
      expect(config.mcps).to.deep.equal([{ name: 'HIDDEN', tools: ['x'] }]);
      expect(config.llm).to.deep.equal(good.llm);
      expect(config.versions[0].tools).to.deep.equal({
        ...{ mcps: config.mcps, knowledge_bases: ['hidden_store'], search_tools: [] },
      });
    });

    it('an LLM configuration needs the capability to read one', async () => {
      await llm(['m1']);
      const body = { name: 'triage', llm: { service: 'General_Chat', connection_name: 'Main', model: 'm1' } };
      expect((await create(body, 'blind')).json.error_code).to.equal('unknown_reference');
      await made(body);
    });

    it('a tool is checked against tools_allowed, where there is such a list', async () => {
      await connection('free');
      await connection('limited', { tools_allowed: ['a'] });
      const using = (name: string, tool: string) => ({ name: `with_${name}`, mcps: [{ name, tools: [tool] }] });
      await made(using('free', 'anything'));
      await made(using('limited', 'a'));
      const refused = await create(using('limited', 'b'));
      expect([refused.json.error_code, fields(refused)]).to.deep.equal(['unknown_reference', ['mcps.0.tools.0']]);
    });

    it('are in use as long as the agent is there', async () => {
      await connection('tools');
      await made({ name: 'triage', mcps: [{ name: 'tools' }] });
      const refused = await world.call('maker', 'DELETE', '/mcp_connection/tools');
      expect(code(refused)).to.deep.equal([409, 'in_use']);
      expect(refused.json.used_by).to.deep.equal(['triage']);
      await settle();
      cloud.readsToGone = 0;
      await remove('triage');
      await poll('triage', 'delete');
      expect((await world.call('maker', 'DELETE', '/mcp_connection/tools')).status).to.equal(200);
    });

    it('cannot be named twice', async () => {
      await connection('tools');
      const reply = await create({ name: 'triage', mcps: [{ name: 'tools' }, { name: 'TOOLS' }] });
      expect([reply.status, fields(reply)]).to.deep.equal([400, ['mcps.1.name']]);
    });

    it('an agent can be changed although something it names is gone', async () => {
      await connection('tools');
      await made({ name: 'triage', mcps: [{ name: 'tools' }] });
      await settle();
      await world.call('maker', 'DELETE', '/mcp_connection/tools?force=true');
      const { config } = await read();
      expect((await update({ ...config, description: 'new' })).status).to.equal(200);
      const reply = await update({ name: 'triage', mcps: [{ name: 'tools' }, { name: 'x' }] });
      expect(reply.json.error_code).to.equal('unknown_reference');
    });
  });

  describe('access', () => {
    it('hides what may not be read, and tells what may not be changed', async () => {
      await made({ name: 'mine' });
      await made({ name: 'shown', acl: { sharing: 'app', perms: { read: ['*'] } } });
      await settle('shown');
      const list = (await world.call('other', 'GET', '/agents')).json;
      expect(list.result.map((agent: Json) => agent.name)).to.deep.equal(['shown']);
      expect(list.pagination.total).to.equal(1);
      const calls: [string, string, object?][] = [
        ['GET', '/agents/mine'],
        ['GET', '/agents?name=mine'],
        ['PUT', '/agents', { name: 'mine' }],
        ['DELETE', '/agents/mine'],
        ['POST', '/agents/mine/retry'],
        ['POST', '/agents/mine/status', { action: 'create' }],
      ];
      for (const [method, path, body] of calls) {
        expect(code(await world.call('other', method, path, body)), `${method} ${path}`).to.deep.equal([
          404,
          'not_found',
        ]);
      }
      for (const [method, path, body] of [
        ['PUT', '/agents', { name: 'shown', description: 'x' }],
        ['DELETE', '/agents/shown'],
        ['POST', '/agents/shown/retry'],
      ] as typeof calls) {
        expect(code(await world.call('other', method, path, body)), `${method} ${path}`).to.deep.equal([
          403,
          'acl_denied',
        ]);
      }
      expect((await world.call('other', 'POST', '/agents/shown/status', { action: 'create' })).status).to.equal(200);
      expect((await world.call('root', 'GET', '/agents')).json.pagination.total).to.equal(2);
    });

    it('asks for all capabilities of a write, and for none of a read', async () => {
      await made({ name: 'shown', acl: { sharing: 'app', perms: { read: ['*'], write: ['*'] } } });
      for (const user of ['half', 'rest', 'reader']) {
        for (const reply of [
          await create({ name: 'x' }, user),
          await update({ name: 'shown' }, user),
          await remove('shown', user),
        ]) {
          expect(code(reply)).to.deep.equal([403, 'missing_capability']);
          expect(reply.json.required).to.deep.equal(['edit_agents', 'run_agents']);
        }
        expect((await world.call(user, 'GET', '/agents')).json.pagination.total).to.equal(1);
      }
    });
  });

  describe('change', () => {
    beforeEach(() => made({ name: 'triage', description: 'first', task_prompt: 'do' }));

    it('is refused while the cloud is at work', async () => {
      const creating = await update({ name: 'triage', description: 'x' });
      expect([...code(creating), creating.json.state]).to.deep.equal([409, 'invalid_state', 'Creating']);
      await settle();
      cloud.readsToGone = Number.POSITIVE_INFINITY;
      await remove('triage');
      expect((await update({ name: 'triage' })).json).to.include({ error_code: 'invalid_state', state: 'Deleting' });
    });

    it('takes back what a read answered, without warnings', async () => {
      await settle();
      const { config } = await read();
      await world.later();
      const reply = await update(config);
      expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
      expect(reply.json).to.not.have.property('warnings');
      const { version, last_updated_at, ...rest } = reply.json.config;
      expect(version).to.equal(config.version + 1);
      expect(last_updated_at).to.be.above(config.last_updated_at);
      expect(rest).to.deep.equal(
        Object.fromEntries(Object.entries(config).filter(([key]) => key !== 'version' && key !== 'last_updated_at')),
      );
    });

    it('merges, unsets with null, keeps the runtime, and knows its version', async () => {
      await settle();
      const before = (await read()).config;
      const reply = await update({ name: 'TRIAGE', description: null, agent_timeout: 3600 });
      expect(reply.json.config).to.include({ name: 'triage', description: '', task_prompt: 'do', version: 2 });
      expect(reply.json.config.versions[0]).to.deep.include({ agent_timeout: 3600, task_prompt: 'do' });
      expect(reply.json.config.versions[0].runtime_params).to.deep.equal(before.versions[0].runtime_params);
      const stale = await update({ name: 'triage', version: 1 });
      expect([...code(stale), stale.json.current_version]).to.deep.equal([409, 'version_conflict', 2]);
      expect((await update({ name: 'triage' }, 'maker', { 'If-Match': '"2"' })).status).to.equal(200);
    });

    it('a retry is refused unless the creation failed', async () => {
      const retry = () => world.call('maker', 'POST', '/agents/triage/retry');
      expect(code(await retry())).to.deep.equal([409, 'invalid_state']);
      await settle();
      expect(code(await retry())).to.deep.equal([409, 'invalid_state']);
      expect((await read()).state).to.equal('Available');
    });

    it('a deletion checks the version of the caller', async () => {
      await settle();
      const call = (version: string) =>
        world.call('maker', 'DELETE', '/agents/triage', undefined, { 'If-Match': version });
      const reply = await call('7');
      expect([...code(reply), reply.json.current_version]).to.deep.equal([409, 'version_conflict', 1]);
      expect((await read()).state).to.equal('Available');
      expect((await call('1')).status).to.equal(200);
    });

    it('progress leaves the version alone', async () => {
      await world.later();
      await settle();
      const { version, created_at, last_updated_at, tracking } = await read();
      expect(version).to.equal(1);
      expect(last_updated_at).to.equal(created_at);
      expect(tracking.last_polled_at).to.be.above(created_at);
    });
  });
}
