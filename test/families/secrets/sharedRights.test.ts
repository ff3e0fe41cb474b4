import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { MemoryApp } from '../../support/memory/app.ts';

const PAGE = readFileSync(new URL('../../../docs/agentstatus.md', import.meta.url), 'utf8');
/** Capabilities that Splunk AI Toolkit defines, too. */
const SHARED = [
  ...['edit_agent_connections', 'edit_ai_commander_config', 'list_ai_commander_config', 'run_agents'],
  ...['list_container_connections', 'list_containers', 'control_containers'],
];

describe('a user with the rights that AI Toolkit shares', () => {
  const app = new MemoryApp();
  before(() => app.user('toolkit', { capabilities: SHARED }));

  const call = async (method: string, path: string, body?: object) =>
    (await app.call('toolkit', method, path, body)).json;

  it('has those that the page names', () => {
    const rows = [...PAGE.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.match(/[a-z_]{4,}/g) ?? []);
    expect(rows).to.have.members(SHARED);
  });

  it('changes connections and providers, and reads containers', async () => {
    const server = { name: 'a', type: 'PLATFORM', details: { url: 'https://mcp.example' } };
    expect(await call('POST', '/mcp_connection', server)).to.include({ status: 'success' });
    const model = { service: 'General_Chat', connection_name: 'main', model: 'gpt-4o' };
    const settings = { servicesettings: { access_token: { value: 'key-of-the-provider' } } };
    expect(await call('POST', '/aicommander', { ...model, ...settings })).to.include({ status: 'success' });
    expect(await call('GET', '/container_connection/docker')).to.include({ status: 'success' });
  });

  it('neither makes agents, connections of containers or limits, nor uses models', async () => {
    const engine = { container_type: 'docker', connection_name: 'a' };
    const refused: [string, string, object][] = [
      ['POST', '/agents', { name: 'a' }],
      ['POST', '/container_connection', engine],
      ['POST', '/usage_limits', { name: 'a', window: 'day', requests: 1 }],
      ['POST', '/ai_gateway/v1/chat/completions', { model: 'm', messages: [] }],
    ];
    for (const [method, path, body] of refused) {
      const reply = await app.call('toolkit', method, path, body);
      expect(reply.status, `${path} ${JSON.stringify(reply.json).slice(0, 200)}`).to.equal(403);
    }
  });
});
