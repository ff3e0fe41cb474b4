import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTls } from 'node:https';
import { connect } from 'node:net';
import { expect } from 'chai';
import { createOutbound } from '../../../src/adapters/outbound/outbound.ts';
import { startDeadline } from '../../../src/domain/deadline.ts';
import { makeCertificate } from '../../support/peers/certificates.ts';
import { listen } from '../../support/peers/listen.ts';

interface Proxy {
  url: string;
  asked: string[];
  credentials: (string | undefined)[];
  close(): Promise<void>;
}

/** Forwards plain requests and tunnels; every target name leads to `port`. */
async function startProxy(port: number, mode: 'works' | 'silent' | 'refuses' = 'works'): Promise<Proxy> {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const note = (request: IncomingMessage): void => {
    asked.push(`${request.method} ${request.url}`);
    credentials.push(request.headers['proxy-authorization']);
  };
  const server = createServer((request, response) => {
    note(request);
    response.end('from the proxy');
  });
  server.on('connect', (request, socket) => {
    note(request);
    socket.on('error', () => {});
    if (mode === 'silent') return;
    if (mode === 'refuses') {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  const { port: own, close } = await listen(server);
  return { url: `http://us%40er:pass@127.0.0.1:${own}`, asked, credentials, close };
}

describe('outbound: through a proxy', () => {
  const pair = makeCertificate({ names: ['target.invalid'] });
  let target: Awaited<ReturnType<typeof listen>>;
  let proxy: Proxy | undefined;

  beforeEach(async () => {
    target = await listen(createTls(pair, (_request, response) => response.end('from the target')));
  });
  afterEach(async () => {
    await Promise.all([target.close(), proxy?.close()]);
  });

  async function get(url: string, noProxy: string[] = [], allowPrivate = true, ms = 5000): Promise<string> {
    const outbound = createOutbound({ allowPrivate, proxyUrl: proxy?.url, noProxy });
    using deadline = startDeadline(ms);
    return await outbound.request({ method: 'GET', url, deadline, verifyTls: true, caCertificate: pair.cert }).then(
      (answer) => answer.text,
      (error) => `${error.code}: ${error.message}`,
    );
  }

  const basic = `Basic ${Buffer.from('us@er:pass').toString('base64')}`;

  it('tunnels https with the credentials of the proxy, and leaves TLS to the target', async () => {
    proxy = await startProxy(target.port);
    expect(await get('https://target.invalid/x')).to.equal('from the target');
    expect(proxy.asked).to.deep.equal(['CONNECT target.invalid:443']);
    expect(proxy.credentials).to.deep.equal([basic]);
    expect(await get('https://another.invalid/x')).to.match(/^tls_hostname_mismatch/);
  });

  it("hands plain http over, also with private addresses closed: the proxy is the administrator's", async () => {
    proxy = await startProxy(target.port);
    expect(await get('http://target.invalid/x', [], false)).to.equal('from the proxy');
    expect(proxy.asked).to.deep.equal(['GET http://target.invalid/x']);
    expect(proxy.credentials).to.deep.equal([basic]);
  });

  it('judges the target although the proxy would connect', async () => {
    proxy = await startProxy(target.port);
    expect(await get('http://169.254.169.254/latest')).to.match(/^blocked_by_policy/);
    expect(await get('https://10.1.2.3/', [], false)).to.match(/^blocked_by_policy/);
    expect(proxy.asked).to.deep.equal([]);
  });

  it('goes around it for no_proxy and loopback', async () => {
    proxy = await startProxy(target.port);
    expect(await get('http://target.invalid/', ['.invalid'])).to.match(/^dns_failed/);
    expect(await get(`https://127.0.0.1:${target.port}/`)).to.match(/^tls_hostname_mismatch/);
    expect(proxy.asked).to.deep.equal([]);
  });

  it('reports a proxy that refuses or says nothing', async () => {
    proxy = await startProxy(target.port, 'refuses');
    expect(await get('https://target.invalid/')).to.match(/^upstream_error: The proxy wants other credentials/);
    await proxy.close();
    proxy = await startProxy(target.port, 'silent');
    expect(await get('https://target.invalid/', [], true, 80)).to.match(/^timeout/);
    await proxy.close();
    expect(await get('https://target.invalid/')).to.match(/^connection_refused/);
  });
});
