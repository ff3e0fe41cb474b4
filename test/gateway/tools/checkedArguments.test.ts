import { expect } from 'chai';
import type { MemoryApp } from '../../support/memory/app.ts';
import { callTool, connect, toolsApp } from './toolsApp.ts';

describe('Arguments that are checked', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = toolsApp();
  });

  it('are those of every call, also after one that took too long to check', async () => {
    const properties = { tags: { type: 'array', uniqueItems: true }, text: { pattern: '^(a+)+$' } };
    const input_schema = { type: 'object', properties, additionalProperties: false };
    app.peers.tools = [{ name: 'echo', description: '', input_schema }];
    await connect(app, 'one');
    const slow = await callTool(app, { arguments: { text: `${'a'.repeat(50)}!` } });
    expect(slow.status).to.equal(200);
    expect(slow.json.warnings).to.deep.equal([
      'The arguments were not checked against the schema, since that took too long.',
    ]);
    expect((await callTool(app, { arguments: { surplus: 1 } })).status).to.equal(400);
    expect(app.peers.calls).to.have.length(1);
  });

  it('have at most 64 KB; the server judges longer ones, and a warning says so', async () => {
    await connect(app, 'one');
    const { status, json } = await callTool(app, { arguments: { text: 'x'.repeat(70_000), n: 1 } });
    expect(status).to.equal(200);
    expect(json.warnings[0]).to.include('longer than 65536 bytes');
    expect((await callTool(app, { arguments: { text: 'x'.repeat(60_000) } })).json.warnings).to.equal(undefined);
  });

  it('have at most 100 levels', async () => {
    app.peers.tools = [{ name: 'echo', description: '', input_schema: { type: 'object' } }];
    await connect(app, 'one');
    const nested = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`);
    expect((await callTool(app, { arguments: nested(100) })).status).to.equal(200);
    const { status, json } = await callTool(app, { arguments: nested(101) });
    expect([status, json.errors]).to.deep.equal([
      400,
      [{ field: 'arguments', message: 'is nested deeper than 100 levels' }],
    ]);
  });
});
