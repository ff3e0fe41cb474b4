import { expect } from 'chai';
import { mcpSuite } from '../../suites/mcp/suite.ts';
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

  it('handles much white space inside a secret in linear time', async () => {
    const app = new MemoryApp();
    const started = performance.now();
    const body = tracker({ client_secret: `x${' '.repeat(30_000)}x` });
    expect((await app.call('editor', 'POST', PATH, body)).status).to.equal(200);
    expect(performance.now() - started).to.be.lessThan(patience(500));
  });
});
