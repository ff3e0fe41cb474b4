import { once } from 'node:events';
import { expect } from 'chai';
import { type ClientOptions, MlExtension, MlExtensionError, TransportError } from '../../client/src/index.ts';
import { HEALTH, json, Peer, refusal, rejection } from './peer.ts';

const CREATE = {
  body: { name: 'n', type: 'PLATFORM', details: { url: 'https://x.example', token: 's3cret' } },
} as const;

async function failed(peer: Peer, options: Partial<ClientOptions> = {}): Promise<TransportError> {
  const error = await rejection(peer.client(options).call('getHealth'));
  expect(error).to.be.instanceOf(TransportError);
  return error as TransportError;
}

const html = (text: string) => `<!doctype html><html><head><title> ${text} </title></head><body>no</body></html>`;

describe('typed client: the end of a call', () => {
  it('times out without an answer', async () => {
    await using peer = await Peer.start(() => undefined);
    const error = await failed(peer, { timeoutMs: 50 });
    expect(error).to.include({ problem: 'timeout', message: 'No answer within 50 ms', mayBeDone: true, tries: 1 });
    expect(error.operation).to.equal('getHealth');
  });

  it('times out in the middle of an answer', async () => {
    await using peer = await Peer.start((response) => response.write('{"status": "succ'));
    expect(await failed(peer, { timeoutMs: 100 })).to.include({ problem: 'timeout' });
  });

  it('prefers the time limit of the call to that of the client', async () => {
    await using peer = await Peer.start(() => undefined);
    const error = await rejection(peer.client({ timeoutMs: Infinity }).call('getHealth', {}, { timeoutMs: 20 }));
    expect(error).to.include({ name: 'TransportError', message: 'No answer within 20 ms' });
    expect(await rejection(peer.client().call('getHealth', {}, { timeoutMs: Number.NaN }))).to.be.instanceOf(
      RangeError,
    );
  });

  it('rejects with the reason of an abort', async () => {
    const { promise: both, resolve } = Promise.withResolvers<void>();
    await using peer = await Peer.start((_, __, number) => number === 2 && resolve());
    const [usual, callSignal] = [new AbortController(), new AbortController()];
    const reason = { why: 'the page was left' };
    const ends = [usual, callSignal].map(({ signal }) => rejection(peer.client().call('getHealth', {}, { signal })));
    await both;
    usual.abort();
    callSignal.abort(reason);
    const [first, second] = await Promise.all(ends);
    expect(first).to.include({ name: 'AbortError' });
    expect(second).to.equal(reason);
  });

  const begun = () =>
    new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{')) }));
  const DEAF: [string, typeof fetch][] = [
    ['before', () => new Promise(() => undefined)],
    ['in the middle of', async () => begun()],
  ];
  for (const [when, deaf] of DEAF) {
    it(`an abort ${when} the answer, with a fetch that does not listen`, async () => {
      const aborting = new AbortController();
      const ml = new MlExtension({ baseUrl: 'http://deaf', auth: { token: 't' }, fetch: deaf });
      const end = rejection(ml.call('getHealth', {}, { signal: aborting.signal }));
      setTimeout(() => aborting.abort(), 20);
      expect(await end).to.equal(aborting.signal.reason);
    });
  }

  it('sends nothing when aborted before', async () => {
    await using peer = await Peer.start((response) => json(response, HEALTH));
    const signal = AbortSignal.abort();
    expect(await rejection(peer.client().call('getHealth', {}, { signal }))).to.equal(signal.reason);
    expect(peer.calls).to.deep.equal([]);
  });

  it('removes its listeners from the signal', async () => {
    await using peer = await Peer.start((response) => json(response, HEALTH));
    const { signal } = new AbortController();
    let listeners = 0;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    for (let n = 0; n < 3; n += 1) await peer.client().call('getHealth', {}, { signal });
    expect(listeners).to.equal(0);
  });
});

describe('typed client: faulty servers', () => {
  it('reports a refused connection as not sent', async () => {
    const peer = await Peer.start(() => undefined);
    const ml = peer.client();
    await peer[Symbol.asyncDispose]();
    const error = await rejection(ml.call('createMcpConnection', CREATE));
    expect(error).to.include({ problem: 'network', mayBeDone: false, isTransient: true, status: undefined });
    expect((error as Error).message).to.match(/^The connection to http:\/\/127\.0\.0\.1:\d+ failed: ECONNREFUSED$/);
  });

  it('reports a connection lost before the answer as possibly done', async () => {
    await using peer = await Peer.start((response) => response.destroy());
    const error = await rejection(peer.client().call('createMcpConnection', CREATE));
    expect(error).to.include({ problem: 'network', mayBeDone: true });
  });

  it('reports a connection lost during the answer', async () => {
    await using peer = await Peer.start((response) => {
      response.writeHead(200, { 'Content-Length': '1000' }).write('{"status": "success"', () => response.destroy());
    });
    expect(await failed(peer)).to.include({ problem: 'cut_off', status: 200, mayBeDone: true });
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`does not follow a ${status} to another host`, async () => {
      await using other = await Peer.start((response) => json(response, HEALTH));
      await using peer = await Peer.start((response) =>
        response.writeHead(status, { Location: `${other.url}/elsewhere` }).end(),
      );
      const error = await rejection(peer.client().call('createMcpConnection', CREATE));
      expect(error).to.include({ problem: 'redirect', status });
      expect((error as Error).message).to.include(`redirects this call to ${other.url},`);
      expect(other.calls).to.deep.equal([]);
    });
  }

  it('reports invalid, followed and opaque redirects', async () => {
    await using peer = await Peer.start((response) => response.writeHead(302, { Location: 'http://[' }).end());
    expect((await failed(peer)).message).to.match(/redirects this call, which the app never does$/);
    const following: typeof fetch = async () =>
      Object.defineProperty(Response.json(HEALTH), 'redirected', { value: true });
    expect(await failed(peer, { fetch: following })).to.include({ problem: 'redirect' });
    // A redirect that a browser did not follow.
    const hidden = {
      type: 'opaqueredirect',
      status: 0,
      url: '',
      headers: new Headers(),
      redirected: false,
      body: null,
    };
    const hiding = (async () => hidden) as unknown as typeof fetch;
    expect(await failed(peer, { fetch: hiding })).to.include({ problem: 'redirect', status: undefined });
  });

  it('distinguishes the page of a proxy from an error of the app', async () => {
    await using peer = await Peer.start((response) =>
      response.writeHead(502, { 'Content-Type': 'text/html' }).end(html('502 Bad Gateway')),
    );
    const error = await failed(peer);
    expect(error).to.include({ problem: 'unexpected_answer', status: 502, isTransient: true });
    expect(error.message).to.include('answered 502 with an HTML page, “502 Bad Gateway”:');
  });

  const ANSWERS: [string, number, string, string][] = [
    ['a login page with status 200', 200, html('Log in'), 'an HTML page, “Log in”'],
    ['a page without a title', 200, '<html></html>', 'an HTML page'],
    ['broken JSON', 200, '{"status": "success", "ver', 'broken JSON'],
    ['nothing', 200, '', 'nothing'],
    ['text', 200, 'OK', 'text that is not JSON'],
    ["another program's JSON", 200, '{"ok": true}', 'other JSON'],
    ['a list', 200, '[{"status": "success"}]', 'other JSON'],
    ['null', 200, 'null', 'other JSON'],
    ["another program's refusal", 403, '{"message": "Forbidden"}', 'other JSON'],
    ['an error with status 200', 200, JSON.stringify({ messages: [] }), 'other JSON'],
    ['another success status', 201, JSON.stringify(HEALTH), 'other JSON'],
  ];
  it('takes answers in the formats of OpenAI and MCP from the rows that have them, and from no other', async () => {
    const models = { object: 'list', data: [] };
    const tools = { jsonrpc: '2.0', id: 1, result: { tools: [] } } as const;
    await using peer = await Peer.start((response, { path }) => json(response, path.includes('/mcp') ? tools : models));
    const client = peer.client();
    expect(await client.call('listGatewayModels')).to.deep.equal(models);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as const;
    expect(await client.call('serveMcp', { body: message })).to.deep.equal(tools);
    expect(await failed(peer)).to.include({ problem: 'unexpected_answer', status: 200 });
  });

  for (const [what, status, text, expected] of ANSWERS) {
    it(`rejects ${what} as an answer`, async () => {
      await using peer = await Peer.start((response) =>
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(text),
      );
      const error = await failed(peer);
      expect(error).to.include({ problem: 'unexpected_answer', status, isTransient: false });
      expect(error.message).to.include(`answered ${status} with ${expected}: this is not`);
    });
  }

  it('reads JSON with any content type', async () => {
    await using peer = await Peer.start((response) => json(response, HEALTH, 200, { 'Content-Type': 'text/html' }));
    expect(await peer.client().call('getHealth')).to.deep.equal(HEALTH);
  });

  it('aborts an endless answer', async () => {
    let hasLeft: Promise<unknown> | undefined;
    await using peer = await Peer.start((response) => {
      hasLeft = once(response, 'close');
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    const error = await failed(peer, { maxReplyBytes: 1_000_000 });
    expect(error).to.include({ problem: 'too_large', status: 200 });
    expect(error.message).to.equal('The answer has more than 1000000 bytes: ask for less');
    await hasLeft;
  });

  it('does not read an answer with too large a Content-Length', async () => {
    await using peer = await Peer.start((response) => response.writeHead(200, { 'Content-Length': '2000' }).write('{'));
    expect(await failed(peer, { maxReplyBytes: 1000 })).to.include({ problem: 'too_large' });
  });

  it('joins characters split between chunks', async () => {
    const bytes = Buffer.from(JSON.stringify({ ...HEALTH, version: 'é€😀' }));
    await using peer = await Peer.start(async (response) => {
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
      response.end();
    });
    expect((await peer.client().call('getHealth')).version).to.equal('é€😀');
  });

  it('reads code, remedy, fields and request id of an error', async () => {
    const body = refusal('version_conflict', { current_version: 7 });
    await using peer = await Peer.start((response) => json(response, body, 409));
    const error = await rejection(peer.client().call('updateMcpConnection', { body: { name: 'n' }, ifMatch: 3 }));
    expect(error).to.be.instanceOf(MlExtensionError);
    expect(error).to.deep.include({
      name: 'MlExtensionError',
      operation: 'updateMcpConnection',
      message: 'the message of version_conflict',
      status: 409,
      code: 'version_conflict',
      remedy: 'what to do',
      requestId: 'the-request',
      errors: [],
      tries: 1,
      body,
    });
  });
});

describe('typed client: requests', () => {
  const make = (options: Partial<ClientOptions>) => () =>
    new MlExtension({ baseUrl: 'https://h', auth: { token: 't' }, ...options });

  it('refuses invalid credentials without quoting them', () => {
    for (const secret of ['s3cret\n', 's3cret\r\nX-Evil: 1', 's3\0cret', 's3cret€', '']) {
      for (const auth of [{ token: secret }, { sessionKey: secret }]) {
        const refused = expect(make({ auth })).to.throw(TypeError, 'holds characters that no header can carry');
        refused.and.to.have.property('message').that.does.not.include('s3');
      }
    }
    expect(make({ auth: { username: 'jürgen', password: 'pä:ss\nword' } })).not.to.throw();
  });

  it('refuses an invalid URL', () => {
    for (const baseUrl of ['', 'h:8089', 'localhost', 'ftp://h', 'file:///etc']) {
      expect(make({ baseUrl }), baseUrl).to.throw(TypeError, 'baseUrl must');
    }
    expect(make({ baseUrl: 'https://admin:s3cret@h' })).to.throw(TypeError, /^baseUrl must not hold credentials[^3]+$/);
    expect(() => new MlExtension({ auth: { token: 't' } })).to.throw(TypeError, 'baseUrl must be a URL');
    expect(() => new MlExtension({ auth: 'browser' })).to.throw(TypeError, 'baseUrl must be a URL');
  });

  it('accepts a path prefix as an option or in the URL', async () => {
    await using peer = await Peer.start((response) => json(response, HEALTH));
    const paths = [
      { pathPrefix: '/en-US/splunkd/__raw' },
      { pathPrefix: 'en-US/splunkd/__raw/' },
      { baseUrl: `${peer.url}/en-US/splunkd/__raw/` },
      { baseUrl: `${peer.url}/elsewhere`, pathPrefix: '/en-US/splunkd/__raw' },
    ];
    for (const options of paths) await peer.client(options).call('getHealth');
    await peer.client({ owner: 'a/b' }).call('getHealth');
    expect(peer.calls.map(({ path }) => path)).to.deep.equal([
      ...Array(4).fill('/en-US/splunkd/__raw/servicesNS/nobody/ml_extension/ml/health'),
      '/servicesNS/a%2Fb/ml_extension/ml/health',
    ]);
  });

  it('refuses names that would change the path', async () => {
    await using peer = await Peer.start((response) => json(response, HEALTH));
    const ml = peer.client();
    for (const name of ['', '.', '..', '../agents/x', 'a/../../agents', 'a/.']) {
      const error = await rejection(ml.call('deleteMcpConnection', { params: { name } }));
      expect(error, name).to.be.instanceOf(TypeError);
    }
    expect(peer.calls).to.deep.equal([]);
    await ml.call('deleteMcpConnection', { params: { name: 'a b?c#d%e@f' } });
    const params = { service: 'Local_Runtime', connection_name: 'c', model: 'org/model:7b' } as const;
    await ml.call('getLlmConfiguration', { params });
    expect(peer.calls.map(({ path }) => path.slice('/servicesNS/nobody/ml_extension'.length))).to.deep.equal([
      '/ml/mcp_connection/a%20b%3Fc%23d%25e%40f',
      '/ml/aicommander/Local_Runtime/c/org/model%3A7b',
    ]);
  });

  it('sends bodies, conditions and defined query parameters', async () => {
    await using peer = await Peer.start((response) => json(response, HEALTH));
    const ml = peer.client({ auth: { username: 'jürgen', password: 'ß' } });
    await ml.call('updateMcpConnection', { body: { name: 'n' }, ifMatch: 3 });
    await ml.call('listMcpConnections', { query: { search: 'ü & ?' } });
    const [update, list] = peer.calls;
    expect(update?.headers).to.include({
      authorization: `Basic ${Buffer.from('jürgen:ß').toString('base64')}`,
      'content-type': 'application/json',
      'if-match': '3',
    });
    expect(JSON.parse(update?.body ?? '')).to.deep.equal({ name: 'n' });
    expect(list?.headers).not.to.have.any.keys('content-type', 'if-match', 'x-splunk-form-key', 'x-requested-with');
    expect(Object.fromEntries(list?.query ?? [])).to.deep.equal({ search: 'ü & ?', output_mode: 'json' });
  });
});
