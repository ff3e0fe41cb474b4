import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { assert } from 'chai';
import { createApp } from '../../src/apps/apps.ts';
import { Identity } from '../../src/identity/identity.ts';
import { startWebSide, type WebSide, type WebSideOptions } from '../../src/web/server.ts';
import { eventually, until } from '../support/patience.ts';
import { temporaryFolder, writeFiles } from '../support/platform.ts';
import { Browser } from '../support/web.ts';

const TIMEOUT_MS = 400;
const PASSWORD = 'ada-of-tests';

const WEB_CONF = `
[expose:things]
pattern = things
methods = GET, POST

[expose:below]
pattern = things/**
methods = GET, POST, PUT, DELETE

[expose:one_level]
pattern = levels/*/end
[expose:prefix]
pattern = made-*/x.y
methods = get,delete
`;

interface Arrived {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** The proxy in front of a management port that records requests. */
describe('the proxy of the web side', () => {
  let folder: string;
  let identity: Identity;
  let upstream: Server;
  let options: WebSideOptions;
  let web: WebSide;
  let browser: Browser;
  let arrived: Arrived[] = [];
  let answer: RequestListener;
  let management: string;

  before(async () => {
    folder = temporaryFolder();
    writeFiles(join(folder, 'app'), { 'default/web.conf': WEB_CONF });
    mkdirSync(join(folder, 'system'));
    const app = createApp('things', join(folder, 'app'));
    const system = createApp('system', join(folder, 'system'));
    const apps = () => [app, system];
    identity = new Identity(join(folder, 'auth'), apps);
    await identity.users.create('ada', PASSWORD, { roles: ['user'] });
    upstream = createServer((message, response) => {
      response.setHeader('Content-Type', 'application/json; charset=UTF-8');
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('error', () => {});
      message.on('end', () => {
        const { method = '', url = '', headers } = message;
        arrived.push({ method, url, headers, body: Buffer.concat(chunks) });
        answer(message, response);
      });
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    management = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    options = {
      port: 0,
      timeoutMs: TIMEOUT_MS,
      host: '127.0.0.1',
      apps,
      mainApp: undefined,
      identity,
      management: () => management,
      tls: undefined,
      log: { write: () => {} },
    };
    web = await startWebSide(options);
    browser = new Browser(web.url);
    await browser.login('ada', PASSWORD);
  });
  beforeEach(() => {
    arrived = [];
    answer = (_message, response) => response.end('{}');
  });
  after(async () => {
    await web.close();
    upstream.closeAllConnections();
    upstream.close();
    identity.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const last = (): Arrived => {
    const found = arrived.at(-1);
    assert.isDefined(found, 'nothing arrived');
    return found as Arrived;
  };

  /** A busy machine stalls all ends of a call, which are in this process, for longer than the short timeout. */
  async function withUsualTimeout(use: (side: WebSide) => Promise<void>): Promise<void> {
    const { timeoutMs: _, ...usual } = options;
    const side = await startWebSide(usual);
    try {
      await use(side);
    } finally {
      await side.close();
    }
  }

  it('forwards only exposed paths, in both trees', async () => {
    const cases: [string, string, boolean][] = [
      ['GET', '/services/things', true],
      ['GET', '/servicesNS/nobody/things/things', true],
      ['GET', '/servicesNS/-/-/things/', true],
      ['POST', '/services/things', true],
      ['PUT', '/services/things', false],
      ['PUT', '/services/things/', false],
      ['DELETE', '/services/things', false],
      ['PUT', '/services/things/a/b', true],
      ['DELETE', '/services/things/a%2Fb', true],
      ['PATCH', '/services/things/a', false],
      ['OPTIONS', '/services/things/a', false],
      ['HEAD', '/services/things/a', false],
      ['GET', '/services/thing', false],
      ['GET', '/services/thingsx', false],
      ['GET', '/services/x/things', false],
      ['GET', '/services/levels/1/end', true],
      ['POST', '/services/levels/1/end', false],
      ['GET', '/services/levels/1/2/end', false],
      ['GET', '/services/levels/1%2F2/end', true],
      ['GET', '/services/levels%2F1%2Fend', false],
      ['GET', '/services/made-up/x.y', true],
      ['DELETE', '/services/made-up/x.y', true],
      ['GET', '/services/made-up/xzy', false],
      ['GET', '/services/authentication/current-context', true],
      ['POST', '/services/authentication/current-context', false],
      ['GET', '/services/authorization/roles', true],
      ['PUT', '/services/authorization/roles/admin', false],
      ['POST', '/servicesNS/nobody/things/configs/conf-things/flags', true],
      ['DELETE', '/servicesNS/nobody/things/configs/conf-things/flags', true],
      ['PUT', '/servicesNS/nobody/things/configs/conf-things/flags', false],
      ['GET', '/services/configs/other', false],
      ['GET', '/services/messages', true],
      ['POST', '/services/search/jobs', true],
      ['GET', '/services/search/jobs/1.2/results', true],
      ['GET', '/services/search/v2/jobs', false],
      ['PUT', '/services/storage/passwords', false],
      ['GET', '/services/kvstore/status', false],
      ['GET', '/services', false],
      ['GET', '/services/', false],
      ['GET', '/servicesNS/nobody', false],
      ['GET', '/servicesNS/nobody/things', false],
      ['GET', '/things', false],
      ['GET', '/services/things/../storage/passwords', false],
      ['GET', '/services/things/%2e%2e/storage/passwords', false],
      ['GET', '/services/things/..%2f..%2fstorage/passwords', false],
      ['GET', '/services/things/..%5c..%5cstorage', false],
      ['GET', '/servicesNS/../things/things', false],
      ['GET', '/services//things', false],
      ['GET', '/services/things//a', false],
      ['GET', '/services/things/./a', false],
    ];
    for (const [method, path, exposed] of cases) {
      arrived = [];
      const { status, text } = await browser.raw(method, path);
      assert.strictEqual(status, exposed ? 200 : 404, `${method} ${path}`);
      assert.strictEqual(arrived.length, exposed ? 1 : 0, `${method} ${path}`);
      if (exposed) assert.deepEqual([last().method, last().url], [method, path.replaceAll('%', '%25')]);
      else if (method !== 'HEAD') assert.match(text, new RegExp(`No web\\.conf exposes this path to ${method}`));
    }
    // A double-encoded `..` is a name.
    await browser.raw('GET', '/services/things/%252e%252e');
    assert.strictEqual(last().url, '/services/things/%25252e%25252e');
    assert.strictEqual((await browser.raw('GET', '/services/things/%zz')).status, 400);
  });

  it('requires the form key of the session for everything except reading', async () => {
    const other = new Browser(web.url);
    await other.login('ada', PASSWORD);
    const cookie = `splunkweb_csrf_token_${web.port}`;
    const withCookie = (value: string) => new Browser(web.url, new Map([...browser.cookies, [cookie, value]]));
    const formKey = browser.formKey;
    const without = new Browser(web.url, new Map([...browser.cookies].filter(([name]) => name !== cookie)));
    const key = (value: string) => ({ 'X-Splunk-Form-Key': value });
    const attempts: [string, Browser, Record<string, string>][] = [
      ['none', browser, key('')],
      ['a wrong one', browser, key(formKey.replace(/^./, (char) => (char === '0' ? '1' : '0')))],
      ['that of another session', browser, key(other.formKey)],
      ['cookie and header of another session', withCookie(other.formKey), key(other.formKey)],
      ['a made-up pair', withCookie('a'.repeat(64)), key('a'.repeat(64))],
      ['no cookie', without, key(formKey)],
      ['a cookie of another session', withCookie(other.formKey), key(formKey)],
      ['no session', new Browser(web.url, new Map([[cookie, formKey]])), key(formKey)],
    ];
    for (const method of ['POST', 'PUT', 'DELETE']) {
      for (const [what, from, headers] of attempts) {
        const reply = await from.raw(method, '/services/things/a', { headers });
        assert.strictEqual(reply.status, 401, `${method} with ${what}`);
        assert.deepEqual(reply.json.messages, [{ type: 'ERROR', text: 'CSRF validation failed' }]);
      }
      assert.strictEqual((await browser.raw(method, '/services/things/a')).status, 200);
    }
    assert.strictEqual(arrived.length, 3);
    assert.strictEqual((await browser.raw('GET', '/services/things/a', { headers: key('') })).status, 200);
  });

  it('forwards only the session, the type and the length as headers', async () => {
    const headers = {
      Authorization: 'Basic YWRtaW46YWRtaW4=',
      'If-Match': '"3"',
      'If-None-Match': '"3"',
      'X-Requested-With': 'XMLHttpRequest',
      'Accept-Language': 'de',
      'X-Made-Up': '1',
      Range: 'bytes=0-1',
    };
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', '{"a":1}'],
      ['PUT', '{"a":1}'],
      ['DELETE', undefined],
    ] as const) {
      const init = body === undefined ? { headers } : { headers: { ...headers, 'Content-Type': 'text/plain' }, body };
      await browser.raw(method, '/services/things/a', init);
      const { host: _host, connection: _connection, authorization, ...rest } = last().headers;
      assert.match(String(authorization), /^Splunk [\w-]{64}$/);
      assert.notInclude(String(authorization), browser.sessionKey);
      const ofBody = { 'content-type': 'application/json', 'content-length': '7' };
      assert.deepEqual(rest, body === undefined ? {} : ofBody, method);
    }
  });

  it('re-encodes forms, and forwards any other body unchanged as JSON', async () => {
    const form = 'application/x-www-form-urlencoded; charset=UTF-8';
    const post = async (type: string, body: string | Buffer, method = 'POST') => {
      await browser.raw(method, '/services/things/a', { headers: { 'Content-Type': type }, body });
      return [last().headers['content-type'], last().body.toString(), last().headers['content-length']];
    };
    const plain = 'application/x-www-form-urlencoded';
    assert.deepEqual(await post(form, 'a=1&b=%C3%A4+b&a=2&c'), [plain, 'a=1&b=%C3%A4+b&a=2&c=', '21']);
    assert.deepEqual(await post(form, 'x=a%2fb%20c', 'PUT'), [plain, 'x=a%2Fb+c', '9']);
    // JSON with a form's content type is re-encoded as a form, as in Splunk Web.
    assert.deepEqual((await post(form, '{"a":1}')).slice(0, 2), [plain, '%7B%22a%22%3A1%7D=']);
    assert.deepEqual(await post('application/json', '{"a" : 1}'), ['application/json', '{"a" : 1}', '9']);
    const multipart = 'multipart/form-data; boundary=x';
    assert.deepEqual(await post(multipart, '--x--', 'PUT'), ['application/json', '--x--', '5']);
    const bytes = randomBytes(3_000_000);
    await post('application/octet-stream', bytes);
    assert.isTrue(last().body.equals(bytes));
    await browser.raw('POST', '/services/things/a');
    assert.deepEqual([last().headers['content-length'], last().body.length], ['0', 0]);
    const chunked = { 'Transfer-Encoding': 'chunked', 'Content-Type': 'application/json' };
    await browser.raw('PUT', '/services/things/a', { headers: chunked, body: '{"b":2}' });
    assert.strictEqual(last().body.toString(), '{"b":2}');
  });

  it('drops the body of a DELETE', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '7' };
    assert.strictEqual((await browser.raw('DELETE', '/services/things/a', { headers, body: '{"a":1}' })).status, 200);
    assert.strictEqual(last().body.length, 0);
    assert.isUndefined(last().headers['content-type']);
    // The rest of the body is not parsed as a request.
    assert.strictEqual((await browser.raw('GET', '/services/things/b')).status, 200);
    assert.strictEqual(arrived.length, 2);
  });

  it("forwards the query except Splunk Web's own arguments", async () => {
    const url = async (query: string) => {
      await browser.raw('GET', `/services/things${query}`);
      return last().url.slice('/services/things'.length);
    };
    assert.strictEqual(await url('?a=1&_=17&b=%20x+y&oid=3&c'), '?a=1&b=%20x+y&c');
    assert.strictEqual(await url('?_=17'), '');
    assert.strictEqual(await url('?%5F=17&_&oid'), '');
    assert.strictEqual(await url('?__=1&oids=2&x_=3&%zz=4'), '?__=1&oids=2&x_=3&%zz=4');
    assert.strictEqual(await url('?a=1?b'), '?a=1?b');
    assert.strictEqual(await url('?'), '');
  });

  it('returns status, headers and body unchanged', async () => {
    answer = (_message, response) => {
      response.writeHead(418, 'Some reason', [
        ...['Content-Type', 'application/json; charset=UTF-8'],
        ...['X-Request-Id', 'abc', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Retry-After', '3'],
        ...['Location', '/services/things/new', 'Cache-Control', 'no-store, max-age=0'],
      ]);
      response.end('{"error": "ä"}');
    };
    const reply = await browser.raw('POST', '/services/things');
    assert.strictEqual(reply.status, 418);
    assert.strictEqual(reply.text, '{"error": "ä"}');
    assert.include(reply.headers, {
      'content-type': 'application/json; charset=UTF-8',
      'x-request-id': 'abc',
      'retry-after': '3',
      location: '/services/things/new',
      'cache-control': 'no-store, max-age=0',
    });
    assert.includeMembers(reply.headers['set-cookie'] ?? [], ['a=1', 'b=2']);
  });

  it('makes an answer without Content-Type an error page', async () => {
    for (const status of [200, 204, 404]) {
      answer = (_message, response) => {
        response.removeHeader('Content-Type');
        response.writeHead(status).end(status === 204 ? undefined : 'plain');
      };
      const reply = await browser.raw('GET', '/services/things/a');
      assert.strictEqual(reply.status, 500, `${status}`);
      assert.match(String(reply.headers['content-type']), /^text\/html/);
      assert.include(reply.text, 'The answer of splunkd has no Content-Type.');
    }
  });

  it('quotes the path a second time, but not the query', async () => {
    for (const [sent, received] of [
      ['a%20b', 'a%2520b'],
      ['a%2Fb', 'a%252Fb'],
      ['a:b+c@d!', 'a%3Ab%2Bc%40d%21'],
      ['~a.b_c-d', '~a.b_c-d'],
    ]) {
      await browser.raw('GET', `/services/things/${sent}?q=${sent}`);
      assert.strictEqual(last().url, `/services/things/${received}?q=${sent}`);
    }
  });

  it('forwards a large reply completely', async () => {
    const bytes = randomBytes(16_000_000);
    answer = (_message, response) => response.end(bytes);
    await withUsualTimeout(async (side) => {
      const other = new Browser(side.url);
      await other.login('ada', PASSWORD);
      const { bytes: got } = await other.raw('GET', '/services/things');
      const hash = (data: Buffer) => createHash('sha256').update(data).digest('hex');
      assert.strictEqual(hash(got), hash(bytes));
    });
  });

  it('does not cut off the end of a reply that the browser reads after the timeout', async () => {
    answer = ({ url = '' }, response) => response.end(Buffer.alloc(Number(url.split('?')[1])));
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const readLate = async (size: number): Promise<string> => {
      const path = `/en-US/splunkd/__raw/services/things?${size}`;
      const outgoing = request({ port: web.port, path, headers: { Cookie: cookie }, agent: false }).end();
      const [reader] = (await once(outgoing, 'response')) as [IncomingMessage];
      reader.pause();
      await new Promise((resolve) => setTimeout(resolve, 2 * TIMEOUT_MS));
      return new Promise((resolve) => {
        reader.on('error', (error) => resolve(`${size}: ${error.message}`));
        reader.on('end', () => resolve('complete'));
        reader.resume();
      });
    };
    // With some of these sizes only the end is left, in the proxy, when the buffers of the system are full.
    const sizes = Array.from({ length: 25 }, (_, index) => 4_000_000 + index * 80_000);
    // Few at a time: on a busy machine many transfers keep each other waiting for longer than the timeout.
    for (let first = 0; first < sizes.length; first += 5) {
      const ends = await Promise.all(sizes.slice(first, first + 5).map(readLate));
      assert.deepEqual([...new Set(ends)], ['complete']);
    }
  });

  it('applies backpressure to a reply, and aborts it when the browser disconnects', async () => {
    const part = Buffer.alloc(1_000_000);
    let megabytes = 0;
    let closed = false;
    answer = (_message, response) => {
      response.on('close', () => {
        closed = true;
      });
      const more = () => {
        while (!response.destroyed && megabytes < 400) {
          megabytes += 1;
          if (!response.write(part)) return response.once('drain', more);
        }
        return response.end();
      };
      more();
    };
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const path = '/en-US/splunkd/__raw/services/things';
    const [reader] = (await once(
      request({ port: web.port, path, headers: { Cookie: cookie }, agent: false }).end(),
      'response',
    )) as [IncomingMessage];
    reader.on('error', () => {});
    reader.pause();
    // Longer than the timeout, which does not apply to a slow browser.
    let before = -1;
    await until(
      () => new Promise<number>((resolve) => setTimeout(() => resolve(megabytes), TIMEOUT_MS + 200)),
      (now) => {
        const stands = now === before;
        before = now;
        return stands;
      },
      20_000,
    );
    assert.isBelow(megabytes, 200, 'megabytes that were taken from the management side and are kept somewhere');
    assert.isFalse(closed);
    reader.destroy();
    await eventually(() => closed);
  });

  it('answers 504 after the timeout and aborts the call', async () => {
    let closed = false;
    answer = (_message, response) => {
      response.on('close', () => {
        closed = true;
      });
    };
    const reply = await browser.raw('POST', '/services/things/a?b=c', { body: '{}' });
    assert.strictEqual(reply.status, 504);
    assert.deepEqual(reply.json.messages, [
      {
        type: 'ERROR',
        text: "Splunkd daemon is not responding: ('Error connecting to /services/things/a: The read operation timed out',)",
      },
    ]);
    await eventually(() => closed);
  });

  it('aborts a call when the browser disconnects', async () => {
    let closed = false;
    answer = (_message, response) => {
      response.on('close', () => {
        closed = true;
      });
    };
    await withUsualTimeout(async (side) => {
      const path = '/en-US/splunkd/__raw/services/things';
      const abandoned = request({ port: side.port, path, agent: false }).on('error', () => {});
      abandoned.end();
      await eventually(() => arrived.length === 1);
      assert.isFalse(closed);
      abandoned.destroy();
      await eventually(() => closed);
    });
  });

  it('resets the connection when a reply stops half way', async () => {
    answer = (_message, response) => {
      response.write('half');
    };
    const failure = await browser.raw('GET', '/services/things').catch((error: Error) => error);
    assert.instanceOf(failure, Error);
    answer = (_message, response) => {
      response.write('half', () => response.destroy());
    };
    assert.instanceOf(await browser.raw('GET', '/services/things').catch((error: Error) => error), Error);
  });

  it('does not time out while a reply or a body arrives in pieces', async () => {
    answer = (_message, response) => {
      let left = 6;
      const more = () => {
        left -= 1;
        if (left === 0) response.end('.');
        else response.write('.', () => setTimeout(more, TIMEOUT_MS / 3));
      };
      more();
    };
    assert.strictEqual((await browser.raw('GET', '/services/things')).text, '......');
    answer = (_message, response) => response.end('{}');
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { Cookie: cookie, 'X-Splunk-Form-Key': browser.formKey, 'Content-Length': '6' };
    const path = '/en-US/splunkd/__raw/services/things';
    const slow = request({ port: web.port, method: 'POST', path, headers, agent: false });
    const answered = once(slow, 'response');
    for (let left = 6; left > 0; left -= 1) {
      slow.write('1');
      await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS / 3));
    }
    slow.end();
    const [reply] = (await answered) as [IncomingMessage];
    assert.strictEqual(reply.statusCode, 200);
    assert.strictEqual(last().body.toString(), '111111');
    reply.resume();
  });

  it('reports an unreachable management port', async () => {
    const before = management;
    const closed = createServer();
    closed.listen(0, '127.0.0.1');
    await once(closed, 'listening');
    management = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    closed.close();
    await once(closed, 'close');
    try {
      const reply = await browser.raw('GET', '/services/things');
      assert.strictEqual(reply.status, 503);
      assert.match(reply.json.messages[0].text, /^Splunkd daemon is not responding/);
    } finally {
      management = before;
    }
  });

  it('lets pages only read if web.conf says so', async () => {
    writeFiles(join(folder, 'system'), { 'local/web.conf': '[settings]\nenable_proxy_write = false\n' });
    try {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const reply = await browser.raw(method, '/services/things/a');
        assert.deepEqual([reply.status, reply.headers.allow], [405, 'GET']);
      }
      assert.strictEqual((await browser.raw('GET', '/services/things/a')).status, 200);
    } finally {
      rmSync(join(folder, 'system/local'), { recursive: true });
    }
    assert.strictEqual((await browser.raw('POST', '/services/things/a')).status, 200);
  });

  it('survives bytes that are not HTTP', async () => {
    const socket = connect(web.port, '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    assert.match(text, /^HTTP\/1\.1 400 /);
    assert.strictEqual((await browser.raw('GET', '/services/things')).status, 200);
  });
});
