import { spawn } from 'node:child_process';
import dns, { type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTls, type Server as TlsServer } from 'node:https';
import { createServer as createTcp, type Server as TcpServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { createOutbound, type OutboundPolicy, type OutboundRequest } from '../../../src/adapters/outbound/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { makeCertificate } from '../../support/peers/certificates.ts';
import { openTunnel } from '../../support/peers/listen.ts';
import { Peers } from '../../support/peers/peers.ts';
import { patience } from '../../support/time.ts';

const SOURCE = new URL('../../../src/', import.meta.url).href;
const hello: RequestListener = (_request, response) => response.end('hello');
const HELLO = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';

describe('outbound: connections are kept alive', () => {
  const { listening, started } = new Peers(afterEach);

  async function start(server: Server | TlsServer | TcpServer) {
    const counted = { port: 0, connections: 0, open: 0 };
    server.on('connection', (socket) => {
      counted.connections += 1;
      counted.open += 1;
      socket.once('close', () => {
        counted.open -= 1;
      });
    });
    counted.port = await listening(server);
    return counted;
  }

  /** A new policy, so that tests share no connections. */
  async function call(url: string, more: Partial<OutboundRequest> = {}, policy: Partial<OutboundPolicy> = {}) {
    using deadline = startDeadline(5000);
    const outbound = createOutbound({ allowPrivate: true, ...policy });
    return await outbound.request({ method: 'GET', url, deadline, verifyTls: true, ...more }).then(
      (answer) => answer.text,
      (error) => error.code as string,
    );
  }

  it('one connection serves calls one after the other, also of a session that was closed', async () => {
    const peer = await start(createServer(hello));
    const url = `http://127.0.0.1:${peer.port}/`;
    for (let index = 0; index < 10; index++) expect(await call(url, { method: 'POST', body: 'x' })).to.equal('hello');
    using deadline = startDeadline(5000);
    const session = createOutbound({ allowPrivate: true }).openSession({ verifyTls: true, deadline });
    expect(await (await session.fetch(url)).text()).to.equal('hello');
    session.close();
    expect(await call(url)).to.equal('hello');
    expect(peer.connections).to.equal(1);
  });

  it('calls at the same time have a connection each, and no more than eight are kept', async () => {
    const peer = await start(
      createServer((_request, response) => void setTimeout(30).then(() => response.end('hello'))),
    );
    const url = `http://127.0.0.1:${peer.port}/`;
    await Promise.all(Array.from({ length: 20 }, () => call(url)));
    expect(peer.connections).to.equal(20);
    await setTimeout(50);
    expect(peer.open).to.equal(8);
  });

  it('of hosts beyond the 64 used last no connection is kept', async () => {
    const peer = await start(createServer(hello));
    await call(`http://127.0.0.1:${peer.port}/`);
    for (let index = 2; index < 68; index++) await call(`http://127.0.0.${index}:9/`);
    await setTimeout(50);
    expect(peer.open).to.equal(0);
    expect(await call(`http://127.0.0.1:${peer.port}/`)).to.equal('hello');
    expect(peer.connections).to.equal(2);
  });

  it('an idle connection is closed after a few seconds', async () => {
    const peer = await start(createServer({ keepAliveTimeout: 60_000 }, hello));
    await call(`http://127.0.0.1:${peer.port}/`);
    expect(peer.open).to.equal(1);
    await setTimeout(4_500);
    expect(peer.open).to.equal(0);
  });

  it('calls that differ in their TLS settings never share a connection', async () => {
    const pair = makeCertificate();
    const peer = await start(createTls(pair, hello));
    const url = `https://127.0.0.1:${peer.port}/`;
    const other = makeCertificate();
    const settings: [Partial<OutboundRequest>, string][] = [
      [{ verifyTls: false }, 'hello'],
      [{ caCertificate: pair.cert }, 'hello'],
      [{ verifyTls: true }, 'tls_untrusted'],
      [{ caCertificate: other.cert }, 'tls_untrusted'],
      [{ caCertificate: pair.cert, keepDefaultAnchors: true }, 'hello'],
      [{ caCertificate: pair.cert, checkHostname: false }, 'hello'],
      [{ caCertificate: pair.cert, clientCertificate: other }, 'hello'],
      [{ verifyTls: true, pinned: () => false }, 'tls_untrusted'],
    ];
    for (const [more, expected] of settings) expect(await call(url, more), JSON.stringify(more)).to.equal(expected);
    expect(peer.connections).to.equal(settings.length);
    for (const [more, expected] of settings) expect(await call(url, more), JSON.stringify(more)).to.equal(expected);
    // The three that were refused have nothing to share.
    expect(peer.connections).to.equal(settings.length + 3);
  });

  it('the address is judged for each new connection, and a stricter policy uses none of a looser one', async () => {
    const peer = await start(createServer(hello));
    const url = `http://changing.example:${peer.port}/`;
    let address = '127.0.0.1';
    const { lookup } = dns;
    dns.lookup = ((_host: string, _options: unknown, done: (error: null, found: LookupAddress[]) => void) =>
      done(null, [{ address, family: 4 }])) as typeof lookup;
    const { syncBuiltinESMExports } = await import('node:module');
    syncBuiltinESMExports();
    try {
      expect(await call(url)).to.equal('hello');
      expect(await call(url, {}, { allowPrivate: false })).to.equal('blocked_by_policy');
      address = '169.254.169.254';
      expect(await call(url), 'the connection that was judged').to.equal('hello');
      expect(await call(url, { verifyTls: false }), 'a new one').to.equal('blocked_by_policy');
      expect(peer.connections).to.equal(1);
    } finally {
      dns.lookup = lookup;
      syncBuiltinESMExports();
    }
  });

  it('a tunnel through a proxy is kept, for the credentials it was made with', async () => {
    const pair = makeCertificate({ names: ['target.invalid'] });
    const target = await start(createTls(pair, hello));
    const proxy = createServer();
    proxy.on('connect', (_request, socket) => openTunnel(socket, target.port));
    const { port } = await start(proxy);
    const through = (password: string) => ({
      proxyUrl: `http://127.0.0.1:${port}`,
      proxyCredentials: async () => ({ username: 'user', password }),
    });
    const trust = { caCertificate: pair.cert };
    for (let index = 0; index < 3; index++)
      expect(await call('https://target.invalid/', trust, through('one'))).to.equal('hello');
    expect(target.connections).to.equal(1);
    expect(await call('https://target.invalid/', trust, through('two'))).to.equal('hello');
    expect(target.connections).to.equal(2);
  });

  it('a call that is given up leaves no CONNECT and no connection behind', async () => {
    const silent = createServer();
    silent.on('connect', (_request, socket) =>
      socket
        .on('error', () => {})
        .on('end', () => socket.end())
        .resume(),
    );
    const proxy = await start(silent);
    const peer = await start(createServer(() => {}));
    for (const [url, policy] of [
      ['https://target.invalid/', { proxyUrl: `http://127.0.0.1:${proxy.port}` }],
      [`http://127.0.0.1:${peer.port}/`, {}],
    ] as const) {
      using deadline = startDeadline(80);
      expect(await call(url, { deadline }, policy)).to.equal('timeout');
    }
    await setTimeout(50);
    expect([proxy.connections, proxy.open, peer.connections, peer.open]).to.deep.equal([1, 0, 1, 0]);
  });

  it('a connection that the server has closed while this process was busy is not used', async () => {
    const code = `
      const { createServer } = require('node:net');
      const answer = ${JSON.stringify(HELLO)};
      const server = createServer((socket) => socket.on('data', () => {
        socket.write(answer);
        setTimeout(() => socket.end(), 10);
      }));
      server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port));`;
    const worker = new Worker(code, { eval: true });
    await started(Promise.resolve({ close: async () => void (await worker.terminate()) }));
    const [port] = await once(worker, 'message');
    for (let index = 0; index < 5; index++) {
      expect(await call(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' })).to.equal('hello');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  });

  it('a request that a kept connection did not carry is repeated once if it changes nothing', async () => {
    let requests = 0;
    const server = createTcp((socket) => {
      let served = 0;
      socket.on('data', () => {
        requests += 1;
        served += 1;
        if (served === 1) socket.write(HELLO);
        else socket.resetAndDestroy();
      });
    });
    const peer = await start(server);
    const url = `http://127.0.0.1:${peer.port}/`;
    expect(await call(url)).to.equal('hello');
    expect(await call(url)).to.equal('hello');
    expect([requests, peer.connections]).to.deep.equal([3, 2]);
    expect(await call(url)).to.equal('hello');
    expect(await call(url, { method: 'POST', body: 'x' }), 'may have been processed').to.equal('connection_reset');
    expect([requests, peer.connections]).to.deep.equal([5, 3]);
  });

  it('a request is not repeated once its answer has begun, nor on a new connection', async () => {
    let requests = 0;
    const server = createTcp((socket) => {
      let served = 0;
      socket.on('data', () => {
        requests += 1;
        served += 1;
        if (served === 1) socket.write(HELLO);
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf', () => socket.resetAndDestroy());
      });
    });
    const peer = await start(server);
    expect(await call(`http://127.0.0.1:${peer.port}/`)).to.equal('hello');
    expect(await call(`http://127.0.0.1:${peer.port}/`)).to.equal('connection_reset');
    expect(requests).to.equal(2);
    const reset = await start(createTcp((socket) => socket.on('data', () => socket.resetAndDestroy())));
    expect(await call(`http://127.0.0.1:${reset.port}/`)).to.equal('connection_reset');
    expect(reset.connections).to.equal(1);
  });

  it('a server that closes kept connections early loses no call', async () => {
    const peer = await start(createServer({ keepAliveTimeout: 1 }, hello));
    for (let index = 0; index < 20; index++) {
      expect(await call(`http://127.0.0.1:${peer.port}/`, { method: 'POST', body: 'x' })).to.equal('hello');
      await setTimeout(index);
    }
  });

  it('keeps no process from ending', async () => {
    const pair = makeCertificate();
    const plain = await start(createServer({ keepAliveTimeout: 60_000 }, hello));
    const tls = await start(createTls({ ...pair, keepAliveTimeout: 60_000 }, hello));
    const script = `
      const { createOutbound } = await import('${SOURCE}adapters/outbound/outbound.ts');
      const { startDeadline } = await import('${SOURCE}domain/async/deadline.ts');
      const outbound = createOutbound({ allowPrivate: true });
      for (const url of process.argv.slice(1)) {
        await outbound.request({ method: 'GET', url, deadline: startDeadline(9000), verifyTls: false });
      }
      process.stdout.write(String(Date.now()));`;
    const urls = [`http://127.0.0.1:${plain.port}/`, `https://127.0.0.1:${tls.port}/`];
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, ...urls]);
    let answered = '';
    child.stdout.on('data', (chunk) => {
      answered += chunk;
    });
    const [exitCode] = await once(child, 'close');
    expect(exitCode).to.equal(0);
    expect(Date.now() - Number(answered)).to.be.below(patience(1000));
    expect([plain.connections, tls.connections]).to.deep.equal([1, 1]);
  });
});
