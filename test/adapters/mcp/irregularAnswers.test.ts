import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { createMcpClient } from '../../../src/adapters/mcp/mcpClient.ts';
import { createOutbound } from '../../../src/adapters/outbound/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { sendJson } from '../../support/peers/listen.ts';
import {
  type Misbehave,
  type RpcMessage,
  rpcResult,
  startAnswering,
  startScripted,
  startSse,
  tool,
} from '../../support/peers/mcp/scripted.ts';
import { Peers } from '../../support/peers/peers.ts';

const client = createMcpClient(createOutbound({ allowPrivate: true }));
const { started: run } = new Peers(afterEach);
const SECRET = 'tok-0123456789-secret';

async function list(url: string, ms = 5000, transportHint?: 'sse') {
  using deadline = startDeadline(ms);
  return await client.listTools({ url, verifyTls: true, token: SECRET, secrets: [SECRET], transportHint }, deadline);
}

const call = (url: string, workMs = 5000) =>
  client.callTool(
    { url, verifyTls: true, token: SECRET, secrets: [SECRET] },
    { name: 'get', arguments: {} },
    { connectMs: 5000, workMs },
  );

const good = tool('good');
const _bad = (more: Record<string, unknown>) => ({
  name: 'bad',
  description: 'b',
  inputSchema: { type: 'object', properties: {} },
  ...more,
});

async function _listing(page: Record<string, unknown>) {
  const peer = await run(
    startScripted(
      () => false,
      () => page,
    ),
  );
  const found = await list(peer.url);
  expect(found.error).to.equal(undefined);
  return found;
}

describe('MCP: irregular envelopes', () => {
  const ENVELOPES: [string, (message: RpcMessage, result: unknown) => unknown][] = [
    ['a null error', (message, result) => ({ ...rpcResult(message, result), error: null })],
    ['null params', (message, result) => ({ ...rpcResult(message, result), params: null, method: null })],
    ['no version of JSON-RPC', ({ id }, result) => ({ id, result })],
    ['the id as a text', ({ id }, result) => ({ jsonrpc: '2.0', id: String(id), result })],
    ['a list of one', (message, result) => [rpcResult(message, result)]],
    [
      'a list with a notification',
      (message, result) => [{ jsonrpc: '2.0', method: 'notifications/x', params: null }, rpcResult(message, result)],
    ],
  ];
  for (const [what, envelope] of ENVELOPES) {
    it(`understands ${what}, as JSON and as an event`, async () => {
      for (const asEvent of [false, true]) {
        const peer = await run(
          startScripted((_request, response, message) => {
            if (message?.id === undefined || message.method === 'server/discover') return false;
            const result = message.method === 'initialize' ? greeting({}) : { tools: [good] };
            const body = JSON.stringify(envelope(message, result));
            response.writeHead(200, { 'content-type': asEvent ? 'text/event-stream' : 'application/json' });
            response.end(asEvent ? `data: ${body}\n\n` : body);
            return true;
          }),
        );
        const { error, tools } = await list(peer.url);
        expect([error, tools.length]).to.deep.equal([undefined, 1]);
      }
    });
  }

  const greeting = (more: Record<string, unknown>) => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 's', version: '1' },
    ...more,
  });
  const GREETINGS: [string, Record<string, unknown>, unknown][] = [
    ['null instructions', { instructions: null }, { name: 's', version: '1' }],
    ['no server information', { serverInfo: undefined }, undefined],
    ['null server information', { serverInfo: null }, undefined],
    ['no version', { serverInfo: { name: 's' } }, { name: 's', version: '' }],
    ['a number for the version', { serverInfo: { name: 's', version: 2, title: null } }, { name: 's', version: '2' }],
    ['null for a capability', { capabilities: { tools: null } }, { name: 's', version: '1' }],
    ['true for a capability', { capabilities: { tools: true } }, { name: 's', version: '1' }],
    ['null for experimental', { capabilities: { experimental: null } }, { name: 's', version: '1' }],
    ['no capabilities', { capabilities: undefined, _meta: null }, { name: 's', version: '1' }],
  ];
  for (const [what, more, expected] of GREETINGS) {
    it(`initializes with ${what}`, async () => {
      const peer = await run(
        startScripted(
          (_request, response, message) => {
            if (message?.method !== 'initialize') return false;
            sendJson(response, 200, rpcResult(message, greeting(more)));
            return true;
          },
          () => ({ tools: [good] }),
        ),
      );
      const { error, tools, serverInfo } = await list(peer.url);
      expect([error, tools.length, serverInfo]).to.deep.equal([undefined, 1, expected]);
    });
  }

  it('reads the answer to the question for the newest revision with null members', async () => {
    const peer = await run(
      startScripted((_request, response, message) => {
        const result =
          message?.method === 'server/discover'
            ? { supportedVersions: ['2026-07-28', null], capabilities: null, instructions: null }
            : { tools: [good] };
        if (message?.method === 'initialize') sendJson(response, 500, {});
        else if (message) sendJson(response, 200, rpcResult(message, result));
        return true;
      }),
    );
    const { error, tools, protocolVersion } = await list(peer.url);
    expect([error, tools.length, protocolVersion]).to.deep.equal([undefined, 1, '2026-07-28']);
  });
});

