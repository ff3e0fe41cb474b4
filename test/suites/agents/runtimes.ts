import { expect } from 'chai';
import { containerDocument } from '../../support/records/container.ts';
import type { Answer, OpenWorld } from '../../support/worlds/world.ts';

type Json = Record<string, unknown>;

const MAKER = ['edit_agents', 'run_agents', 'edit_agent_connections'] as const;
const LLM = ['edit_ai_commander_config', 'list_ai_commander_config'] as const;
const DESK = { service: 'General_Chat', connection_name: 'Desk', model: 'gpt-a' };
const fields = ({ json }: Answer) => (json.errors ?? []).map((error: { field: string }) => error.field);
const code = ({ status, json }: Answer) => [status, json.error_code];

/** Agents that need no cloud, and what a run reads from any agent (contract 9 and 18), in any world. */
export function agentRuntimeSuite(open: OpenWorld): void {
  const world = open({
    users: { maker: ['maker'], other: ['maker'], unlisted: ['plain'] },
    roles: { maker: [...MAKER, ...LLM], plain: MAKER },
    collections: [
      'ml_agents',
      'ml_mcp_connections',
      'ml_llm_connections',
      'ml_model_aliases',
      'ml_containers',
      'ml_audit',
    ],
  });
  const create = (body: object, user = 'maker') => world.call(user, 'POST', '/agents', body);
  beforeEach(async () => {
    for (const name of ['answers', 'other']) await world.store('ml_containers', containerDocument(name));
  });
  const update = async (body: object): Promise<Answer> => world.call('maker', 'PUT', '/agents', body);
  const read = async (name = 'triage') => (await world.call('maker', 'GET', `/agents/${name}`)).json.config;
  const remove = (name = 'triage', headers = {}) =>
    world.call('maker', 'DELETE', `/agents/${name}`, undefined, headers);
  const follow = (action: string) => world.call('maker', 'POST', '/agents/triage/status', { action });
  const done = async (asked: Promise<Answer>) => {
    const reply = await asked;
    expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
    return reply.json;
  };
  const made = (body: object) => done(create({ name: 'triage', runtime_type: 'BUILT_IN', ...body }));
  const configure = (identity: object) => {
    const endpoint = { value: 'http://llm.example/v1' };
    return done(world.call('maker', 'POST', '/aicommander', { ...identity, servicesettings: { endpoint } }));
  };
  const alias = (name: string, more: object = {}) =>
    done(world.call('maker', 'POST', '/model_aliases', { name, targets: [DESK], ...more }));
  const connection = (name: string) =>
    done(
      world.call('maker', 'POST', '/mcp_connection', {
        name,
        type: 'PLATFORM',
        details: { url: 'https://mcp.example/mcp' },
      }),
    );

  for (const [runtime_type, more] of [
    ['BUILT_IN', {}],
    ['CONTAINER', { runtime: { container: 'answers' } }],
  ] as const) {
    describe(runtime_type, () => {
      const body = { name: 'triage', runtime_type, ...more };

      it('is available at once, without a search', async () => {
        const reply = await done(create(body));
        expect(reply).to.include({
          message: 'Agent created',
          agent_name: 'triage',
          runtime_type,
          state: 'Available',
          tracking_job_id: null,
        });
        expect(reply).to.not.have.property('warnings');
        const config = await read();
        expect(config).to.deep.include({ runtime_type, state: 'Available', ...more });
        expect(config.versions[0]).to.deep.include({
          state: 'Available',
          runtime_params: { runtime_id: null },
          ...more,
        });
        const { started_at, ...tracking } = config.tracking;
        expect(tracking).to.deep.equal({ job_id: null, action: 'create', last_polled_at: null, attempts: 0 });
      });

      it('is followed in one step', async () => {
        await done(create(body));
        const row = await done(follow('create'));
        expect(row).to.include({ state: 'Available', done: 1, outcome: 'success', attempt: 0, error_code: '' });
        expect(await done(follow('delete'))).to.include({ done: 1, outcome: 'fail', error_code: 'invalid_state' });
        expect((await read()).state).to.equal('Available');
      });

      it('has nothing to retry', async () => {
        await done(create(body));
        const reply = await world.call('maker', 'POST', '/agents/triage/retry');
        expect([...code(reply), reply.json.state]).to.deep.equal([409, 'invalid_state', 'Available']);
      });

      it('is deleted at once, by those who may, as the version that they read', async () => {
        await done(create({ ...body, acl: { sharing: 'app', perms: { read: ['*'] } } }));
        expect(code(await world.call('other', 'DELETE', '/agents/triage'))).to.deep.equal([403, 'acl_denied']);
        expect(code(await remove('triage', { 'If-Match': '7' }))).to.deep.equal([409, 'version_conflict']);
        expect((await read()).state).to.equal('Available');
        const reply = await done(remove('triage', { 'If-Match': '1' }));
        expect(reply).to.include({
          message: 'Agent deleted',
          agent_name: 'triage',
          state: 'Deleted',
          agent_status: 'DELETING',
          tracking_job_id: null,
        });
        expect(await world.records('ml_agents')).to.deep.equal([]);
        expect(code(await remove())).to.deep.equal([404, 'not_found']);
        const entries = (await world.records('ml_audit')).filter(({ action }) => action === 'delete');
        expect(entries.map(({ name, outcome }) => [name, outcome])).to.include.deep.members([['triage', 'success']]);
        await done(create(body));
      });

      it('keeps its runtime type', async () => {
        await done(create(body));
        const reply = await update({ name: 'triage', runtime_type: 'CLOUD_AGENT_CORE', runtime: null });
        expect(fields(reply)).to.deep.equal(['runtime_type']);
      });
    });
  }

  describe('runtime', () => {
    it('is required for a container and refused elsewhere; the container need not run', async () => {
      for (const [body, field] of [
        [{ runtime_type: 'CONTAINER' }, 'runtime.container'],
        [{ runtime_type: 'CONTAINER', runtime: {} }, 'runtime.container'],
        [{ runtime_type: 'CONTAINER', runtime: null }, 'runtime.container'],
        [{ runtime_type: 'BUILT_IN', runtime: { container: 'x' } }, 'runtime.container'],
        [{ runtime: { container: 'x' } }, 'runtime.container'],
      ] as const) {
        const reply = await create({ name: 'triage', ...body });
        expect([...code(reply), ...fields(reply)], JSON.stringify(body)).to.deep.equal([
          400,
          'validation_failed',
          field,
        ]);
      }
      await made({ runtime_type: 'CONTAINER', runtime: { container: ' answers ' } });
      expect((await read()).runtime).to.deep.equal({ container: 'answers' });
    });

    it('names a container that exists where it is set or changed', async () => {
      const missing = { runtime_type: 'CONTAINER', runtime: { container: 'nowhere' } };
      const refused = await create({ name: 'triage', ...missing });
      expect([...code(refused), ...fields(refused)]).to.deep.equal([400, 'unknown_reference', 'runtime.container']);
      expect(refused.json.message).to.contain('nowhere');
      await made({ runtime_type: 'CONTAINER', runtime: { container: 'ANSWERS' } });
      const changed = await update({ name: 'triage', runtime: { container: 'nowhere' } });
      expect([...code(changed), ...fields(changed)]).to.deep.equal([400, 'unknown_reference', 'runtime.container']);
      // A container that was stopped since then is no reason to refuse another change.
      await world.remove('ml_containers', 'answers');
      const { config } = await done(update({ name: 'triage', description: 'new', runtime: { container: 'ANSWERS' } }));
      expect(config).to.deep.include({ description: 'new', runtime: { container: 'ANSWERS' } });
    });

    it('can change to another container, but not be removed', async () => {
      await made({ runtime_type: 'CONTAINER', runtime: { container: 'answers' } });
      const { config } = await done(update({ name: 'triage', runtime: { container: 'other' } }));
      expect(config.runtime).to.deep.equal({ container: 'other' });
      expect(fields(await update({ name: 'triage', runtime: null }))).to.deep.equal(['runtime.container']);
      expect((await done(update({ ...config, version: undefined }))).config.runtime).to.deep.equal({
        container: 'other',
      });
    });
  });

  describe('limits and approval', () => {
    const limits = {
      max_steps: 3,
      max_tokens_per_run: 9000,
      approve_tools: 'writes',
      approve_tools_named: ['tracker__close'],
    };

    it('stand in the record and in its version; null removes what has no default', async () => {
      await made({ ...limits, approve_tools_named: ['tracker__close', 'tracker__close'] });
      const config = await read();
      expect(config).to.deep.include(limits);
      expect(config.versions[0]).to.deep.include(limits);
      const after = (await done(update({ name: 'triage', max_tokens_per_run: null, approve_tools_named: null })))
        .config;
      expect(after).to.deep.include({ max_steps: 3, approve_tools: 'writes', approve_tools_named: [] });
      expect(after).to.not.have.property('max_tokens_per_run');
      expect(after.versions[0]).to.not.have.property('max_tokens_per_run');
    });

    it('have their defaults in records of earlier versions, which can be changed', async () => {
      await made(limits);
      const [record] = (await world.records('ml_agents')) as [Json & { _key: string }];
      const { max_steps, max_tokens_per_run, approve_tools, approve_tools_named, ...earlier } = record;
      await world.remove('ml_agents', record._key);
      await world.store('ml_agents', earlier as typeof record);
      const usual = { max_steps: 20, approve_tools: 'destructive', approve_tools_named: [] };
      expect(await read()).to.deep.include(usual);
      const { config } = await done(update({ name: 'triage', description: 'x' }));
      expect(config).to.deep.include({ ...usual, description: 'x' });
    });
  });

  it('tools of a connection: absent is all, an empty list is none, and both stay what they are', async () => {
    for (const name of ['all', 'none', 'some']) await connection(name);
    const mcps = [{ name: 'all' }, { name: 'none', tools: [] }, { name: 'some', tools: ['a'] }];
    await made({ mcps });
    const config = await read();
    expect(config.mcps).to.deep.equal(mcps);
    expect(config.versions[0].tools.mcps).to.deep.equal(mcps);
    expect((await done(update({ ...config, description: 'x' }))).config.mcps).to.deep.equal(mcps);
    const turned = [{ name: 'all', tools: [] }, { name: 'none' }, { name: 'some', tools: [] }];
    expect((await done(update({ name: 'triage', mcps: turned }))).config.mcps).to.deep.equal(turned);
  });

  it('an empty list of tools that an earlier version stored means all', async () => {
    await connection('tracker');
    await made({ mcps: [{ name: 'tracker', tools: [] }] });
    const [record] = (await world.records('ml_agents')) as [Json & { _key: string }];
    await world.remove('ml_agents', record._key);
    await world.store('ml_agents', { ...record, mcps: [{ name: 'tracker', tools: [] }] });
    expect((await read()).mcps).to.deep.equal([{ name: 'tracker' }]);
  });

  describe('a model reference', () => {
    beforeEach(async () => {
      await configure(DESK);
    });
    const removeModel = (query = '') =>
      world.call('maker', 'DELETE', `/aicommander/${DESK.service}/${DESK.connection_name}/${DESK.model}${query}`);

    it('is an alias, or names a configuration in three ways', async () => {
      await alias('fast');
      for (const model of ['FAST', 'desk/gpt-a', 'general_chat/DESK/gpt-a', 'gpt-a']) {
        await made({ llm: { model, max_tokens: 5, response_variability: 0.5 } });
        expect((await read()).llm, model).to.deep.equal({ model, max_tokens: 5, response_variability: 0.5 });
        await done(remove());
      }
    });

    it('that fits nothing, or nothing for the caller, is unknown', async () => {
      await alias('private');
      for (const [model, user] of [
        ['nowhere', 'maker'],
        ['desk/GPT-A', 'maker'],
        ['desk/gpt-b', 'maker'],
        ['private', 'other'],
        ['desk/gpt-a', 'unlisted'],
      ] as const) {
        const reply = await create({ name: 'triage', llm: { model } }, user);
        expect([...code(reply), ...fields(reply)], model).to.deep.equal([400, 'unknown_reference', 'llm.model']);
        expect(reply.json.message).to.contain(model);
      }
      await alias('shown', { acl: { sharing: 'app', perms: { read: ['*'] } } });
      const named = { name: 'triage', runtime_type: 'BUILT_IN', llm: { model: 'shown' } };
      expect((await create(named, 'unlisted')).status).to.equal(200);
    });

    it('that fits several models is ambiguous', async () => {
      await configure({ ...DESK, connection_name: 'Second' });
      const reply = await create({ name: 'triage', llm: { model: 'gpt-a' } });
      expect([...code(reply), ...fields(reply)]).to.deep.equal([400, 'ambiguous_reference', 'llm.model']);
      expect(reply.json.candidates).to.have.members(['Desk/gpt-a', 'Second/gpt-a']);
    });

    it('has either none of the other two names or both', async () => {
      for (const [llm, field] of [
        [{ service: 'General_Chat', model: 'gpt-a' }, 'llm.connection_name'],
        [{ connection_name: 'Desk', model: 'gpt-a' }, 'llm.service'],
      ] as const) {
        const reply = await create({ name: 'triage', llm });
        expect([...code(reply), ...fields(reply)]).to.deep.equal([400, 'validation_failed', field]);
      }
      await made({ llm: DESK });
      expect((await done(update({ name: 'triage', llm: { model: 'desk/gpt-a' } }))).config.llm).to.deep.equal({
        model: 'desk/gpt-a',
      });
    });

    it('makes what it names in_use, whichever way it is named', async () => {
      for (const llm of [DESK, { model: 'desk/gpt-a' }, { model: 'General_Chat/Desk/gpt-a' }, { model: 'gpt-a' }]) {
        await made({ llm });
        const refused = await removeModel();
        expect([...code(refused), refused.json.used_by], JSON.stringify(llm)).to.deep.equal([
          409,
          'in_use',
          ['triage'],
        ]);
        await done(remove());
      }
      await alias('fast');
      await made({ llm: { model: 'Fast' } });
      const refused = await world.call('maker', 'DELETE', '/model_aliases/fast');
      expect([...code(refused), refused.json.used_by]).to.deep.equal([409, 'in_use', ['triage']]);
      await done(remove());
      await done(world.call('maker', 'DELETE', '/model_aliases/fast'));
      await done(removeModel());
    });

    it('that is gone does not prevent other changes', async () => {
      await made({ llm: { model: 'desk/gpt-a' } });
      await done(removeModel('?force=true'));
      const config = await read();
      await done(update({ ...config, description: 'x' }));
      expect(fields(await update({ name: 'triage', llm: { model: 'Desk/gpt-a ' } }))).to.deep.equal(['llm.model']);
    });
  });
}
