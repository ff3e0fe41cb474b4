import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { build } from 'esbuild';
import { project } from '../support/e2e/build.ts';
import { TestPlatform } from '../support/e2e/platform.ts';
import { HEALTH, json, Peer, rejection } from './peer.ts';
import { SplunkWeb, WEB_GLOBALS } from './splunkWeb.ts';

type Client = typeof import('../../client/src/index.ts');

const PREFIX = '/en-US/splunkd/__raw';
const DETAILS = { url: 'https://mcp.example.invalid/mcp' };

describe('typed client in a browser', () => {
  let code: string;
  let platform: TestPlatform;
  let web: SplunkWeb;
  let cookie: string;

  before(async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: ['client/src/index.ts'],
      absWorkingDir: project,
      bundle: true,
      platform: 'browser',
      format: 'iife',
      globalName: 'client',
      target: 'es2022',
      minify: true,
      metafile: true,
      write: false,
    });
    code = outputFiles[0]?.text ?? '';
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
    expect(imports.filter(({ external, path }) => external || !path.startsWith('client/src/'))).to.deep.equal([]);
    platform = await new TestPlatform().start();
    web = await SplunkWeb.start(platform);
  });
  beforeEach(() => {
    web.cookies.formKey = '1111';
    web.peer.calls.length = 0;
    cookie = 'other=1; splunkweb_csrf_token_8000=1111; splunkweb_uid=x';
  });
  after(async () => {
    await web?.peer[Symbol.asyncDispose]();
    await platform?.dispose();
  });

  const load = (globals: object): Client => runInContext(`${code};client`, createContext({ ...globals })) as Client;
  const page = (more: object = {}) => load({ ...web.page(() => cookie), ...more });
  const open = ({ MlExtension }: Client) => new MlExtension({ auth: 'browser', pathPrefix: PREFIX });
  const keysSent = () => web.peer.calls.map(({ headers }) => headers['x-splunk-form-key']);

  it('is small, and uses nothing of Node', () => {
    expect(gzipSync(code).length).to.be.below(8000);
    expect(code).not.to.match(/\bnode:|\brequire\(|\bprocess\.|\bBuffer\b/);
  });

  it('creates, lists, changes and deletes through the proxy of Splunk Web', async () => {
    const client = page();
    const ml = open(client);
    const { config } = await ml.call('createMcpConnection', {
      body: { name: 'from a page', type: 'PLATFORM', details: { ...DETAILS, token: 's3cret' } },
    });
    expect(config.details.token).to.equal('***MASKED***');
    const names = [];
    for await (const { name } of ml.each('listMcpConnections', { query: { search: 'A PAGE' } })) names.push(name);
    expect(names).to.deep.equal(['from a page']);
    const change = (ifMatch: number) =>
      ml.call('updateMcpConnection', { body: { name: 'from a page', description: 'x' }, ifMatch });
    expect((await change(1)).config.version).to.equal(2);
    const stale = await rejection(change(1));
    expect(stale).to.be.instanceOf(client.MlExtensionError).and.to.include({ code: 'version_conflict' });
    const remove = (ifMatch: number) => ml.call('deleteMcpConnection', { params: { name: 'from a page' }, ifMatch });
    expect(await rejection(remove(1))).to.include({ code: 'version_conflict' });
    expect((await remove(2)).name).to.equal('from a page');
    for (const { headers } of web.peer.calls)
      expect(headers).to.include({ 'x-splunk-form-key': '1111', 'x-requested-with': 'XMLHttpRequest' });
  });

  it('takes origin and prefix from the page', async () => {
    const { MlExtension } = page({ $C: { MRSPARKLE_PORT_NUMBER: 8000, SPLUNKD_PATH: PREFIX } });
    expect((await new MlExtension({ auth: 'browser' }).call('getHealth')).status).to.equal('success');
  });

  it("finds the key of its own server among those of the host's other ports", async () => {
    cookie = 'splunkweb_csrf_token_8001=2222; splunkweb_csrf_token_8000=1111; splunkweb_csrf_token_443=3333';
    const flags = { body: { ctsm_opt_out: false } };
    await open(page({ $C: { MRSPARKLE_PORT_NUMBER: '8000' } })).call('setCtsmFeature', flags);
    const secure = { ...web.page(() => cookie), location: { origin: web.peer.url, port: '', protocol: 'https:' } };
    await rejection(open(load(secure)).call('setCtsmFeature', flags));
    await rejection(open(page()).call('setCtsmFeature', flags));
    expect(keysSent()).to.deep.equal(['1111', '3333', undefined]);
  });

  it('retries once with a form key that another tab changed', async () => {
    const ml = open(page());
    const client = web.page(() => cookie).fetch as typeof fetch;
    let hasChanged = false;
    const late: typeof fetch = (...args) => {
      if (!hasChanged) {
        hasChanged = true;
        web.cookies.formKey = '4444';
        cookie = 'splunkweb_csrf_token_8000=4444';
      }
      return client(...args);
    };
    const { MlExtension } = page();
    const body = { name: 'two tabs', type: 'PLATFORM', details: DETAILS } as const;
    await new MlExtension({ auth: 'browser', pathPrefix: PREFIX, fetch: late }).call('createMcpConnection', { body });
    expect(keysSent()).to.deep.equal(['1111', '4444']);
    await ml.call('deleteMcpConnection', { params: { name: 'two tabs' } });
  });

  it('fails once with a wrong form key', async () => {
    const client = page();
    web.cookies.formKey = '5555';
    const error = await rejection(open(client).call('deleteMcpConnection', { params: { name: 'n' } }));
    expect(error).to.include({ name: 'MlExtensionError', status: 401, message: 'CSRF validation failed', tries: 1 });
  });

  it('does not follow the redirect of an expired session', async () => {
    const { session } = web.cookies;
    web.cookies.session = undefined;
    try {
      const error = await rejection(open(page()).call('getHealth'));
      expect(error).to.include({ name: 'TransportError', problem: 'redirect' });
    } finally {
      web.cookies.session = session;
    }
  });

  it('works without a page, with credentials', async () => {
    await using peer = await Peer.start((response) => json(response, HEALTH));
    const options: RequestInit[] = [];
    const send: typeof fetch = (input, init) => {
      options.push(init ?? {});
      return fetch(input, init);
    };
    const { MlExtension } = load({ ...WEB_GLOBALS, fetch: send });
    const ml = new MlExtension({ baseUrl: peer.url, auth: { token: 'the-token' } });
    expect(await ml.call('getHealth')).to.deep.equal(HEALTH);
    expect(peer.calls[0]?.headers).to.include({ authorization: 'Bearer the-token' });
    // Runtimes without cookies reject the option.
    expect(options[0]).not.to.have.property('credentials');
    const error = await rejection(
      new MlExtension({ baseUrl: 'http://127.0.0.1:1', auth: { token: 't' }, retries: 0 }).call('getHealth'),
    );
    expect(error).to.include({ problem: 'network' });
  });
});
