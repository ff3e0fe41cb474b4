import { expect } from 'chai';
import { agentSuite } from '../../suites/agents/records.ts';
import { agentRunFieldSuite } from '../../suites/agents/runFields.ts';
import { agentRuntimeSuite } from '../../suites/agents/runtimes.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('agents as records', () => {
  agentSuite(inMemory);
  agentRuntimeSuite(inMemory);
  agentRunFieldSuite(inMemory);

  describe('beside other parts', () => {
    let app: MemoryApp;
    const create = (body: Json) => app.call('maker', 'POST', '/agents', body);

    beforeEach(() => {
      app = new MemoryApp();
      app.user('maker', { capabilities: ['edit_agents', 'run_agents', 'edit_agent_connections'] });
    });

    it('starts the search that follows a creation, and returns its id', async () => {
      expect((await create({ name: 'triage' })).json.tracking_job_id).to.equal('sid-1');
      expect(app.searches.dispatched).to.deep.equal([
        { user: 'maker', search: '| agentstatus agent_name="triage" action=create timeout=960' },
      ]);
      expect((await app.call('maker', 'GET', '/agents/triage')).json.tracking.job_id).to.equal('sid-1');
    });

    it('checks a tool against the last listing if tools_allowed is absent', async () => {
      const details = { url: 'https://mcp.example/mcp' };
      await app.call('maker', 'POST', '/mcp_connection', { name: 'free', type: 'PLATFORM', details });
      app.peers.tools = [{ name: 'echo', description: '' }];
      expect((await app.call('maker', 'POST', '/mcp_connection/tools', { name: 'free' })).status).to.equal(200);
      const using = (tool: string) => create({ name: `with_${tool}`, mcps: [{ name: 'free', tools: [tool] }] });
      expect((await using('echo')).status).to.equal(200);
      expect((await using('other')).json.error_code).to.equal('unknown_reference');
    });
  });
});
