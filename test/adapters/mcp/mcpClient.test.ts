import { expect } from 'chai';
import { createMcpClient } from '../../../src/adapters/mcp/mcpClient.ts';
import { createOutbound } from '../../../src/adapters/outbound/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import type { McpTarget } from '../../../src/ports/mcp/mcpClient.ts';
import { makeCertificate, startTlsFront } from '../../support/peers/certificates.ts';
import { readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { startBearerProxy } from '../../support/peers/mcp/bearerProxy.ts';
import { startEverything } from '../../support/peers/mcp/everything.ts';
import { startModern } from '../../support/peers/mcp/modern.ts';
import * as scripted from '../../support/peers/mcp/scripted.ts';
import { Peers } from '../../support/peers/peers.ts';
import { patience } from '../../support/time.ts';

const client = createMcpClient(createOutbound({ allowPrivate: true }));
const { started: run } = new Peers(afterEach);

const secretsOf = ({ token, headers = {} }: Partial<McpTarget>) => [
  ...(token ? [token] : []),
  ...Object.values(headers),
];

async function list(url: string, more: Partial<McpTarget> & { ms?: number } = {}) {
  const { ms = 5000, ...target } = more;
  using deadline = startDeadline(ms);
  return await client.listTools({ url, verifyTls: true, secrets: secretsOf(target), ...target }, deadline);
}

async function probe(url: string, more: Partial<McpTarget> = {}) {
  using deadline = startDeadline(5000);
  return await client.probe({ url, verifyTls: true, secrets: secretsOf(more), ...more }, deadline);
}

describe('MCP: real servers', () => {
  it('2026-07-28: lists all pages, with all fields of a tool', async () => {
    const described = {
      name: 'described',
      title: 'Described',
      description: 'Does it',
      inputSchema: { properties: { a: { type: 'string' } }, required: ['a'] },
      annotations: { readOnlyHint: true },
    };
    const many = Array.from({ length: 24 }, (_, index) => ({ name: `t${index}` }));
    const peer = await run(startModern({ tools: [described, ...many], pageSize: 10, modernOnly: true }));
    const found = await list(peer.url);
    expect(found.error).to.equal(undefined);
    expect(found).to.include({ httpStatus: 200, reachable: true, authenticated: true, transport: 'streamable_http' });
    expect(found).to.include({ protocolVersion: '2026-07-28', truncated: undefined });
    expect(found.serverInfo).to.deep.equal({ name: 'modern-peer', version: '1.2.3', title: 'Modern' });
    expect(found.tools).to.have.length(25);
    expect(found.tools[0]).to.deep.equal({
      name: 'described',
      title: 'Described',
      description: 'Does it',
      input_schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      annotations: { readOnlyHint: true },
    });
    expect(found.tools[1]).to.deep.equal({ name: 't0', description: '', input_schema: { type: 'object' } });
    peer.setTools([{ name: 'other' }]);
    expect((await list(peer.url)).tools.map((tool) => tool.name)).to.deep.equal(['other']);
  });

  it('session era: initialises, lists, and ends its session', async () => {
    const peer = await run(startEverything('streamableHttp'));
    const found = await list(peer.url);
    expect(found.error).to.equal(undefined);
    expect(found).to.include({ httpStatus: 200, transport: 'streamable_http', protocolVersion: '2025-11-25' });
    expect(found.tools.map((tool) => tool.name))
      .to.include('echo')
      .and.to.have.length(13);
    expect(await probe(peer.url)).to.include({ httpStatus: 200, authenticated: true, transport: 'streamable_http' });
    expect(await list(peer.url, { transportHint: 'sse' })).to.include({
      transport: 'streamable_http',
      error: undefined,
    });
  });

  it('HTTP+SSE: found by its path, by its hint, and by falling back', async () => {
    const peer = await run(startEverything('sse'));
    for (const transportHint of [undefined, 'sse', 'streamable_http'] as const) {
      const found = await list(peer.url, { transportHint });
      expect(found.error, String(transportHint)).to.equal(undefined);
      expect(found).to.include({ httpStatus: 200, transport: 'sse', authenticated: true });
      expect(found.tools).to.have.length(13);
    }
  });

  it('behind a bearer check: a wrong token is auth_failed with the address of the metadata', async () => {
    for (const behind of [await run(startModern()), await run(startEverything('sse'))]) {
      const peer = await run(startBearerProxy({ target: behind.url, tokens: ['the-right-token'] }));
      expect((await list(peer.url, { token: 'the-right-token' })).error).to.equal(undefined);
      for (const token of [undefined, 'the-wrong-token']) {
        peer.seen.length = 0;
        const found = await list(peer.url, { token });
        expect(found.error).to.include({ code: 'auth_failed', httpStatus: 401 });
        expect(found).to.include({ reachable: true, authenticated: false, transport: null, httpStatus: 401 });
        expect(found.resourceMetadataUrl).to.equal(peer.metadataUrl);
        const requests = peer.seen.length;
        expect(requests, 'initialize after the question for the newest revision').to.equal(
          behind.url.endsWith('/sse') ? 1 : 2,
        );
      }
    }
  });

  it('over TLS: with its CA, with verification off, and refused otherwise', async () => {
    const pair = makeCertificate();
    for (const behind of [await run(startModern()), await run(startEverything('sse'))]) {
      const peer = await run(startTlsFront(behind.url, pair));
      expect((await list(peer.url)).error).to.have.property('code', 'tls_untrusted');
      expect((await list(peer.url, { caCertificate: pair.cert })).error).to.equal(undefined);
      expect((await list(peer.url, { verifyTls: false })).error).to.equal(undefined);
    }
  });

  it('sends the headers of the record with every request', async () => {
    const peer = await run(startModern());
    await list(peer.url, { headers: { 'X-Api-Key': 'abc' }, token: 't' });
    expect(peer.seen).to.have.length.above(1);
    for (const { headers } of peer.seen) expect(headers).to.include({ 'x-api-key': 'abc', authorization: 'Bearer t' });
  });
});

describe('MCP: paging', () => {
  it('stops at 50 pages', async () => {
    const found = await list((await run(scripted.startPaging(60))).url);
    expect(found)
      .to.include({ error: undefined })
      .and.to.have.property('truncated')
      .that.matches(/50 pages/);
    expect(found.tools).to.have.length(50);
    const listing = await list((await run(scripted.startPaging(50))).url);
    expect(listing.truncated).to.equal(undefined);
    expect(listing.tools).to.have.length(50);
  });

  it('stops at a repeated cursor', async () => {
    const found = await list((await run(scripted.startCircling())).url);
    expect(found.truncated).to.match(/repeated/);
    expect(found.tools).to.have.length(3);
  });

  it('stops at 2,000 tools', async () => {
    const found = await list((await run(scripted.startManyTools(5000))).url);
    expect(found.truncated).to.match(/2000 tools/);
    expect(found.tools).to.have.length(2000);
    expect((await list((await run(scripted.startManyTools(2000))).url)).truncated).to.equal(undefined);
  });

  it('lists no tools of a server without tools', async () => {
    const peer = await run(
      scripted.startAnswering('tools/list', (response, { id }) =>
        sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }),
      ),
    );
    expect(await list(peer.url)).to.deep.include({ tools: [], error: undefined, authenticated: true });
  });
});