describe('MCP: the question for the newest revision', () => {
  const json = { 'content-type': 'application/json' };
  const ANSWERS: Record<string, (response: ServerResponse) => unknown> = {
    '401': (response) => sendJson(response, 401, {}),
    '403': (response) => sendJson(response, 403, {}),
    '404': (response) => sendJson(response, 404, {}),
    '200 with nothing': (response) => response.writeHead(200).end(),
    '200 with nothing of JSON': (response) => response.writeHead(200, json).end(),
    '200 with a page': (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><html></html>'),
    '200 with other JSON': (response) => sendJson(response, 200, { ok: true }),
    '200 with an unknown result': (response) => sendJson(response, 200, { jsonrpc: '2.0', id: 5, result: {} }),
    '202': (response) => response.writeHead(202).end(),
    '204': (response) => response.writeHead(204).end(),
    '302': (response) => response.writeHead(302, { location: 'https://login.invalid/' }).end(),
    '429': (response) => response.writeHead(429).end(),
    '502': (response) => response.writeHead(502).end('bad gateway'),
    '503': (response) => response.writeHead(503).end(),
    'a reset': (response) => response.destroy(),
    'an empty event stream': (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
    silence: () => {},
    'an open event stream': (response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
  };
  for (const [what, answer] of Object.entries(ANSWERS)) {
    it(`initializes after ${what}`, async () => {
      const peer = await run(startAnswering('server/discover', answer, [good]));
      const { error, tools, authenticated } = await list(peer.url, 4000);
      expect([error, tools.length, authenticated]).to.deep.equal([undefined, 1, true]);
    });
  }
});

describe('MCP: exchanges that end without the answer', () => {
  const ENDED: Record<string, [RegExp, (response: ServerResponse, message: RpcMessage) => unknown]> = {
    'another id': [/id 777/, (response) => sendJson(response, 200, { jsonrpc: '2.0', id: 777, result: {} })],
    'the id of an earlier request': [
      /id 0/,
      (response) => sendJson(response, 200, { jsonrpc: '2.0', id: 0, result: {} }),
    ],
    'another id of an error': [
      /id 777.*DATA/,
      (response) => sendJson(response, 200, { jsonrpc: '2.0', id: 777, error: { code: 1, message: 'DATA' } }),
    ],
    'a null result': [/result is null/, (response, message) => sendJson(response, 200, rpcResult(message, null))],
    'an empty list': [/without a result/, (response) => sendJson(response, 200, [])],
    'one notification': [
      /without a result/,
      (response) => sendJson(response, 200, { jsonrpc: '2.0', method: 'notifications/progress' }),
    ],
    '202': [/answered 202 without a result/, (response) => response.writeHead(202).end()],
    '204': [/answered 204 without a result/, (response) => response.writeHead(204).end()],
    'an empty body': [/answered 200 without a result/, (response) => response.writeHead(200).end()],
    'an event with another id on an open stream': [
      /id 777/,
      (response) =>
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write('data: {"jsonrpc":"2.0","id":777,"result":{}}\n\n'),
    ],
    'an event that is no message': [
      /not MCP \(DATA\)/,
      (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: DATA\n\n'),
    ],
  };
  for (const [what, [message, answer]] of Object.entries(ENDED)) {
    it(`fails at once after ${what}`, async () => {
      for (const ask of [list, call]) {
        const method = ask === list ? 'tools/list' : 'tools/call';
        const peer = await run(startAnswering(method, answer));
        const { error } = await ask(peer.url);
        expect(error?.code).to.equal('upstream_error');
        expect(error?.message).to.match(message);
      }
    });
  }

  it('fails at once when HTTP+SSE answers with an id that no request has', async () => {
    const streams: ServerResponse[] = [];
    const peer = await run(
      startScripted((request, response, message) => {
        if (request.method === 'GET') {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write('event: endpoint\ndata: /messages\n\n');
          streams.push(response);
        } else {
          response.writeHead(202).end();
          if (message?.id !== undefined) streams[0]?.write('data: {"jsonrpc":"2.0","id":777,"result":{}}\n\n');
        }
        return true;
      }),
    );
    const { error } = await list(peer.url, 5000, 'sse');
    expect(error?.message).to.match(/id 777/);
  });
});

describe('MCP: content types', () => {
  const answering =
    (answer: (response: ServerResponse, body: string) => unknown): Misbehave =>
    (_request, response, message) => {
      if (message?.method !== 'tools/list') return false;
      answer(response, JSON.stringify(rpcResult(message, { tools: [good] })));
      return true;
    };
  const UNDERSTOOD: [string, string | undefined, (body: string) => string][] = [
    ['an event stream as JSON', 'application/json', (body) => `data: ${body}\n\n`],
    ['an event stream with names as JSON', 'application/json', (body) => `event: message\ndata: ${body}\n\n`],
    ['an event stream that begins with a comment as text', 'text/plain', (body) => `: hello\n\ndata: ${body}\n\n`],
    ['an event stream without a type', undefined, (body) => `id: 1\r\ndata: ${body}\r\n\r\n`],
    ['an event without its empty line', 'text/event-stream', (body) => `data: ${body}`],
    ['JSON without a type', undefined, (body) => body],
    ['JSON as text/json', 'text/json', (body) => body],
    ['JSON as application/json-rpc', 'application/json-rpc; charset=utf-8', (body) => body],
    ['JSON as application/octet-stream', 'application/octet-stream', (body) => `\n ${body}`],
    ['JSON as text/html', 'text/html', (body) => body],
    ['JSON as text/event-stream', 'text/event-stream', (body) => body],
    ['JSON after a byte order mark', 'application/json', (body) => `\uFEFF${body}`],
    [
      'a list in an event',
      'text/event-stream',
      (body) =>
        `data: [{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}},${body}]\n\n`,
    ],
    ['an event of another name', 'text/event-stream', (body) => `event: response\ndata: ${body}\n\n`],
  ];
  for (const [what, type, write] of UNDERSTOOD) {
    it(`understands ${what}`, async () => {
      const peer = await run(
        startScripted(
          answering((response, body) => response.writeHead(200, type ? { 'content-type': type } : {}).end(write(body))),
        ),
      );
      const { error, tools } = await list(peer.url);
      expect([error, tools.length]).to.deep.equal([undefined, 1]);
    });
  }

  it('names the type and the words of what it does not understand', async () => {
    const peer = await run(
      startScripted(
        answering((response) =>
          response.writeHead(200, { 'content-type': 'text/plain' }).end(`Closed for today ${SECRET}`),
        ),
      ),
    );
    const { error } = await list(peer.url);
    expect(error?.message)
      .to.match(/text\/plain.*Closed for today/)
      .and.not.to.contain(SECRET);
    const other = await run(startScripted(answering((response) => sendJson(response, 200, { message: 'Closed' }))));
    expect((await list(other.url)).error?.message).to.contain('Closed');
  });

  it('understands HTTP+SSE under another content type', async () => {
    const peer = await run(startSse(null, (response) => response.end()));
    expect((await list(peer.url, 2000, 'sse')).error?.code).to.be.oneOf(['connection_reset', 'upstream_error']);
    let stream: ServerResponse | undefined;
    const plain = await run(
      startScripted((request, response, message) => {
        if (request.method === 'GET') {
          response.writeHead(200, { 'content-type': 'text/plain' }).write('event: endpoint\ndata: /messages\n\n');
          stream = response;
          return true;
        }
        response.writeHead(202).end();
        const result =
          message?.method === 'initialize'
            ? { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: null }
            : { tools: [good, null] };
        if (message?.id !== undefined) stream?.write(`data: ${JSON.stringify(rpcResult(message, result))}\n\n`);
        return true;
      }),
    );
    const { error, tools } = await list(plain.url, 4000, 'sse');
    expect([error, tools.length]).to.deep.equal([undefined, 1]);
  });
});

describe('MCP: a server that asks its client', () => {
  it('gets an answer on the stand-alone stream during a call, and none is opened for a listing', async () => {
    let stream: ServerResponse | undefined;
    let answer: ((refusal: Record<string, unknown>) => void) | undefined;
    const peer = await run(
      startScripted((request, response, message) => {
        if (request.method === 'GET') {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
          stream = response;
          return true;
        }
        if (message?.method === 'tools/call') {
          answer = (refusal) =>
            sendJson(response, 200, rpcResult(message, { content: [{ type: 'text', text: JSON.stringify(refusal) }] }));
          stream?.write('data: {"jsonrpc":"2.0","id":"q1","method":"roots/list"}\n\n');
          return true;
        }
        if (message && 'error' in message) {
          response.writeHead(202).end();
          answer?.(message as never);
          return true;
        }
        return false;
      }),
    );
    const { error, result } = await call(peer.url, 5000);
    expect(error).to.equal(undefined);
    expect(JSON.stringify(result)).to.contain('-32601').and.to.contain('q1');
    peer.log.length = 0;
    await list(peer.url);
    expect(peer.log.filter((line) => line.startsWith('GET'))).to.deep.equal([]);
  });

  it('does not wait for a server that offers no stream, or breaks it off', async () => {
    for (const misbehave of [
      (response: ServerResponse) => response.writeHead(405).end(),
      (response: ServerResponse) => response.destroy(),
      (response: ServerResponse) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 1\ndata: x\n\n'),
      () => {},
    ]) {
      const peer = await run(
        startScripted((request, response, message) => {
          if (request.method === 'GET') misbehave(response);
          else if (message?.method === 'tools/call') {
            setTimeout(() => sendJson(response, 200, rpcResult(message, { content: [] })), 300);
          } else return false;
          return true;
        }),
      );
      const { error, result } = await call(peer.url);
      expect([error, result]).to.deep.equal([undefined, { content: [] }]);
      expect(peer.log.filter((line) => line.startsWith('GET'))).to.have.length(1);
    }
  });
});
