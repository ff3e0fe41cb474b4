import { expect } from 'chai';
import { mcpSuite } from '../../suites/mcp.ts';
import { MemoryApp } from '../../support/memory/app.ts';
import { patience } from '../../support/time.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

const PATH = '/mcp_connection';
const tracker = (details: object = {}) => ({
  name: 'alpha',
  type: 'ISSUE_TRACKER',
  details: {
    url: 'https://mcp.example/mcp',
    token: 'canary-token',
    client_id: 'client',
    client_secret: 'canary-secret',
    refresh_token: 'canary-refresh',
    ...details,
  },
});

describe('MCP connections', () => {
  mcpSuite(inMemory);

  it('keeps secrets out of records and log', async () => {
    const app = new MemoryApp();
    const body = tracker({ headers: { 'X-Api-Key': 'canary-header' } });
    expect((await app.call('editor', 'POST', PATH, body)).status).to.equal(200);
    expect(app.leaks('canary')).to.deep.equal([]);
  });

  it('white space of any amount inside a secret costs nothing', async () => {
    const app = new MemoryApp();
    const started = performance.now();
    const body = tracker({ client_secret: `x${' '.repeat(60_000)}x` });
    expect((await app.call('editor', 'POST', PATH, body)).status).to.equal(200);
    expect(performance.now() - started).to.be.lessThan(patience(500));
  });

  it('reads need a session only, whatever the flag says', async () => {
    const app = new MemoryApp();
    expect((await app.call('reader', 'GET', PATH)).status).to.equal(200);
    app.settings.stanzas = { feature_flags: { mcp_connections: '0' } };
    expect((await app.call('reader', 'GET', PATH)).status).to.equal(200);
    const { status, json } = await app.call('editor', 'POST', PATH, tracker());
    expect([status, json.error_code]).to.deep.equal([403, 'feature_disabled']);
  });
});