describe('MCP: servers that misbehave', () => {
  const secret = 'tok-0123456789-secret';
  const html = '<!DOCTYPE html><html><body>Welcome</body></html>';
  const cases: [string, () => Promise<scripted.ScriptedPeer>, string, number, Record<string, unknown>?][] = [
    ['401', () => scripted.startRefusing(401, `{"error":"bad ${secret}"}`), 'auth_failed', 401],
    ['403', () => scripted.startRefusing(403, 'no'), 'permission_denied', 403],
    ['404', () => scripted.startRefusing(404, html, { 'content-type': 'text/html' }), 'upstream_error', 404],
    ['400', () => scripted.startRefusing(400, '{"error":{"message":"what?"}}'), 'bad_request', 400],
    ['429', () => scripted.startRefusing(429, '', { 'retry-after': '17' }), 'rate_limited', 429, { retryAfter: 17 }],
    ['500', () => scripted.startRefusing(500, `oops ${secret}`), 'upstream_error', 500],
    ['503', () => scripted.startRefusing(503, '', { 'retry-after': '3' }), 'upstream_error', 503, { retryAfter: 3 }],
    ['a web page', () => scripted.startRefusing(200, html, { 'content-type': 'text/html' }), 'upstream_error', 200],
    [
      'broken JSON',
      () => scripted.startRefusing(200, '{', { 'content-type': 'application/json' }),
      'upstream_error',
      200,
    ],
    [
      'other JSON',
      () => scripted.startRefusing(200, '{"a":1}', { 'content-type': 'application/json' }),
      'upstream_error',
      200,
    ],
    ['a redirect', () => scripted.startRefusing(307, '', { location: 'https://x.invalid/' }), 'upstream_error', 307],
    [
      'a redirect to metadata',
      () => scripted.startRefusing(302, '', { location: 'http://169.254.169.254/' }),
      'blocked_by_policy',
      302,
    ],
    ['9 MiB as JSON', () => scripted.startHuge(9), 'upstream_error', 200],
    ['9 MiB as an event', () => scripted.startHuge(9, true), 'upstream_error', 200],
    ['breaks off in JSON', () => scripted.startBreaking(), 'connection_reset', 200],
    ['breaks off in an event', () => scripted.startBreaking(true), 'connection_reset', 200],
  ];

  for (const [name, start, code, status, more] of cases) {
    it(`${name}: ${code}`, async () => {
      const peer = await run(start());
      const started = performance.now();
      const found = await list(peer.url, { token: secret });
      expect(found.error, JSON.stringify(found)).to.include({ code, ...more });
      expect(found.error?.message).not.to.contain(secret).and.not.to.contain('<');
      expect(found.error?.message.length).to.be.within(10, 400);
      expect(found.httpStatus).to.equal(status);
      expect(found.tools).to.deep.equal([]);
      expect(performance.now() - started, 'does not wait for the deadline').to.be.below(patience(3000));
    });
  }

  it('404 at the root of a server: suggests the usual paths', async () => {
    const peer = await run(scripted.startRefusing(404, 'Not Found'));
    const origin = new URL(peer.url).origin;
    for (const url of [origin, `${origin}/`, `${origin}/?team=x`]) {
      const found = await list(url);
      expect(found.error?.message).to.contain(`Did you mean ${origin}/mcp or ${origin}/sse?`);
      expect(found.error?.message).not.to.contain('team');
    }
    expect((await list(`${origin}/api`)).error?.message).not.to.contain('Perhaps');
  });

  it('no answer: timeout at the deadline', async () => {
    const peer = await run(scripted.startSilent());
    for (const transportHint of ['sse', 'streamable_http'] as const) {
      const started = performance.now();
      const found = await list(peer.url, { ms: 150, transportHint });
      expect(found.error).to.have.property('code', 'timeout');
      expect(found).to.include({ httpStatus: null, reachable: false, authenticated: false });
      expect(performance.now() - started).to.be.within(100, patience(1000));
    }
  });

  it('no answer to tools/list: timeout, but connected', async () => {
    const peer = await run(scripted.startAnswering('tools/list', () => {}));
    const found = await list(peer.url, { ms: 300 });
    expect(found.error).to.have.property('code', 'timeout');
    expect(found).to.include({ reachable: true, authenticated: true, transport: 'streamable_http' });
  });

  it('refused connection, unknown host, unusable address or header: an error, not an exception', async () => {
    expect((await list('http://nothing.invalid/mcp')).error).to.have.property('code', 'dns_failed');
    expect((await list('ftp://127.0.0.1/mcp')).error).to.have.property('code', 'configuration_invalid');
    expect((await list('http://169.254.169.254/mcp')).error).to.have.property('code', 'blocked_by_policy');
    const spoiled = await list('http://127.0.0.1:9/mcp', { token: 'se\ncret' });
    expect(spoiled.error).to.have.property('code', 'configuration_invalid');
    expect(spoiled.error?.message).not.to.contain('cret');
  });

  it('speaks an unknown version: not_supported', async () => {
    const peer = await run(
      scripted.startAnswering('initialize', (response, message) => {
        const result = { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'x', version: '1' } };
        sendJson(response, 200, scripted.rpcResult(message, result));
      }),
    );
    expect((await list(peer.url)).error).to.have.property('code', 'not_supported');
  });

  it('server/discover answers 500: the client initializes instead', async () => {
    const peer = await run(
      scripted.startAnswering('server/discover', (response) => response.writeHead(500).end('unknown method'), [
        scripted.tool('one'),
      ]),
    );
    const found = await list(peer.url);
    expect(found.error).to.equal(undefined);
    expect(found.tools).to.have.length(1);
    expect(peer.log).to.deep.equal([
      'POST server/discover',
      'POST initialize',
      'POST notifications/initialized',
      'POST tools/list',
      'DELETE /mcp',
    ]);
  });

  it('ends an event stream without the answer: connection_reset, before the deadline', async () => {
    const peer = await run(
      scripted.startAnswering('tools/list', (response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
      ),
    );
    const started = performance.now();
    expect((await list(peer.url)).error).to.have.property('code', 'connection_reset');
    expect(performance.now() - started).to.be.below(patience(2000));
  });

  it('resumes an event stream that has ids', async () => {
    let asked: scripted.RpcMessage | undefined;
    const peer = await run(
      scripted.startScripted((request, response, message) => {
        const resumed = request.method === 'GET' && request.headers['last-event-id'] === 'e1';
        if (message?.method !== 'tools/list' && !resumed) return false;
        asked ??= message;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const answer = asked && scripted.rpcResult(asked, { tools: [scripted.tool('late')] });
        response.end(resumed ? `data: ${JSON.stringify(answer)}\n\n` : 'id: e1\nretry: 250\ndata: \n\n');
        return true;
      }),
    );
    const found = await list(peer.url);
    expect(found.error).to.equal(undefined);
    expect(found.tools.map((tool) => tool.name)).to.deep.equal(['late']);
  });

  it('starts over once after a lost session', async () => {
    let lost = 0;
    const peer = await run(
      scripted.startScripted(
        (_request, response, message) => {
          if (message?.method !== 'tools/list' || lost++ > 0) return false;
          response
            .writeHead(404)
            .end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
          return true;
        },
        () => ({ tools: [scripted.tool('one')] }),
      ),
    );
    const found = await list(peer.url);
    expect(found.error).to.equal(undefined);
    expect(found.tools).to.have.length(1);
    expect(peer.log.filter((line) => line === 'POST initialize')).to.have.length(2);
  });

  it('names the request whose answer breaks the protocol', async () => {
    const peer = await run(
      scripted.startScripted(
        () => false,
        () => ({ tools: 'none' }),
      ),
    );
    const { error } = await list(peer.url);
    expect(error).to.have.property('code', 'upstream_error');
    expect(error?.message).to.contain('tools/list');
  });

  it('does not wait long for the end of the session', async () => {
    const peer = await run(
      scripted.startScripted(
        (request) => request.method === 'DELETE',
        () => ({ tools: [scripted.tool('one')] }),
      ),
    );
    const started = performance.now();
    expect((await list(peer.url)).tools).to.have.length(1);
    expect(performance.now() - started).to.be.below(patience(2000));
  });
});

