import { expect } from 'chai';
import { contract } from '../../../src/codegen/bundle/live.ts';
import { Fault } from '../../../src/contract/codes/faults.ts';
import { agentDefinitions } from '../../../src/families/agents/definitions.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { containerDocument } from '../../support/records/container.ts';

const MODEL = { service: 'General_Chat', connection_name: 'Desk', model: 'gpt-a' };
const RIGHTS = {
  roles: ['makers'],
  capabilities: [
    'edit_agents',
    'run_agents',
    'edit_agent_connections',
    'edit_ai_commander_config',
    'list_ai_commander_config',
  ],
};
const callerOf = (user: string, capabilities = RIGHTS.capabilities, roles = RIGHTS.roles) => ({
  user,
  roles,
  capabilities,
});
const MAKER = callerOf('maker');

describe('definitions of agents, as runs read them', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = new MemoryApp();
    app.user('maker', RIGHTS);
    await make('/aicommander', MODEL);
    await make('/mcp_connection', { name: 'Tracker', type: 'PLATFORM', details: { url: 'https://mcp.example/mcp' } });
  });
  const send = async (method: string, path: string, body?: Json) => {
    const reply = await app.call('maker', method, path, body);
    expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
    return reply.json;
  };
  const make = (path: string, body: Json) => send('POST', path, body);
  const definitions = () =>
    agentDefinitions({
      ...{ records: app.site.process().records, settings: app.settings },
      ...{ plans: contract.plans, schemas: app.schemas },
    });

  async function faultOf(work: Promise<unknown>): Promise<{ code: string; fields: string[] }> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { errors = [] } = error.extra as { errors?: { field: string }[] };
      return { code: error.code, fields: errors.map(({ field }) => field) };
    }
    return expect.fail('nothing was refused');
  }

  describe('a saved agent', () => {
    it('is complete, with its runtime and with what the caller may do', async () => {
      await make('/agents', {
        name: 'Triage',
        system_prompt: 'Be careful.',
        task_prompt: 'Sort.',
        llm: { model: 'desk/gpt-a', max_tokens: 9 },
        mcps: [{ name: 'Tracker' }],
        max_tokens_per_run: 5000,
        acl: { sharing: 'app', perms: { read: ['readers'], write: ['writers'] } },
      });
      app.cloud.become('READY');
      await make('/agents/triage/status', { action: 'create' });
      const agent = await definitions().read(MAKER, 'tRIAGE');
      expect(agent?.created_at).to.be.a('number');
      expect({ ...agent, created_at: 0 }).to.deep.equal({
        name: 'Triage',
        state: 'Available',
        is_enabled: true,
        mayWrite: true,
        created_at: 0,
        cloud: { id: 'runtime-1', arn: 'arn:runtime-1', location: 'eu-central-1' },
        definition: {
          runtime_type: 'CLOUD_AGENT_CORE',
          system_prompt: 'Be careful.',
          task_prompt: 'Sort.',
          llm: { model: 'desk/gpt-a', max_tokens: 9 },
          mcps: [{ name: 'Tracker' }],
          knowledge_bases: [],
          search_tools: [],
          agent_timeout: 450,
          max_steps: 20,
          max_tokens_per_run: 5000,
          approve_tools: 'destructive',
          approve_tools_named: [],
          approval_timeout_s: 0,
          on_approval_timeout: 'reject',
          on_unavailable: 'fail',
          on_unverified: 'mark',
        },
      });
      const mayWrite = async (role: string) =>
        (await definitions().read(callerOf('other', [], [role]), 'triage'))?.mayWrite;
      expect(await mayWrite('readers')).to.equal(false);
      expect(await mayWrite('writers')).to.equal(true);
      expect(await mayWrite('strangers')).to.equal(undefined);
      expect(await definitions().read(MAKER, 'nobody')).to.equal(undefined);
    });

    it('names a container, tools or none', async () => {
      await app.site.process().records.insert('ml_containers', containerDocument('answers'));
      await make('/agents', {
        name: 'helper',
        runtime_type: 'CONTAINER',
        runtime: { container: 'answers' },
        mcps: [{ name: 'Tracker', tools: [] }],
        is_enabled: false,
      });
      const agent = await definitions().read(MAKER, 'helper');
      expect(agent).to.deep.include({ is_enabled: false, cloud: { id: null, arn: null, location: null } });
      expect(agent?.definition).to.deep.include({
        runtime: { container: 'answers' },
        mcps: [{ name: 'Tracker', tools: [] }],
        llm: null,
      });
    });
  });

  describe('a definition that is not saved', () => {
    it('is completed; nothing is stored', async () => {
      const input = { llm: { model: 'gpt-a' }, mcps: [{ name: 'tracker', tools: ['a', 'a'] }] };
      expect(await definitions().complete(MAKER, input, [])).to.deep.equal({
        runtime_type: 'BUILT_IN',
        system_prompt: '',
        task_prompt: '',
        llm: { model: 'gpt-a' },
        mcps: [{ name: 'tracker', tools: ['a'] }],
        knowledge_bases: [],
        search_tools: [],
        agent_timeout: 450,
        max_steps: 20,
        approve_tools: 'destructive',
        approve_tools_named: [],
        approval_timeout_s: 0,
        on_approval_timeout: 'reject',
        on_unavailable: 'fail',
        on_unverified: 'mark',
      });
      expect(app.site.records.all('ml_agents')).to.deep.equal([]);
    });

    it('is refused as a create would be', async () => {
      const unknown = {
        llm: { model: 'nowhere' },
        mcps: [{ name: 'hidden' }],
        knowledge_bases: ['none'],
      };
      expect(await faultOf(definitions().complete(MAKER, unknown, []))).to.deep.equal({
        code: 'unknown_reference',
        fields: ['llm.model', 'mcps.0.name', 'knowledge_bases.0'],
      });
      expect(
        await faultOf(definitions().complete(callerOf('other'), { mcps: [{ name: 'tracker' }] }, [])),
      ).to.deep.equal({
        code: 'unknown_reference',
        fields: ['mcps.0.name'],
      });
      expect(await faultOf(definitions().complete(MAKER, { runtime_type: 'CONTAINER' }, []))).to.deep.equal({
        code: 'validation_failed',
        fields: ['runtime.container'],
      });
    });

    it('may have a schema of its answers, with all digits, which is checked', async () => {
      const output_schema = { type: 'object', properties: { n: { maximum: 9_007_199_254_740_993n } } };
      const complete = (schema: Json) => definitions().complete(MAKER, { output_schema: schema }, []);
      expect(await complete(output_schema)).to.deep.include({ output_schema });
      expect(await definitions().complete(MAKER, { output_schema: null }, [])).to.not.have.property('output_schema');
      const refused = { code: 'validation_failed', fields: ['output_schema'] };
      expect(await faultOf(complete({ type: 'array' }))).to.deep.equal(refused);
    });

    it('warns of what its runtime ignores', async () => {
      await app.site.process().records.insert('ml_containers', containerDocument('answers'));
      const warnings: string[] = [];
      const elsewhere = { runtime_type: 'CONTAINER', runtime: { container: 'answers' } } as const;
      await definitions().complete(MAKER, { ...elsewhere, on_unavailable: 'continue' }, warnings);
      await definitions().complete(MAKER, { on_unavailable: 'continue' }, warnings);
      expect(warnings).to.deep.equal(['on_unavailable: ignored by CONTAINER; only runs of BUILT_IN agents have this']);
    });

    it('has no runtime in a cloud', async () => {
      expect(await faultOf(definitions().complete(MAKER, { runtime_type: 'CLOUD_AGENT_CORE' }, []))).to.deep.equal({
        code: 'validation_failed',
        fields: ['runtime_type'],
      });
    });
  });

  it('what a definition names is checked again with the rights of that moment; a tool that is gone is not', async () => {
    const definition = await definitions().complete(
      MAKER,
      {
        llm: { ...MODEL },
        mcps: [{ name: 'Tracker', tools: ['search'] }],
      },
      [],
    );
    await send('PUT', '/mcp_connection', { name: 'Tracker', tools_allowed: ['other'] });
    await definitions().assertReadable(MAKER, definition);
    const blind = callerOf('maker', ['run_agents']);
    expect(await faultOf(definitions().assertReadable(blind, definition))).to.deep.equal({
      code: 'unknown_reference',
      fields: ['llm'],
    });
    await send('DELETE', '/mcp_connection/Tracker');
    expect(await faultOf(definitions().assertReadable(MAKER, definition))).to.deep.equal({
      code: 'unknown_reference',
      fields: ['mcps.0.name'],
    });
  });
});
