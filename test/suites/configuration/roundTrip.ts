import { expect } from 'chai';
import { CAPABILITIES, type Capability } from '../../../src/contract/capabilities.ts';
import { agent } from '../../../src/families/agents/definition.ts';
import { AgentCorePeer } from '../../support/peers/aws/agentCore.ts';
import { containerDocument } from '../../support/records/container.ts';
import { summarize } from '../../support/replies.ts';
import type { OpenWorld, World } from '../../support/worlds/world.ts';
import { actionsOf, CANARIES, COLLECTIONS, type Document, expectClean, furnish, resultOf, SECRETS } from './site.ts';

const ALL = [
  'agents/triage',
  'container-connections/docker/Lab',
  'experiments/Disk space',
  'experiments/Disk space #2',
  'llm-providers/General_Chat/Team/gpt-4.1',
  'llm-providers/General_Chat/Team/org/gpt-4.1-mini',
  'masking_policies/Outside',
  'mcp-connections/Tracker',
  'mcp-connections/plain',
  'model-registrations/forecast',
  'model_aliases/default',
  'search_tools/errors_of_host',
  'usage_limits/Team',
  'vector-stores/Handbook',
];

/** An export, imported into an empty site, reproduces the site (contract 12), in any world. */
export function roundTripSuite(open: OpenWorld): void {
  let cloud: AgentCorePeer;
  before(async () => {
    cloud = await AgentCorePeer.start();
  });
  const world = open({
    users: { keeper: ['keeper'], other: ['keeper'] },
    roles: { keeper: Object.keys(CAPABILITIES) as Capability[] },
    imports: { power: ['user'] },
    collections: COLLECTIONS,
    agentCloud: () => cloud.url,
    modelEndpoints: true,
  });
  beforeEach(() => cloud.reset());
  after(() => cloud.stop());

  const call = (method: string, path: string, body?: object) => world.call('keeper', method, path, body);
  const exported = async (query = ''): Promise<Document> => {
    const reply = await call('GET', `/export${query}`);
    expect(reply.status, summarize(reply)).to.equal(200);
    return reply.json.document;
  };
  const imported = async (document: unknown, more: object = {}) => {
    const reply = await call('POST', '/import', { document, ...more });
    expect(reply.status, summarize(reply)).to.equal(200);
    expectClean(reply.json);
    return reply;
  };
  const options = { mode: 'apply', secrets: SECRETS, include_agents: true };

  it('export: every family, ordered, without secrets and without what a server has learned; twice the same bytes', async () => {
    await furnish(call, 'one.example');
    const first = await world.call('keeper', 'GET', '/export');
    const document: Document = first.json.document;
    expectClean(first.json);
    expect(document.records.map(({ family, name }) => `${family}/${name}`)).to.deep.equal(ALL);
    expect(Object.keys(document)).to.deep.equal(['format', 'format_version', 'records']);
    const tracker = document.records.find(({ name }) => name === 'Tracker');
    expect(tracker).to.deep.equal({
      family: 'mcp-connections',
      name: 'Tracker',
      spec: {
        description: 'Issues of the desk',
        details: {
          client_id: 'desk',
          is_auto_refresh_enabled: true,
          scope: 'read offline_access',
          unmask_kinds: ['host', 'user'],
          url: 'https://one.example/mcp',
          verify_tls: true,
        },
        name: 'Tracker',
        tools_allowed: ['search', 'close'],
        type: 'ISSUE_TRACKER',
      },
      secrets: Object.keys(SECRETS['mcp-connections/Tracker'] ?? {}).sort(),
      acl: { owner: 'keeper', perms: { read: ['*'], write: ['power'] }, sharing: 'app' },
    });
    for (const [name, secrets] of Object.entries(SECRETS)) {
      const record = document.records.find((each) => `${each.family}/${each.name}` === name);
      expect(record?.secrets, name).to.deep.equal(Object.keys(secrets).sort());
    }
    await world.later();
    expect(JSON.stringify((await world.call('other', 'GET', '/export?family=vector-stores')).json.document)).to.equal(
      JSON.stringify({ ...document, records: document.records.filter(({ family }) => family === 'vector-stores') }),
    );
    expect(JSON.stringify(await exported())).to.equal(JSON.stringify(document));
    expect(first.json.not_included.map(({ what }: { what: string }) => what)).to.include.members([
      'uploaded models',
      'settings',
    ]);
  });

  it('plan and apply on an empty site, then nothing is left to do; what is exported there is the same', async () => {
    await furnish(call, 'one.example');
    const document = await exported();
    await empty(world);
    cloud.reset();
    const plan = await imported(document, { secrets: SECRETS });
    expect(plan.json.mode).to.equal('plan');
    expect(actionsOf(plan)).to.deep.equal(
      ALL.map((name) => `${name} ${name.startsWith('agents') ? 'skip' : 'create'}`),
    );
    expect(plan.json.result.flatMap((each: { missing_secrets: string[] }) => each.missing_secrets)).to.deep.equal([]);
    for (const collection of COLLECTIONS) expect(await world.records(collection), collection).to.deep.equal([]);

    const applied = await imported(document, options);
    expect(applied.json.summary, summarize(applied)).to.include({ create: 14, blocked: 0, done: 14, failed: 0 });
    const again = await imported(document, options);
    expect(again.json.summary, summarize(again)).to.include({ unchanged: 14, done: 0 });
    expect(await exported()).to.deep.equal(document);
    expect(await world.secretsOf('ml_mcp_connections', 'Tracker')).to.deep.equal({
      'details/token': CANARIES[0],
      'details/client_secret': CANARIES[1],
      'details/refresh_token': CANARIES[2],
      'details/headers/X.Api-Key': CANARIES[3],
    });
    expect(await world.secretsOf('ml_container_connections', 'Lab')).to.deep.equal({
      api_token: CANARIES[7],
      jupyter_passwd: CANARIES[8],
    });
    expect(await world.leaks(...CANARIES)).to.deep.equal([]);
  });

  it('a change of each family is an update of that alone; what the document leaves out is unset', async () => {
    await furnish(call, 'one.example');
    const document = await exported();
    const before = await world.records('ml_mcp_connections');
    // biome-ignore lint/suspicious/noExplicitAny: specs are edited as by hand.
    const edits: Record<string, [(spec: any) => void, string[]]> = {
      'agents/triage': [
        (spec) => {
          spec.task_prompt = 'Sort it well';
          delete spec.knowledge_bases;
          delete spec.agent_timeout;
          delete spec.max_steps;
          delete spec.max_tokens_per_run;
          delete spec.approve_tools;
          delete spec.approve_tools_named;
          delete spec.on_unavailable;
          delete spec.mcps[0].tools;
        },
        [
          ...['approve_tools', 'approve_tools_named', 'knowledge_bases', 'max_steps', 'max_tokens_per_run', 'mcps'],
          ...['on_unavailable', 'task_prompt'],
        ],
      ],
      'container-connections/docker/Lab': [(spec) => (spec.docker_network = 'lab'), ['docker_network']],
      'experiments/Disk space': [
        (spec) => {
          delete spec.statistics.deep;
          delete spec.data_source.earliest;
          delete spec.schedule;
        },
        ['data_source.earliest', 'schedule', 'statistics.deep'],
      ],
      'llm-providers/General_Chat/Team/org/gpt-4.1-mini': [(spec) => delete spec.modelsettings, ['modelsettings']],
      'mcp-connections/Tracker': [
        (spec) => {
          delete spec.description;
          delete spec.tools_allowed;
        },
        ['description', 'tools_allowed'],
      ],
      'model-registrations/forecast': [
        (spec) => {
          delete spec.batch_size;
          spec.input_feature_map = { cpu: 'instances[*].cpu' };
        },
        ['batch_size', 'input_feature_map.cpu', 'input_feature_map.host\\.cpu'],
      ],
      'model_aliases/default': [
        (spec) => {
          delete spec.fallback_on;
          delete spec.defaults.system_prompt;
          spec.targets.reverse();
        },
        ['defaults.system_prompt', 'fallback_on', 'targets'],
      ],
      'search_tools/errors_of_host': [
        (spec) => {
          delete spec.max_rows;
          spec.latest = '-1h';
        },
        ['latest', 'max_rows'],
      ],
      'masking_policies/Outside': [
        (spec) => {
          delete spec.applies_to.aliases;
          delete spec.fields;
          delete spec.images;
          spec.kinds = { key: 'refuse', ipv4: 'mask' };
        },
        ['applies_to.aliases', 'fields', 'images', 'kinds.email', 'kinds.ipv4', 'kinds.key'],
      ],
      'usage_limits/Team': [
        (spec) => {
          delete spec.tokens;
          delete spec.is_enabled;
          delete spec.applies_to.models;
          spec.requests = 600;
        },
        ['applies_to.models', 'is_enabled', 'requests', 'tokens'],
      ],
      'vector-stores/Handbook': [(spec) => (spec.description = 'All we know'), ['description']],
    };
    for (const { family, name, spec } of document.records) edits[`${family}/${name}`]?.[0](spec);
    const plan = await imported(document);
    for (const name of ALL) {
      const { action, changed, problems } = resultOf(plan, name);
      expect({ action, changed, problems }, name).to.deep.equal({
        action: edits[name] ? 'update' : 'unchanged',
        changed: edits[name]?.[1] ?? [],
        problems: [],
      });
    }
    expect(await world.records('ml_mcp_connections'), 'a plan writes nothing').to.deep.equal(before);
    const applied = await imported(document, { mode: 'apply' });
    expect(applied.json.summary, summarize(applied)).to.include({ update: 11, unchanged: 3, done: 11, failed: 0 });
    expect((await imported(document)).json.summary).to.include({ unchanged: 14, update: 0 });
    expect(await world.secretsOf('ml_vector_stores', 'Handbook'), 'secrets stay').to.not.equal(undefined);
    expect(cloud.runtimes.size).to.equal(1);
  });

  it('agents of every runtime keep every field', async () => {
    const made = async (path: string, body: object) => {
      const reply = await call('POST', path, body);
      expect(reply.status, summarize(reply)).to.equal(200);
    };
    const names = ['search', 'close'];
    for (const name of ['Desk', 'Tracker'])
      await made('/mcp_connection', { name, type: 'PLATFORM', details: { url: 'https://desk.example/mcp' } });
    const endpoint = { value: 'https://llm.example/v1' };
    const model = { service: 'General_Chat', connection_name: 'Team', model: 'gpt-a' };
    await made('/aicommander', { ...model, servicesettings: { endpoint } });
    await made('/model_aliases', { name: 'quick', targets: [model] });
    const inApp = {
      ...{ name: 'watch', description: 'Looks after disks', runtime_type: 'BUILT_IN', is_enabled: false },
      ...{ system_prompt: 'Be careful.', task_prompt: 'Explain it.', agent_timeout: 60 },
      llm: { model: 'quick', max_tokens: 100, response_variability: 0.25 },
      mcps: [{ name: 'Desk', tools: [] }, { name: 'Tracker' }],
      ...{ max_steps: 5, max_tokens_per_run: 20_000, approve_tools: 'writes', approve_tools_named: names },
      ...{ output_schema: { type: 'object', $defs: { a: {} } }, check_evidence: false, on_unverified: 'fail' },
      ...{ on_unavailable: 'continue', approval_timeout_s: 600, on_approval_timeout: 'cancel' },
    };
    const inContainer = { name: 'inbox', runtime_type: 'CONTAINER', runtime: { container: 'helper' }, llm: model };
    await world.store('ml_containers', containerDocument('helper'));
    for (const agent of [inApp, inContainer]) await made('/agents', agent);
    const document = await exported('?family=agents');
    const specs = document.records.map(({ spec }) => spec);
    expect(specs.find(({ name }) => name === 'watch')).to.deep.include(inApp);
    expect(specs.find(({ name }) => name === 'inbox')).to.deep.include(inContainer);
    // A field that is new has to be in one of the agents above.
    const { acl: _, ...fields } = agent.create.properties;
    const kept = new Set(specs.flatMap((spec) => Object.keys(spec)));
    expect([...kept].sort()).to.deep.equal(Object.keys(fields).sort());
    for (const { name } of document.records) await call('DELETE', `/agents/${name}`);
    expect(await world.records('ml_agents')).to.deep.equal([]);
    const applied = await imported(document, options);
    expect(applied.json.summary, summarize(applied)).to.include({ create: 2, done: 2 });
    expect(await exported('?family=agents')).to.deep.equal(document);
    expect((await imported(document, options)).json.summary).to.include({ unchanged: 2, done: 0 });
  });

  it('families and names are filters; a family that does not exist is 400', async () => {
    await furnish(call, 'one.example');
    const names = async (query: string) =>
      (await exported(query)).records.map(({ family, name }) => `${family}/${name}`);
    expect(await names('?family=agents,%20vector-stores')).to.deep.equal(['agents/triage', 'vector-stores/Handbook']);
    expect(await names('?name=tracker,vector-stores/HANDBOOK')).to.deep.equal([
      'mcp-connections/Tracker',
      'vector-stores/Handbook',
    ]);
    expect(await names('?family=llm-providers&name=General_Chat/team/org/gpt-4.1-mini')).to.have.length(1);
    expect(await names('?name=disk%20space%20%232')).to.deep.equal(['experiments/Disk space #2']);
    expect(await names('?name=disk%20space')).to.deep.equal(['experiments/Disk space']);
    const none = await call('GET', '/export?name=nobody');
    expect(none.json.document.records).to.deep.equal([]);
    expect(none.json.not_included.at(-1).what).to.equal('the name nobody');
    for (const family of ['mcp', '', 'agents,mcp']) {
      const reply = await call('GET', `/export?family=${family}`);
      expect([reply.status, reply.json.errors?.[0].field]).to.deep.equal([400, 'family']);
    }
  });
}

async function empty(world: World): Promise<void> {
  for (const collection of COLLECTIONS) {
    for (const { _key } of await world.records(collection)) await world.remove(collection, String(_key));
  }
}