describe('MCP: redirects', () => {
  async function behind(status: number, location: (url: string) => string) {
    const peer = await run(startModern({ modernOnly: true }));
    const seen: string[] = [];
    const front = await run(
      startHttp(async (request, response) => {
        seen.push(`${request.method} ${request.url}`);
        if (!request.url?.startsWith('/mcp/')) {
          response.writeHead(status, { location: location(`http://${request.headers.host}`) }).end();
          return;
        }
        const body = await readBody(request);
        const headers = Object.entries(request.headers).filter(
          ([name]) => !/^(host|connection|content-length)$/.test(name),
        );
        const answer = await fetch(peer.url, { method: 'POST', body, headers: headers as [string, string][] });
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
        response.end(await answer.text());
      }),
    );
    return { url: `${front.url}/mcp`, seen, calls: peer.calls, headers: peer.seen };
  }

  it('follows a 307 and a 308 to the same host once, with body and token', async () => {
    for (const status of [307, 308]) {
      for (const location of [(url: string) => `${url}/mcp/`, () => '/mcp/', () => 'mcp/']) {
        const front = await behind(status, location);
        const found = await list(front.url, { token: 'the-token-of-it' });
        expect([found.error, found.tools.length]).to.deep.equal([undefined, 1]);
        const times = { connectMs: 5000, workMs: 5000 };
        const target = { url: front.url, verifyTls: true, token: 'the-token-of-it', secrets: [] };
        expect((await client.callTool(target, { name: 'echo', arguments: { a: 1 } }, times)).result).to.deep.include({
          structuredContent: { a: 1 },
        });
        expect(front.calls).to.deep.equal(['echo']);
        for (const { headers } of front.headers) expect(headers.authorization).to.equal('Bearer the-token-of-it');
      }
    }
  });

  it('follows no other redirect', async () => {
    const other = await run(scripted.startManyTools(1));
    const cases: [number, (url: string) => string][] = [
      [307, () => other.url],
      [307, (url) => `${url.replace('http:', 'https:')}/mcp/`],
      [308, (url) => `${url.replace('127.0.0.1', 'localhost')}/mcp/`],
      [307, (url) => `${url.replace('http://', 'http://user:word@')}/mcp/`],
      [307, (url) => `${url}/elsewhere`],
      [301, (url) => `${url}/mcp/`],
      [302, (url) => `${url}/mcp/`],
      [303, (url) => `${url}/mcp/`],
    ];
    for (const [status, location] of cases) {
      const front = await behind(status, location);
      const found = await list(front.url, { token: 'the-token-of-it' });
      expect(found.error, `${status} ${location('http://h')}`).to.include({
        code: 'upstream_error',
        httpStatus: status,
      });
      expect(front.seen.filter((line) => line.includes('/mcp/'))).to.deep.equal([]);
    }
    expect(other.log).to.deep.equal([]);
  });
});

