import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTls } from 'node:https';
import { expect } from 'chai';
import { awsModels } from '../../../src/adapters/aws/models.ts';
import { createMcpClient } from '../../../src/adapters/mcp/mcpClient.ts';
import { createOutbound } from '../../../src/adapters/outbound/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { makeCertificate } from '../../support/peers/certificates.ts';
import { listen, openTunnel, startHttp } from '../../support/peers/listen.ts';

interface Proxy {
  url: string;
  asked: string[];
  credentials: (string | undefined)[];
  close(): Promise<void>;
}

/** Forwards plain requests and tunnels; every target name leads to `port`. */
async function startProxy(port: number, mode: 'works' | 'silent' | 'refuses' | 'echoes' = 'works'): Promise<Proxy> {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const note = (request: IncomingMessage): void => {
    asked.push(`${request.method} ${request.url}`);
    credentials.push(request.headers['proxy-authorization']);
  };
  const server = createServer((request, response) => {
    note(request);
    const credentials = request.headers['proxy-authorization'] ?? '';
    if (mode === 'refuses') response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end(credentials);
    else if (mode === 'echoes') {
      const text = Buffer.from(credentials.slice('Basic '.length), 'base64').toString('utf8');
      response.writeHead(502).end(`${credentials} ${text} \u00ff`);
    } else response.end('from the proxy');
  });
  server.on('connect', (request, socket) => {
    note(request);
    socket.on('error', () => {});
    if (mode === 'silent') return;
    if (mode === 'refuses') {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    openTunnel(socket, port);
  });
  const { port: serverPort, close } = await listen(server);
  return { url: `http://127.0.0.1:${serverPort}`, asked, credentials, close };
}

describe('outbound: through a proxy', () => {
  const pair = makeCertificate({ names: ['target.invalid'] });
  let target: Awaited<ReturnType<typeof listen>>;
  let proxy: Proxy | undefined;
  const CREDENTIALS = { username: 'us@er', password: 'päss:word' };
  let credentials: typeof CREDENTIALS | undefined;
  let reads = 0;

  beforeEach(async () => {
    credentials = CREDENTIALS;
    reads = 0;
    target = await listen(createTls(pair, (_request, response) => response.end('from the target')));
  });
  afterEach(async () => {
    await Promise.all([target.close(), proxy?.close()]);
  });

  async function get(url: string, noProxy: string[] = [], allowPrivate = true, ms = 5000): Promise<string> {
    const proxyCredentials = async () => {
      reads += 1;
      return credentials;
    };
    const outbound = createOutbound({ allowPrivate, proxyUrl: proxy?.url, noProxy, proxyCredentials });
    using deadline = startDeadline(ms);
    return await outbound.request({ method: 'GET', url, deadline, verifyTls: true, caCertificate: pair.cert }).then(
      (answer) => answer.text,
      (error) => `${error.code}: ${error.message}`,
    );
  }

  const basic = `Basic ${Buffer.from('us@er:päss:word').toString('base64')}`;

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

  it('asks for the credentials only on the way through the proxy, and does without where there are none', async () => {
    proxy = await startProxy(target.port);
    await get('http://target.invalid/', ['.invalid']);
    await get(`https://127.0.0.1:${target.port}/`);
    expect(reads).to.equal(0);
    credentials = undefined;
    expect(await get('https://target.invalid/x')).to.equal('from the target');
    expect(await get('http://target.invalid/x')).to.equal('from the proxy');
    expect(proxy.credentials).to.deep.equal([undefined, undefined]);
    expect(reads).to.equal(2);
  });

  it('reports 407 as a refusal of the proxy, and where its credentials are stored', async () => {
    proxy = await startProxy(target.port, 'refuses');
    for (const url of ['https://target.invalid/', 'http://target.invalid/']) {
      credentials = CREDENTIALS;
      expect(await get(url)).to.match(/^upstream_error: The proxy wants other credentials \(407\).*ml_extension_proxy/);
      credentials = undefined;
      expect(await get(url)).to.match(/^upstream_error: The proxy wants a user name and password \(407\)/);
    }
  });

  it('a 407 that a server sends on its own is an answer like any other', async () => {
    const server = await startHttp((_request, response) => response.writeHead(407).end('mine'));
    expect(await get(server.url)).to.equal('mine');
    await server.close();
  });

  it('redacts its credentials in answers of the proxy', async () => {
    proxy = await startProxy(target.port, 'echoes');
    expect(await get('http://target.invalid/')).to.equal('Basic [redacted] us@er:[redacted] ÿ');
  });

  it('refuses credentials in the address for every call, and credentials that are none', async () => {
    const real = await startProxy(target.port);
    proxy = { ...real, url: real.url.replace('//', '//user:canary@') };
    for (const url of ['https://target.invalid/', 'http://target.invalid/', `https://127.0.0.1:${target.port}/`]) {
      const message = await get(url);
      expect(message).to.match(/^configuration_invalid: .*proxy_url must not contain a user name or password/);
      expect(message).not.to.contain('canary');
    }
    expect(real.asked).to.deep.equal([]);
  });

  it('serves MCP and AWS as well', async () => {
    proxy = await startProxy(target.port);
    const policy = { allowPrivate: true, proxyUrl: proxy.url, proxyCredentials: async () => CREDENTIALS };
    using deadline = startDeadline(5000);
    const trust = { verifyTls: true, caCertificate: pair.cert };
    const mcp = createMcpClient(createOutbound(policy));
    const bearer = { token: 'token', secrets: ['token'] };
    const found = await mcp.probe({ url: 'https://target.invalid/mcp', ...bearer, ...trust }, deadline);
    expect(found.reachable).to.equal(true);
    const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' };
    const access = { region: 'us-east-1', keys, endpoint: 'https://target.invalid', attempts: 1, ...trust };
    const error = await awsModels({ conf: {}, env: {}, policy })
      .list(access, deadline)
      .catch((reason) => reason);
    expect(error).to.have.property('httpStatus', 200);
    expect(new Set(proxy.credentials)).to.deep.equal(new Set([basic]));
    expect(new Set(proxy.asked)).to.deep.equal(new Set(['CONNECT target.invalid:443']));
  });

  it('reports a proxy that refuses or says nothing', async () => {
    proxy = await startProxy(target.port, 'refuses');
    expect(await get('https://target.invalid/')).to.match(/^upstream_error: The proxy wants other credentials/);
    await proxy.close();
    proxy = await startProxy(target.port, 'silent');
    expect(await get('https://target.invalid/', [], true, 80)).to.match(/^timeout/);
    await proxy.close();
    for (const url of ['https://target.invalid/', 'http://target.invalid/']) {
      expect(await get(url)).to.equal('connection_refused: The proxy refused the connection or cannot be reached');
    }
    proxy = { ...proxy, url: 'http://proxy.invalid:3128' };
    for (const url of ['https://target.invalid/', 'http://target.invalid/']) {
      expect(await get(url)).to.equal('dns_failed: The host name of the proxy could not be resolved');
    }
  });
});
