import { expect } from 'chai';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { connect, sendBefore, toolsApp } from './toolsApp.ts';

/** Integers that a number of JavaScript cannot hold. */
const LARGE = [725653563933458433n, 18446744073709551615n, -9223372036854775807n, 10n ** 30n + 1n];

describe('integers beyond 2^53 of tools', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = toolsApp();
    const properties = { ids: { type: 'array', items: { type: 'integer' }, uniqueItems: true }, maximum: {} };
    const input_schema = { type: 'object', properties, maximum: LARGE[1] };
    app.peers.tools = [{ name: 'echo', description: '', input_schema }];
    app.peers.result = (call) => ({ content: [], structuredContent: { ...call.arguments, own: LARGE[1] } });
    await connect(app, 'one');
  });
  const ids = `[${LARGE.join()}]`;
  const post = (path: string, body: string) => app.call('asker', 'POST', path, body);
  const assertCalled = () => expect(app.peers.calls).to.deep.equal([{ name: 'echo', arguments: { ids: LARGE } }]);

  it('arrive in both directions at tools/call', async () => {
    const { json } = await post(
      '/ai_gateway/tools/call',
      `{"connection":"one","tool":"echo","arguments":{"ids":${ids}}}`,
    );
    assertCalled();
    expect(json.result.structured_content).to.deep.equal({ ids: LARGE, own: LARGE[1] });
  });

  it('arrive in both directions in a batch', async () => {
    const item = `{"id":"a","connection":"one","tool":"echo","arguments":{"ids":${ids}}}`;
    const { json } = await post('/ai_gateway/batch', `{"operation":"tool","items":[${item}]}`);
    assertCalled();
    expect(json.result[0].response.result.structured_content).to.deep.equal({ ids: LARGE, own: LARGE[1] });
  });

  for (const revision of ['2025-03-26', '2025-11-25', '2026-07-28']) {
    it(`arrive in both directions by MCP ${revision}, also as the id of a request`, async () => {
      const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},`;
      const params = `{${revision === '2026-07-28' ? meta : ''}"name":"one__echo","arguments":{"ids":${ids}}}`;
      const message = `{"jsonrpc":"2.0","id":${LARGE[0]},"method":"tools/call","params":${params}}`;
      const headers = { 'MCP-Protocol-Version': revision, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'one__echo' };
      const { json } = await sendBefore(app, message, headers);
      assertCalled();
      expect(json.id).to.equal(LARGE[0]);
      expect(json.result.structuredContent).to.deep.equal({ ids: LARGE, own: LARGE[1] });
    });
  }

  it('stand in schemas that are listed', async () => {
    const { json } = await sendBefore(app, { id: 1, method: 'tools/list' });
    expect(json.result.tools[0].inputSchema.maximum).to.equal(LARGE[1]);
    const listed = await app.call('maker', 'POST', '/mcp_connection/tools', { name: 'one' });
    expect(listed.json.data.tools[0].input_schema.maximum).to.equal(LARGE[1]);
  });

  it('stand in the content that is logged', async () => {
    app.settings.stanzas = { gateway: { log_content: '1' } };
    await post('/ai_gateway/tools/call', `{"connection":"one","tool":"echo","arguments":{"ids":${ids}}}`);
    await app.gateway.usage.flush();
    const event = app.events[0]?.event as Json;
    expect(event.content).to.deep.include({ input: { arguments: { ids: LARGE } } });
  });

  it('are checked as numbers', async () => {
    const body = '{"connection":"one","tool":"echo","arguments":{"ids":["9007199254740993"]}}';
    expect((await post('/ai_gateway/tools/call', body)).status).to.equal(400);
    const late = '{"connection":"one","tool":"echo","timeout_s":9007199254740993}';
    const { json } = await post('/ai_gateway/tools/call', late);
    expect(json.errors).to.deep.equal([{ field: 'timeout_s', message: 'must be <= 100' }]);
  });
});
