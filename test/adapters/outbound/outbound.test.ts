import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createOutbound, type OutboundRequest } from '../../../src/adapters/outbound/outbound.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { rejection } from '../../support/fault.ts';
import { type Peer, readBody, startHttp } from '../../support/peers/listen.ts';
import { Peers } from '../../support/peers/peers.ts';

const outbound = createOutbound({ allowPrivate: true });

const failure = (work: Promise<unknown>) => rejection(work, OutboundError);

async function get(url: string, more: Partial<OutboundRequest> = {}, through = outbound) {
  using deadline = startDeadline(5000);
  return await through.request({ method: 'GET', url, deadline, verifyTls: true, ...more });
}

describe('outbound: calls', () => {
  const { started } = new Peers(afterEach);
  const start = (...args: Parameters<typeof startHttp>): Promise<Peer> => started(startHttp(...args));

  it('sends method, headers and body, and gives every status back', async () => {
    const peer = await start(async (request, response) => {
      const body = await readBody(request);
      response.writeHead(418, { 'x-one': '1', 'set-cookie': ['a=1', 'b=2'] });
      response.end(`${request.method} ${request.headers['content-type']} ${request.headers['user-agent']} ${body}`);
    });
    const headers = { 'content-type': 'application/json' };
    const answer = await get(peer.url, { method: 'POST', headers, body: '{"a":"ü"}' });
    expect(answer.status).to.equal(418);
    expect(answer.text).to.equal('POST application/json ml_extension {"a":"ü"}');
    expect(answer.headers['set-cookie']).to.equal('a=1, b=2');
  });

  it('leaves a byte order mark out of the text', async () => {
    const peer = await start((_, response) => response.end('\uFEFF{"a":1}'));
    expect((await get(peer.url)).text).to.equal('{"a":1}');
  });

  it('is intercepted by nock', async () => {
    // Importing it patches http for the whole process: only here, and taken back at the end.
    const { default: nock } = await import('nock');
    if (!nock.isActive()) nock.activate();
    nock('https://api.example').get('/v1').reply(200, { ok: true });
    try {
      expect((await get('https://api.example/v1')).text).to.equal('{"ok":true}');
    } finally {
      nock.cleanAll();
      nock.restore();
    }
  });

  it('refuses addresses that are not plain http(s)', async () => {
    for (const url of [
      'file:///etc/passwd',
      'http://u:p@127.0.0.1/',
      'http://127.0.0.1\\x',
      'data:text/plain,x',
      '/x',
    ]) {
      expect(await failure(get(url)), url).to.have.property('code', 'configuration_invalid');
    }
  });

  it('refuses link-local and metadata addresses as literals of any notation', async () => {
    const urls = [
      'http://169.254.169.254/',
      'http://[fe80::1]/',
      'http://0xa9fea9fe/',
      'http://2852039166/',
      'http://[::ffff:169.254.169.254]/',
    ];
    for (const url of urls) expect(await failure(get(url)), url).to.have.property('code', 'blocked_by_policy');
  });

  it('closes loopback with allowPrivate false, also behind a name', async () => {
    const closed = createOutbound({ allowPrivate: false });
    const peer = await start((_request, response) => response.end('no'));
    expect(await failure(get(peer.url, {}, closed))).to.have.property('code', 'blocked_by_policy');
    const named = peer.url.replace('127.0.0.1', 'localhost');
    expect(await failure(get(named, {}, closed))).to.have.property('code', 'blocked_by_policy');
    expect((await get(named)).text).to.equal('no');
  });

  it('follows no redirect and names only the host of its target', async () => {
    const target = { location: 'https://other.invalid/path?token=secret' };
    const peer = await start((request, response) => {
      const location = request.url === '/meta' ? { location: 'http://169.254.169.254/latest' } : target;
      response.writeHead(302, location).end();
    });
    const error = await failure(get(`${peer.url}/`));
    expect(error).to.include({ code: 'upstream_error', httpStatus: 302 });
    expect(error.message).to.contain('other.invalid').and.not.to.contain('secret');
    expect(await failure(get(`${peer.url}/meta`))).to.have.property('code', 'blocked_by_policy');
  });

  it('limits the unpacked size of an answer', async () => {
    const peer = await start((request, response) => {
      const zipped = request.url === '/zip';
      const body = Buffer.alloc(3 * 1024 * 1024, 'x');
      response.writeHead(200, zipped ? { 'content-encoding': 'gzip' } : {}).end(zipped ? gzipSync(body) : body);
    });
    for (const path of ['/', '/zip']) {
      const error = await failure(get(peer.url + path, { maxBytes: 1024 * 1024 }));
      expect(error.code).to.equal('upstream_error');
      expect(error.message).to.contain('1 MiB');
    }
    expect((await get(`${peer.url}/zip`)).body).to.have.length(3 * 1024 * 1024);
  });

  it('ignores the proxy variables of the environment', async () => {
    const peer = await start((_request, response) => response.end('direct'));
    process.env.HTTP_PROXY = process.env.http_proxy = 'http://127.0.0.1:1';
    try {
      expect((await get(peer.url)).text).to.equal('direct');
    } finally {
      delete process.env.HTTP_PROXY;
      delete process.env.http_proxy;
    }
  });
});

describe('outbound: fetch', () => {
  const { serve } = new Peers(afterEach);

  it("streams an answer, reuses its socket and honours the caller's signal", async () => {
    const sockets = new Set<unknown>();
    const url = await serve((request, response) => {
      sockets.add(request.socket);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      if (request.url === '/end') response.end('data: 2\n\n');
    });
    using deadline = startDeadline(5000);
    const session = outbound.openSession({ verifyTls: true, deadline });
    expect(await (await session.fetch(`${url}/end`)).text()).to.equal('data: 1\n\ndata: 2\n\n');
    const stop = new AbortController();
    const endless = await session.fetch(url, { signal: stop.signal });
    expect(sockets).to.have.property('size', 1);
    const reader = (endless.body as ReadableStream<Uint8Array>).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).to.equal('data: 1\n\n');
    const pending = reader.read().catch((error) => error.name);
    stop.abort();
    expect(await pending).to.equal('AbortError');
    session.close();
  });

  it('sends nothing for a caller who gives up before the request is sent', async () => {
    let calls = 0;
    const url = await serve(() => {
      calls += 1;
    });
    using deadline = startDeadline(5000);
    const session = outbound.openSession({ verifyTls: true, deadline });
    const stop = new AbortController();
    const pending = session.fetch(url, { signal: stop.signal }).catch((error) => error.name);
    stop.abort();
    expect(await pending).to.equal('AbortError');
    expect(calls).to.equal(0);
    session.close();
  });

  it('measures each event of an event stream, not the stream', async () => {
    const event = `data: ${'x'.repeat(600 * 1024)}\n\n`;
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(request.url === '/one' ? event.trimEnd() + event : event.repeat(4));
    });
    using deadline = startDeadline(5000);
    const failures: string[] = [];
    const session = outbound.openSession({
      verifyTls: true,
      deadline,
      maxBytes: 1024 * 1024,
      onFailure: (error) => failures.push(error.code),
    });
    expect(await (await session.fetch(url)).text()).to.have.length(event.length * 4);
    const error = await failure((await session.fetch(`${url}/one`)).text());
    expect(error.code).to.equal('upstream_error');
    expect(failures).to.deep.equal(['upstream_error']);
    session.close();
  });
});
