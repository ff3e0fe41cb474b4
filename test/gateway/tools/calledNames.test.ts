import { expect } from 'chai';
import type { McpTool } from '../../../src/ports/mcp/mcpClient.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { callTool, connect, namesIn, send, toolsApp, urlOf } from './toolsApp.ts';

const tool = (name: string, description = 'A tool'): McpTool => ({
  name,
  description,
  input_schema: { type: 'object' },
});

describe('names of called tools at /ai_gateway/mcp', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = toolsApp();
  });
  const outcome = async (name: string): Promise<string> => {
    const { json } = await send(app, 'tools/call', { name });
    return json.error?.code ?? json.result._meta?.['ml_extension/error_code'] ?? 'done';
  };

  it('are those that are listed, and no others', async () => {
    const long = 'x'.repeat(70);
    app.peers.tools = [tool('docs'), tool(long), tool('a tool'), tool('plain')];
    await connect(app, 'retrieve');
    await connect(app, 'one');
    const listed = namesIn(await send(app, 'tools/list'));
    expect(listed).to.have.length(8);
    for (const name of listed) expect(await outcome(name), name).to.equal('done');
    expect(app.peers.calls).to.have.length(8);
    // The first would be the name of a vector store.
    for (const name of ['retrieve__docs', `one__${long}`, 'one__a tool', 'ONE__plain', 'one__Plain'])
      expect(await outcome(name), name).to.equal(-32602);
    expect(app.peers.calls).to.have.length(8);
  });

  it('are looked up within the deadline of the request', async () => {
    app.slots.deadline = 100;
    await connect(app, 'one');
    app.peers.toolsAt.set(urlOf('one'), new Promise(() => {}));
    for (const name of ['one__plain', 'one__a_tool_01234567']) expect(await outcome(name), name).to.equal('timeout');
    expect((await callTool(app, {})).json.error_code).to.equal('timeout');
  });

  it('have the same failures with a hash as without', async () => {
    app.peers.tools = [tool('plain'), tool('a tool')];
    await connect(app, 'one');
    const names = namesIn(await send(app, 'tools/list'));
    expect(names).to.have.length(2);
    const outcomes = () => Promise.all(names.map(outcome));
    expect(await outcomes()).to.deep.equal(['done', 'done']);
    await app.call('maker', 'PUT', '/mcp_connection', { name: 'one', tools_allowed: [] });
    expect(await outcomes()).to.deep.equal([-32602, -32602]);
    app.peers.tools = [tool('plain', 'Another'), tool('a tool', 'Another')];
    await app.call('maker', 'PUT', '/mcp_connection', { name: 'one', tools_allowed: ['plain', 'a tool'] });
    expect(await outcomes()).to.deep.equal(['tool_changed', 'tool_changed']);
    app.peers.fail('connection_refused');
    await app.call('maker', 'PUT', '/mcp_connection', { name: 'one', tools_allowed: ['a tool', 'plain'] });
    expect(await outcomes()).to.deep.equal(['connection_refused', 'connection_refused']);
    app.slots.max = 0;
    await app.call('maker', 'PUT', '/mcp_connection', { name: 'one', tools_allowed: ['plain', 'a tool'] });
    expect(await outcomes()).to.deep.equal(['too_many_requests', 'too_many_requests']);
    expect(app.peers.calls).to.have.length(2);
  });
});
