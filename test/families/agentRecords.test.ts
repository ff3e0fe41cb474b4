import { expect } from 'chai';
import { recordKey } from '../../src/domain/keys.ts';
import { llmConnectionKey } from '../../src/families/llm-providers/connection.ts';
import { type Json, MemoryApp } from '../support/memory/app.ts';

const WRITER = ['edit_agents', 'run_agents', 'edit_agent_connections', 'list_ai_commander_config'];
const fields = (json: { errors?: { field: string }[] }) => (json.errors ?? []).map((error) => error.field);

describe('agents as records', () => {
  let app: MemoryApp;
  const create = (body: unknown, user = 'maker') => app.call(user, 'POST', '/agents', body);
  const update = (body: unknown, user = 'maker', headers: Json = {}) => app.call(user, 'PUT', '/agents', body, headers);
  const read = async (name = 'triage', user = 'maker') => (await app.call(user, 'GET', `/agents/${name}`)).json;
  const settle = async (name = 'triage') => {
    app.cloud.become('READY');
    await app.call('maker', 'POST', `/agents/${name}/status`, { action: 'create' });
  };
  const connection = (name: string, more: Json = {}) =>
    app.call('maker', 'POST', '/mcp_connection', {
      name,
      type: 'PLATFORM',
      details: { url: 'https://mcp.example/mcp' },
      ...more,
    });
  const store = (name: string, owner = 'maker') =>
    app.site.process().records.insert('ml_vector_stores', {
      _key: recordKey(name),
      name,
      acl: { owner, sharing: 'user', perms: { read: [], write: [] } },
    } as { _key: string });
  const llm = (models: string[]) =>
    app.site.process().records.insert('ml_llm_connections', {
      _key: llmConnectionKey('General_Chat', 'Main'),
      connection_name: 'Main',
      service: 'General_Chat',
      models: JSON.stringify(models.map((model) => ({ model }))),
    } as { _key: string });

  beforeEach(() => {
    app = new MemoryApp();
    app.user('maker', { capabilities: WRITER });
    app.user('other', { capabilities: WRITER });
    app.user('root', { roles: ['admin'], capabilities: ['admin_all_objects', ...WRITER] });
  });

  it('takes a name alone; the rest has its default', async () => {
    const reply = await create({ name: 'triage' });
    expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
    expect(reply.json).to.include({
      agent_name: 'triage',
      runtime_type: 'CLOUD_AGENT_CORE',
      state: 'Creating',
      tracking_job_id: 'sid-1',
    });
    expect(app.searches.dispatched).to.deep.equal([
      { user: 'maker', search: '| agentstatus agent_name="triage" action=create timeout=960' },
    ]);
    const { config, status, message, ...top } = await read();
    expect(top).to.deep.equal(config);
    expect([status, message]).to.deep.equal(['success', 'OK']);
    const { created_at, last_updated_at, tracking, ...rest } = config;
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
      agent_timeout: 450,
      acl: { owner: 'maker', sharing: 'user', perms: { read: [], write: [] } },
      versions: [
        {
          version: 1,
          state: 'Creating',
          system_prompt: '',
          task_prompt: '',
          tools: { mcps: [], knowledge_bases: [] },
          agent_timeout: 450,
          runtime_params: { runtime_id: 'runtime-1', runtime_arn: 'arn:runtime-1', runtime_version: '1' },
        },
      ],
      version: 1,
      created_by: 'maker',
      last_updated_by: 'maker',
    });
    expect(created_at).to.equal(last_updated_at);
    expect(tracking).to.deep.equal({
      job_id: 'sid-1',
      action: 'create',
      started_at: created_at,
      last_polled_at: null,
      attempts: 0,
    });
  });

  const bad = ['', ' ', '1a', '_a', 'a-b', 'a b', 'a/b', 'a%b', 'ä', 'a"b', "a'|delete", 'a\nb', 'x'.repeat(49)];
  for (const name of bad) {
    it(`refuses the name ${JSON.stringify(name.slice(0, 12))}`, async () => {
      const reply = await create({ name });
      expect([reply.status, reply.json.error_code]).to.deep.equal([400, 'validation_failed']);
      expect(fields(reply.json)).to.deep.equal(['name']);
      expect(app.cloud.calls).to.deep.equal([]);
    });
  }

  it('names every problem of a body', async () => {
    const reply = await create({
      name: 5,
      agent_timeout: 0,
      is_enabled: 'x',
      runtime_type: 'OTHER',
      llm: { service: 's', max_tokens: 0, response_variability: 2 },
      mcps: [{ tools: [] }, { name: 'a', tools: [''] }],
      knowledge_bases: 'kb',
    });
    expect(reply.status).to.equal(400);
    expect(fields(reply.json)).to.have.members([
      'name',
      'agent_timeout',
      'is_enabled',
      'runtime_type',
      'llm.connection_name',
      'llm.model',
      'llm.max_tokens',
      'llm.response_variability',
      'mcps.0.name',
      'mcps.1.tools.0',
      'knowledge_bases',
    ]);
  });

  it('takes a name once, whatever its case', async () => {
    expect((await create({ name: 'Triage' })).status).to.equal(200);
    const reply = await create({ name: 'tRIAGE' }, 'other');
    expect([reply.status, reply.json.error_code]).to.deep.equal([409, 'duplicate_name']);
    expect(app.cloud.runtimes.size).to.equal(1);
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
      expect([reply.status, reply.json.error_code]).to.deep.equal([400, 'unknown_reference']);
      expect(fields(reply.json)).to.have.members([
        'mcps.0.name',
        'mcps.1.name',
        'knowledge_bases.0',
        'knowledge_bases.1',
        'llm',
      ]);
      expect(app.cloud.calls).to.deep.equal([]);
      const good = {
        ...named,
        mcps: [{ name: 'HIDDEN', tools: ['x', 'x'] }],
        knowledge_bases: ['hidden_store'],
        llm: { ...named.llm, model: 'm1', max_tokens: 10 },
      };
      const made = await create(good);
      expect(made.status, JSON.stringify(made.json)).to.equal(200);
      const { config } = await read();
      expect(config.mcps).to.deep.equal([{ name: 'HIDDEN', tools: ['x'] }]);
      expect(config.llm).to.deep.equal(good.llm);
      expect(config.versions[0].tools).to.deep.equal({ mcps: config.mcps, knowledge_bases: ['hidden_store'] });
    });

    it('an LLM configuration needs the capability to read one', async () => {
      await llm(['m1']);
      app.user('blind', { capabilities: ['edit_agents', 'run_agents'] });
      const body = { name: 'triage', llm: { service: 'General_Chat', connection_name: 'Main', model: 'm1' } };
      expect((await create(body, 'blind')).json.error_code).to.equal('unknown_reference');
      expect((await create(body)).status).to.equal(200);
    });

    it('a tool is checked against tools_allowed, else the last listing, else not at all', async () => {
      await connection('free');
      await connection('limited', { tools_allowed: ['a'] });
      const using = (name: string, tool: string) =>
        create({ name: `with_${name}_${tool}`, mcps: [{ name, tools: [tool] }] });
      expect((await using('free', 'anything')).status).to.equal(200);
      expect((await using('limited', 'a')).status).to.equal(200);
      const refused = await using('limited', 'b');
      expect([refused.json.error_code, fields(refused.json)]).to.deep.equal(['unknown_reference', ['mcps.0.tools.0']]);
      app.peers.tools = [{ name: 'echo', description: '' }];
      expect((await app.call('maker', 'POST', '/mcp_connection/tools', { name: 'free' })).status).to.equal(200);
      expect((await using('free', 'echo')).status).to.equal(200);
      expect((await using('free', 'other')).json.error_code).to.equal('unknown_reference');
    });

    it('are in use as long as the agent is there', async () => {
      await connection('tools');
      expect((await create({ name: 'triage', mcps: [{ name: 'tools' }] })).status).to.equal(200);
      const refused = await app.call('maker', 'DELETE', '/mcp_connection/tools');
      expect([refused.status, refused.json.error_code]).to.deep.equal([409, 'in_use']);
      expect(refused.json.used_by).to.deep.equal(['triage']);
      await app.call('maker', 'DELETE', '/agents/triage');
      await app.call('maker', 'POST', '/agents/triage/status', { action: 'delete' });
      expect((await app.call('maker', 'DELETE', '/mcp_connection/tools')).status).to.equal(200);
    });

    it('cannot be named twice', async () => {
      await connection('tools');
      const reply = await create({ name: 'triage', mcps: [{ name: 'tools' }, { name: 'TOOLS' }] });
      expect([reply.status, fields(reply.json)]).to.deep.equal([400, ['mcps.1.name']]);
    });

    it('an agent can be changed although something it names is gone', async () => {
      await connection('tools');
      await create({ name: 'triage', mcps: [{ name: 'tools' }] });
      await settle();
      await app.call('maker', 'DELETE', '/mcp_connection/tools?force=true');
      const { config } = await read();
      expect((await update({ ...config, description: 'new' })).status).to.equal(200);
      expect((await update({ name: 'triage', mcps: [{ name: 'tools' }, { name: 'x' }] })).json.error_code).to.equal(
        'unknown_reference',
      );
    });
  });

  describe('access', () => {
    it('hides what may not be read, and tells what may not be changed', async () => {
      await create({ name: 'mine' });
      await create({ name: 'shown', acl: { sharing: 'app', perms: { read: ['*'] } } });
      await settle('shown');
      const list = (await app.call('other', 'GET', '/agents')).json;
      expect(list.result.map((agent: Json) => agent.name)).to.deep.equal(['shown']);
      expect(list.pagination.total).to.equal(1);
      const calls: [string, string, unknown?][] = [
        ['GET', '/agents/mine'],
        ['GET', '/agents?name=mine'],
        ['PUT', '/agents', { name: 'mine' }],
        ['DELETE', '/agents/mine'],
        ['POST', '/agents/mine/retry'],
        ['POST', '/agents/mine/status', { action: 'create' }],
      ];
      for (const [method, path, body] of calls) {
        const reply = await app.call('other', method, path, body);
        expect([reply.status, reply.json.error_code], `${method} ${path}`).to.deep.equal([404, 'not_found']);
      }
      for (const [method, path, body] of [
        ['PUT', '/agents', { name: 'shown', description: 'x' }],
        ['DELETE', '/agents/shown'],
        ['POST', '/agents/shown/retry'],
      ] as typeof calls) {
        const reply = await app.call('other', method, path, body);
        expect([reply.status, reply.json.error_code], `${method} ${path}`).to.deep.equal([403, 'acl_denied']);
      }
      expect((await app.call('other', 'POST', '/agents/shown/status', { action: 'create' })).status).to.equal(200);
      expect((await app.call('root', 'GET', '/agents')).json.pagination.total).to.equal(2);
    });

    it('asks for all capabilities of a write, and for none of a read', async () => {
      app.user('half', { capabilities: ['run_agents'] });
      app.user('otherHalf', { capabilities: ['edit_agents'] });
      for (const user of ['half', 'otherHalf', 'reader']) {
        const reply = await create({ name: 'x' }, user);
        expect([reply.status, reply.json.error_code]).to.deep.equal([403, 'missing_capability']);
        expect(reply.json.required).to.deep.equal(['edit_agents', 'run_agents']);
        expect((await app.call(user, 'GET', '/agents')).status).to.equal(200);
      }
    });
  });

  describe('change', () => {
    beforeEach(async () => {
      await create({ name: 'triage', description: 'first', task_prompt: 'do' });
    });

    it('is refused while the cloud is at work', async () => {
      const creating = await update({ name: 'triage', description: 'x' });
      expect([creating.status, creating.json.error_code, creating.json.state]).to.deep.equal([
        409,
        'invalid_state',
        'Creating',
      ]);
      await settle();
      app.cloud.dying = 'DELETING';
      await app.call('maker', 'DELETE', '/agents/triage');
      expect((await update({ name: 'triage' })).json.error_code).to.equal('invalid_state');
    });

    it('takes back what a read answered, without warnings', async () => {
      await settle();
      const { config } = await read();
      const reply = await update(config);
      expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
      expect(reply.json).to.not.have.property('warnings');
      const { version, last_updated_at: _, ...rest } = reply.json.config;
      expect(version).to.equal(config.version + 1);
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
      expect([stale.status, stale.json.error_code, stale.json.current_version]).to.deep.equal([
        409,
        'version_conflict',
        2,
      ]);
      expect((await update({ name: 'triage' }, 'maker', { 'If-Match': '"2"' })).status).to.equal(200);
    });

    it('progress leaves the version alone', async () => {
      await settle();
      expect((await read()).version).to.equal(1);
      expect((await read()).last_updated_at).to.equal((await read()).created_at);
    });
  });
});