describe('MCP: HTTP+SSE servers that misbehave', () => {
  it('an endpoint at another origin gets nothing', async () => {
    const other = await run(scripted.startSilent());
    const peer = await run(scripted.startSse(other.url));
    const found = await list(peer.url.replace('/mcp', '/sse'), { token: 'secret-token' });
    expect(found.error).to.have.property('code', 'blocked_by_policy');
    expect(other.log).to.deep.equal([]);
  });

  it('an endpoint at a metadata address gets nothing', async () => {
    const peer = await run(scripted.startSse('http://169.254.169.254/latest'));
    expect((await list(peer.url, { transportHint: 'sse' })).error).to.have.property('code', 'blocked_by_policy');
  });

  it('a stream that ends or names no endpoint fails before the deadline', async () => {
    const ending = await run(scripted.startSse('/messages', (response) => setTimeout(() => response.end(), 20)));
    expect((await list(`${ending.url}/sse`)).error)
      .to.have.property('code')
      .that.is.oneOf(['connection_reset', 'upstream_error']);
    const mute = await run(scripted.startSse(null));
    const started = performance.now();
    const found = await list(mute.url, { transportHint: 'sse', ms: 1500 });
    expect(found.error).to.have.property('code', 'upstream_error');
    expect(performance.now() - started).to.be.below(patience(1400));
  });

  it('404 at a path ending in /sse: suggests another path', async () => {
    const peer = await run(scripted.startRefusing(404, ''));
    const { error } = await list(peer.url.replace('/mcp', '/v1/sse'));
    expect(error?.message).to.contain('/v1/mcp');
    expect((await list(peer.url)).error?.message).not.to.contain('moved');
  });
});
