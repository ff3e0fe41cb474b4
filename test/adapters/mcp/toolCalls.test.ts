import type { ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { expect } from 'chai';
import { createMcpClient } from '../../../src/adapters/mcp/mcpClient.ts';
import { createOutbound } from '../../../src/adapters/outbound/outbound.ts';
import { sendJson, startHttp } from '../../support/peers/listen.ts';
import { startEverything } from '../../support/peers/mcp/everything.ts';
import { startModern } from '../../support/peers/mcp/modern.ts';
import { type RpcMessage, rpcResult, startAnswering, startScripted } from '../../support/peers/mcp/scripted.ts';
import { Peers } from '../../support/peers/peers.ts';

const client = createMcpClient(createOutbound({ allowPrivate: true }));
const { started: run } = new Peers(afterEach);
const rpcError = ({ id }: RpcMessage, code: number) => ({ jsonrpc: '2.0', id, error: { code, message: 'refused' } });

function call(url: string, name = 'echo', times = { connectMs: 5000, workMs: 5000 }) {
  const target = { url, verifyTls: true, token: 'the-token', secrets: ['the-token'] };
  return client.callTool(target, { name, arguments: { message: 'hi' } }, times);
}

describe('MCP: tool calls', () => {
  it('returns the result, also one that is an error', async () => {
    const peer = await run(startModern({ modernOnly: true }));
    const done = await call(peer.url);
    expect(done).to.include({ error: undefined, mayHaveRun: true, protocolVersion: '2026-07-28' });
    expect(done.result).to.deep.include({
      content: [{ type: 'text', text: 'done' }],
      structuredContent: { message: 'hi' },
      isError: false,
    });
    expect((await call(peer.url, 'fails')).result).to.include({ isError: true });
    expect(peer.calls).to.deep.equal(['echo', 'fails']);
  });

  for (const kind of ['streamableHttp', 'sse'] as const) {
    it(`works in the session era over ${kind}`, async () => {
      const peer = await run(startEverything(kind));
      const { result, error } = await call(peer.url);
      expect(error).to.equal(undefined);
      expect(result?.content).to.deep.equal([{ type: 'text', text: 'Echo: hi' }]);
    });
  }

  const FAILURES: Record<string, [string, (response: ServerResponse, message: RpcMessage) => unknown]> = {
    'closes the connection before the answer': ['connection_reset', (response) => response.destroy()],
    'closes the connection after the head': [
      'connection_reset',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.flushHeaders();
        setTimeout(() => response.destroy(), 20);
      },
    ],
    'closes the connection in the answer': [
      'connection_reset',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '999' });
        response.write('{"jsonrpc":', () => response.destroy());
      },
    ],
    'ends its event stream without the answer': [
      'connection_reset',
      (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
    ],
    'answers 400': ['bad_request', (response) => sendJson(response, 400, { error: 'Server not initialized' })],
    'answers 401': ['auth_failed', (response) => sendJson(response, 401, {})],
    'answers 404': ['upstream_error', (response) => sendJson(response, 404, { error: 'Session not found' })],
    'answers 405': ['upstream_error', (response) => sendJson(response, 405, {})],
    'answers 500': ['upstream_error', (response) => sendJson(response, 500, {})],
    'answers 503': ['upstream_error', (response) => sendJson(response, 503, {}, { 'retry-after': '0' })],
    'knows no calls': ['upstream_error', (response, message) => sendJson(response, 200, rpcError(message, -32601))],
    'refuses the headers': [
      'upstream_error',
      (response, message) => sendJson(response, 200, rpcError(message, -32020)),
    ],
  };
  for (const [what, [code, answer]] of Object.entries(FAILURES)) {
    it(`never calls twice: the server ${what}`, async () => {
      const peer = await run(startAnswering('tools/call', answer));
      const { error, mayHaveRun, result } = await call(peer.url);
      expect(error?.code, error?.message).to.equal(code);
      expect([mayHaveRun, result]).to.deep.equal([code === 'auth_failed' ? undefined : true, undefined]);
      expect(peer.log.filter((line) => line === 'POST tools/call')).to.have.length(1);
    });
  }

  it('knows by the reply to the call whether the tool may have run', async () => {
    const eventsThen = (status: number) =>
      run(
        startScripted((request, response, message) => {
          // The client resumes a stream with event ids.
          if (request.method === 'GET') sendJson(response, status, {});
          else if (message?.method !== 'tools/call') return false;
          else response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 1\nretry: 10\ndata: \n\n');
          return true;
        }),
      );
    const resumed = await eventsThen(401);
    const late = await call(resumed.url, 'echo', { connectMs: 5000, workMs: 500 });
    expect([late.mayHaveRun, late.error?.code]).to.deep.equal([true, 'connection_reset']);
    expect(late.error?.message).to.contain('401');
    expect(resumed.log.filter((line) => line.startsWith('GET'))).not.to.deep.equal([]);
    const limited = await run(startAnswering('tools/call', (response) => sendJson(response, 429, {})));
    const refused = await call(limited.url);
    expect([refused.mayHaveRun, refused.error?.code]).to.deep.equal([undefined, 'rate_limited']);
  });

  it('sends arguments in headers where the schema asks for it', async () => {
    const input_schema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    const seen: unknown[] = [];
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 's', version: '1' });
      server.registerTool('look', { inputSchema: fromJsonSchema(input_schema) }, (args) => {
        seen.push(args);
        return { content: [{ type: 'text', text: 'seen' }] };
      });
      return server;
    });
    const node = toNodeHandler(handler);
    const peer = await run(startHttp((request, response) => void node(request as never, response)));
    const target = { url: `${peer.url}/mcp`, verifyTls: true, secrets: [] };
    const times = { connectMs: 5000, workMs: 5000 };
    const look = { name: 'look', arguments: { region: 'eu-central-1' } };
    expect((await client.callTool(target, look, times)).error?.code).to.be.oneOf(['bad_request', 'upstream_error']);
    expect(seen).to.deep.equal([]);
    const { result, error } = await client.callTool(target, { ...look, input_schema }, times);
    expect(error).to.equal(undefined);
    expect(result?.content).to.deep.equal([{ type: 'text', text: 'seen' }]);
    expect(seen).to.deep.equal([{ region: 'eu-central-1' }]);
  });

  it('asks a server that it knows once, and one that has changed as if it were new', async () => {
    const modern = await run(startModern({ modernOnly: true }));
    const known = await call(modern.url);
    const sent = async (url: string, greeting: unknown) => {
      const target = { url, verifyTls: true, secrets: [], greeting: greeting as never };
      return client.callTool(target, { name: 'echo', arguments: {} }, { connectMs: 5000, workMs: 5000 });
    };
    modern.seen.length = 0;
    expect((await sent(modern.url, known.greeting)).error).to.equal(undefined);
    expect(modern.seen).to.have.length(1);
    const older = await run(startEverything('streamableHttp'));
    const session = await client.callTool(
      { url: older.url, verifyTls: true, secrets: [] },
      { name: 'echo', arguments: { message: 'hi' } },
      { connectMs: 5000, workMs: 5000 },
    );
    modern.calls.length = 0;
    // It refuses `initialize`, which ran no tool.
    expect((await sent(modern.url, session.greeting)).error).to.equal(undefined);
    expect(modern.calls).to.deep.equal(['echo']);
  });

  it('never calls after a failed handshake, and reports that', async () => {
    for (const method of ['initialize', 'notifications/initialized']) {
      const peer = await run(startAnswering(method, (response) => response.destroy()));
      const { error, mayHaveRun } = await call(peer.url);
      expect(error?.code, method).to.equal('connection_reset');
      expect(mayHaveRun, method).to.equal(undefined);
      expect(peer.log).not.to.include('POST tools/call');
    }
  });

  it('has separate time limits for connecting and for the tool', async () => {
    const delayed = (method: string, ms: number) =>
      run(
        startScripted((_request, response, message) => {
          if (message?.method !== method && message?.method !== 'tools/call') return false;
          const result =
            message.method === 'initialize'
              ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
              : { content: [] };
          setTimeout(() => sendJson(response, 200, rpcResult(message, result)), message.method === method ? ms : 0);
          return true;
        }),
      );
    const slowStart = await delayed('initialize', 1000);
    expect((await call(slowStart.url, 'echo', { connectMs: 300, workMs: 5000 })).error?.code).to.equal('timeout');
    expect(slowStart.log).not.to.include('POST tools/call');
    expect((await call(slowStart.url, 'echo', { connectMs: 5000, workMs: 600 })).error).to.equal(undefined);
    const slowTool = await delayed('tools/call', 1000);
    expect((await call(slowTool.url, 'echo', { connectMs: 5000, workMs: 300 })).error?.code).to.equal('timeout');
    expect((await call(slowTool.url, 'echo', { connectMs: 700, workMs: 5000 })).result).to.deep.equal({ content: [] });
    expect(slowTool.log.filter((line) => line === 'POST tools/call')).to.have.length(2);
  });
});
