import { createServer, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { listen } from '../support/peers/listen.ts';
import { eventually } from '../support/time.ts';

const APP = '/servicesNS/nobody/ml_extension';
const CONF = `${APP}/configs/conf-ml_extension`;
const ENTRY = `${APP}/storage/passwords`;
const PASSWORD = 'canary-of-the-proxy';
const LOGIN = `Basic ${Buffer.from(`app:${PASSWORD}`).toString('base64')}`;

describe('the proxy and its credentials', () => {
  let platform: TestPlatform;
  let proxy: { port: number; close(): Promise<void> };
  const asked: [string, string | undefined][] = [];

  before(async () => {
    platform = await startPlatform();
    await platform.createUser('anna', ['ml_admin']);
    await platform.createUser('otto', ['user']);
    const server = createServer((request, response) => answer(request, (status) => response.writeHead(status).end()));
    server.on('connect', (request, socket) => {
      socket.on('error', () => {});
      answer(request, (status) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
    });
    proxy = await listen(server);
    await platform.setConf('outbound', { proxy_url: `http://127.0.0.1:${proxy.port}` });
  });
  after(async () => {
    await proxy.close();
    await platform.dispose();
  });

  /** Goes no further: who asked is what counts. */
  function answer(request: IncomingMessage, send: (status: number) => void): void {
    asked.push([`${request.method} ${request.url}`, request.headers['proxy-authorization']]);
    send(request.headers['proxy-authorization'] === LOGIN ? 503 : 407);
  }

  const test = (scheme = 'https') =>
    platform.ml('anna', 'POST', '/mcp_connection/test', {
      type: 'PLATFORM',
      details: { url: `${scheme}://mcp.example.invalid/mcp` },
    });
  const calls: Record<string, () => Promise<{ text: string }>> = {
    'MCP, https': () => test(),
    'MCP, http': () => test('http'),
    LLM: () =>
      platform.ml('anna', 'POST', '/aicommander_metadata', {
        service: 'General_Chat',
        model: 'm',
        servicesettings: {
          endpoint: { value: 'https://llm.example.invalid/v1' },
          access_token: { value: 'key-of-the-model' },
        },
      }),
    AWS: () =>
      platform.ml('anna', 'POST', '/aicommander_metadata', {
        service: 'Cloud_Model_Hub',
        probe: 'list',
        servicesettings: {
          endpoint: { value: 'https://aws.example.invalid' },
          region: { value: 'us-east-1' },
          cloud_access_key_id: { value: 'AKIAEXAMPLE' },
          cloud_access_token: { value: 'key-of-the-cloud' },
        },
      }),
    Kubernetes: () =>
      platform.ml('anna', 'POST', '/test_container_connection', {
        payload: {
          container_type: 'kubernetes',
          connection_name: 'k',
          cluster_url: 'https://cluster.example.invalid',
          auth_mode: 'user-token',
          user_token: 'token-of-the-cluster',
        },
      }),
  };

  it('without stored credentials it calls the proxy without any and reports its 407', async () => {
    await eventually(async () => (await test()).text.includes('407'), 6000, 'the setting');
    const { json } = await test();
    expect(json).to.include({ success: false, error_code: 'upstream_error' });
    expect(json.data).to.include({ reachable: false, http_status: null });
    expect(json.message).to.match(/^The proxy wants a user name and password \(407\).*ml_extension_proxy/);
    expect(asked.at(-1)).to.deep.equal(['CONNECT mcp.example.invalid:443', undefined]);
  });

  it('with one every client signs in', async () => {
    const form = { realm: 'ml_extension_proxy', name: 'default' };
    const password = JSON.stringify({ username: 'app', password: PASSWORD });
    expect((await platform.admin('POST', ENTRY, { ...form, password })).status).to.equal(201);
    for (const [name, call] of Object.entries(calls)) {
      asked.length = 0;
      const { text } = await call();
      expect(asked.length, `${name}: ${text}`).to.be.greaterThan(0);
      for (const [what, login] of asked) expect(login, `${name}: ${what}`).to.equal(LOGIN);
      expect(text).not.to.contain(PASSWORD);
    }
  });

  it('an invalid entry is reported with its realm and name', async () => {
    const path = `${ENTRY}/ml_extension_proxy:default:`;
    await platform.admin('POST', path, { password: `no JSON, but ${PASSWORD}` });
    const { json, text } = await test();
    expect(json.error_code).to.equal('configuration_invalid');
    expect(json.message).to.match(/realm ml_extension_proxy, name default/);
    expect(text).not.to.contain(PASSWORD);
    await platform.faults({ passwords: 'down' });
    expect((await test()).json.message).to.match(/proxy credentials could not be read/);
    await platform.faults({ passwords: 'ok' });
  });

  it('user name or password in proxy_url: nothing is called', async () => {
    await platform.setConf('outbound', { proxy_url: `http://app:${PASSWORD}@127.0.0.1:${proxy.port}` });
    await eventually(async () => (await test()).text.includes('must not contain'), 6000, 'the setting');
    asked.length = 0;
    for (const [name, call] of Object.entries(calls)) {
      const { text } = await call();
      expect(text, name).to.match(/proxy_url must not contain a user name or password/);
      expect(text).not.to.contain(PASSWORD);
    }
    expect(asked).to.deep.equal([]);
    expect(platform.log()).not.to.contain(PASSWORD);
    expect(platform.output).not.to.contain(PASSWORD);
  });

  it('settings are for administrators alone, whatever the path; the app acts on them all the same', async () => {
    for (const conf of ['ml_extension', 'ml_images']) {
      const paths = [
        `${APP}/configs/conf-${conf}`,
        `/servicesNS/-/-/configs/conf-${conf}`,
        `${APP}/properties/${conf}`,
      ];
      for (const user of ['anna', 'otto']) {
        const callerPaths = [...paths, `/servicesNS/${user}/ml_extension/configs/conf-${conf}`];
        for (const path of callerPaths) {
          const { json, text } = await platform.call(user, 'GET', `${path}?output_mode=json&count=0`);
          expect(json.entry ?? [], `${user} ${path}: ${text}`).to.deep.equal([]);
        }
        for (const path of callerPaths.slice(0, 3)) {
          for (const stanza of ['outbound', 'outbound/proxy_url', 'default', '_new']) {
            const { text } = await platform.call(user, 'GET', `${path}/${stanza}?output_mode=json`);
            expect(text, `${user} ${path}/${stanza}`).not.to.contain(PASSWORD).and.not.to.contain(`:${proxy.port}`);
          }
        }
      }
      const { json } = await platform.admin('GET', `${APP}/configs/conf-${conf}`);
      expect(json.entry, conf).not.to.have.length(0);
    }
    const write = await platform.call('anna', 'POST', `${CONF}/outbound`, 'allow_private=0');
    expect(write.status).to.be.oneOf([403, 404]);
    const images = await platform.ml('anna', 'GET', '/start_container');
    expect(Object.keys(images.json.docker_images)).not.to.have.length(0);
  });
});
