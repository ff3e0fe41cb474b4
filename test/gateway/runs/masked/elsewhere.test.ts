import { expect } from 'chai';
import { SENTENCE } from '../../../../src/masking/masking.ts';
import { type Json, MemoryApp } from '../../../support/memory/app.ts';
import { ALL, applyPolicies, type TestPolicy } from '../../masking/policies.ts';

const RIGHTS = ['list_ai_commander_config', 'use_ai_gateway', 'run_agents', 'edit_agents'];
const HOST = 'db7.corp.example';

describe('masked runs of agents that run elsewhere', () => {
  let app: MemoryApp;
  let asked: Json[];

  beforeEach(async () => {
    app = new MemoryApp();
    app.user('asker', { capabilities: RIGHTS });
    app.cloud.newborn = 'READY';
    asked = [];
    app.cloud.answer = (_arn, { body }) => {
      asked.push(JSON.parse(body));
      const [word] = /host-[a-z0-9]{10}/.exec(body) ?? ['nothing'];
      return { contentType: 'application/json', text: JSON.stringify({ output: `Restart ${word}` }) };
    };
    const acl = { sharing: 'app', perms: { read: ['*'], write: [] } };
    const agent = { name: 'triage', system_prompt: 'Be short.', task_prompt: `Not ${HOST}`, acl };
    expect((await app.call('asker', 'POST', '/agents', agent)).status).to.equal(200);
    await app.call('asker', 'POST', '/agents/triage/status', { action: 'create' });
  });
  const policy = (more: Partial<TestPolicy> = {}) =>
    applyPolicies(app, { kinds: ALL, operations: ['invoke_agent'], ...more });
  async function ran(input: string | Json) {
    const { status, json } = await app.call('asker', 'POST', '/ai_gateway/runs', {
      ...{ agent: 'triage', input, worker: 'caller' },
    });
    expect(status, JSON.stringify(json)).to.equal(200);
    await app.call('asker', 'POST', `/ai_gateway/runs/${json.run_id}/step`);
    return (await app.call('asker', 'GET', `/ai_gateway/runs/${json.run_id}`)).json.config;
  }

  it('send input and prompts without values, and answer with them', async () => {
    policy();
    const run = await ran({ text: `host=${HOST}`, list: [HOST, 1] });
    expect(run, JSON.stringify(run)).to.include({ state: 'succeeded', output: `Restart ${HOST}` });
    expect(run.steps[0].input).to.deep.equal({ text: `host=${HOST}`, list: [HOST, 1] });
    const [word] = /host-[a-z0-9]{10}/.exec(JSON.stringify(asked)) ?? [];
    expect(asked).to.deep.equal([
      {
        input: { text: `host=${word}`, list: [word, 1] },
        system_prompt: `Be short.\n\n${SENTENCE}`,
        task_prompt: `Not ${word}`,
        llm: null,
        tools: { mcps: [], knowledge_bases: [] },
      },
    ]);
  });

  it('send what no policy masks as it is', async () => {
    policy({ operations: ['chat', 'execute_tool', 'retrieve', 'predict'] });
    await ran(HOST);
    expect(asked[0]).to.include({ input: HOST, system_prompt: 'Be short.' });
  });

  it('fail where a policy refuses a kind', async () => {
    policy({ kinds: { host: 'refuse' } });
    const run = await ran('x');
    expect(run).to.include({ state: 'failed', error_code: 'content_refused' });
    expect(run.message).to.include('host (1)');
    expect(asked).to.deep.equal([]);
  });
});
