import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { type Reply, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { label, pathOf, type Row, rows, rowsWithBody } from '../support/e2e/rows.ts';

const SEED = Number(process.env.E2E_SEED ?? 20261120);
const ROUNDS = 60;

/** Always the same numbers for one seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const ODD: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '***MASKED***',
  '../../etc/passwd',
  '%2e%2e%2f',
  '$(id)',
  "' OR 1=1 --",
  '<script>',
  '名前',
  'x'.repeat(5000),
  [],
  [[]],
  {},
  { $ne: null },
  { $gt: '' },
  ['a', 1, null],
  { constructor: { prototype: { polluted: true } } },
];
const KEYS = ['name', 'type', 'details', 'acl', 'description', 'tools_allowed', 'version', '_key', 'secret_ref'];
KEYS.push(
  '__proto__',
  'constructor',
  'toString',
  'payload',
  'model',
  'url',
  'token',
  'headers',
  'perms',
  'read',
  '',
  '.',
);

describe('bad input', () => {
  let platform: TestPlatform;
  let drivers: number[];

  before(async () => {
    platform = await startPlatform();
    await platform.createUser('anna', ['ml_admin']);
    const body = { name: 'here', type: 'ISSUE_TRACKER', details: { url: 'https://mcp.example/', token: 'a-token' } };
    expect((await platform.ml('anna', 'POST', '/mcp_connection', body)).status).to.equal(200);
    await Promise.all([1, 2, 3, 4].map(() => platform.ml('anna', 'GET', '/health')));
    drivers = platform.drivers();
    expect(drivers.length).to.be.greaterThan(0);
  });
  afterEach('no process has ended, none has had a bug', async () => {
    expect(platform.drivers()).to.include.members(drivers);
    expect(platform.log()).to.not.match(/"event":"(bug|uncaught|unhandled)"/);
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined);
    const reply = await platform.ml('anna', 'GET', '/mcp_connection/here');
    expect(reply.status, reply.text).to.equal(200);
  });
  after(() => platform.dispose());

  /** A documented 4xx that names what is wrong. */
  function expectRefused(reply: Reply, what: string): void {
    expect(reply.status, `${what}: ${reply.text.slice(0, 300)}`).to.be.within(400, 499);
    if (reply.json?.error_code !== 'validation_failed') return;
    expect(reply.json.errors, what).to.be.an('array').and.not.have.length(0);
    for (const { field, message } of reply.json.errors) {
      expect(field, what).to.be.a('string').and.not.equal('');
      expect(message, what).to.be.a('string').and.not.equal('');
    }
  }

  /** A row that needs no field of its body has nothing to refuse in one of unknown fields. */
  function expectNotTaken(row: Row, reply: Reply, what: string): void {
    if (row.emptyBody && reply.status === 200) return;
    expectRefused(reply, what);
  }

  describe('bodies', () => {
    it('deep nesting is refused or ignored', async () => {
      const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
      const texts = [
        deep,
        `{"name":${deep}}`,
        `{"details":${deep}}`,
        `{"acl":{"perms":${'['.repeat(9000)}${']'.repeat(9000)}}}`,
      ];
      for (const row of rowsWithBody) {
        for (const text of texts) {
          const reply = await platform.ml('anna', row.method, pathOf(row), text);
          expectNotTaken(row, reply, `${label(row)} ${text.slice(0, 20)}`);
        }
      }
    });
  });

  describe('generated', () => {
    const random = generator(SEED);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

    function value(depth: number): unknown {
      const roll = random();
      if (depth > 3 || roll < 0.6) return pick(ODD);
      if (roll < 0.75) return Array.from({ length: Math.floor(random() * 4) }, () => value(depth + 1));
      return object(depth + 1);
    }
    function object(depth: number): Record<string, unknown> {
      const count = Math.floor(random() * 6);
      return Object.fromEntries(Array.from({ length: count }, () => [pick(KEYS), value(depth)]));
    }
    /** JSON, then perhaps broken at one place. */
    function body(): string | Buffer {
      const text = JSON.stringify(random() < 0.8 ? object(0) : value(0)) ?? '';
      const bytes = Buffer.from(text);
      if (random() < 0.6 || bytes.length === 0) return text;
      const at = Math.floor(random() * bytes.length);
      if (random() < 0.5) return bytes.subarray(0, at);
      bytes[at] = Math.floor(random() * 256);
      return bytes;
    }

    for (const row of rowsWithBody) {
      it(`${label(row)}: ${ROUNDS} bodies (seed ${SEED})`, async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const sent = body();
          const reply = await platform.ml('anna', row.method, pathOf(row), sent);
          expectNotTaken(row, reply, `${label(row)} ${sent.toString().slice(0, 400)}`);
        }
      });
    }

    it(`names in paths (seed ${SEED})`, async () => {
      const pieces = [
        'a',
        'Z',
        '0',
        ' ',
        '%',
        '%%',
        '%00',
        '%zz',
        '%c3%28',
        '%2f',
        '/',
        '..',
        '.',
        '\\',
        '"',
        "'",
        '<',
        '*',
      ];
      pieces.push('%20', '%25', '%E2%80%AE', ';', ':', '~', 'x'.repeat(200), '%0d%0a', '{', '}', '[', '+', '@', '$ne');
      for (const row of rows.filter(({ params }) => params)) {
        for (let round = 0; round < ROUNDS; round += 1) {
          const name = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(pieces)).join('');
          // Nothing but slashes is no name: the path is that of the list.
          if (/^\/*$/.test(name)) continue;
          const path = pathOf(row, name.replaceAll(' ', '%20'));
          const reply = await platform.call('anna', row.method, `/services/ml${path}`);
          expectRefused(reply, `${label(row)} ${path}`);
          expect(reply.status, path).to.be.oneOf([400, 404, 405]);
        }
      }
    });

    it(`queries (seed ${SEED})`, async () => {
      const names = [
        'count',
        'offset',
        'sort_key',
        'sort_dir',
        'search',
        'name',
        'force',
        'output_mode',
        'x',
        '__proto__',
        '',
      ];
      const values = ['', '-1', '0', '1', '1e999', 'NaN', 'null', 'true', '%00', 'a'.repeat(3000), '[]', '{}'];
      values.push('*', '.*', '(', '\\', '%22', '9'.repeat(30), 'name', 'asc', '%F0%9F%98%80', '$ne', 'constructor');
      for (const row of rows.filter(({ method }) => method === 'GET')) {
        for (let round = 0; round < ROUNDS; round += 1) {
          const query = Array.from({ length: 1 + Math.floor(random() * 4) }, () => `${pick(names)}=${pick(values)}`);
          const path = `${pathOf(row)}?${query.join('&')}`;
          const reply = await platform.ml('anna', row.method, path);
          expect(reply.status, path).to.be.oneOf([200, 400, 404]);
          if (reply.status !== 200) expectRefused(reply, path);
        }
      }
    });
  });

  it('broken percent-encoding is the platform’s 400', async () => {
    for (const path of ['?count=%zz', '?x=%', '?search=%ff', '/%zz', '/%', '/a%c3%28']) {
      const reply = await platform.call('anna', 'GET', `/services/ml/mcp_connection${path}`);
      expect(reply.status, path).to.equal(400);
    }
  });

  describe('headers', () => {
    it('credentials of any form: 401', async () => {
      const values = [
        '',
        'Basic',
        'Basic ',
        'Basic !!!',
        `Basic ${btoa('admin')}`,
        `Basic ${btoa(':')}`,
        'Splunk',
        'Splunk ',
      ];
      values.push(
        'Bearer',
        'Bearer a.b.c',
        'Digest x',
        'x'.repeat(8000),
        `Basic ${btoa('admin:wrong')}`,
        'Splunk \u00e9',
      );
      values.push(`Bearer ${btoa('{"alg":"none"}')}.${btoa('{"sub":"admin"}')}.`);
      for (const Authorization of values) {
        const reply = await platform.raw('GET', '/services/ml/mcp_connection', undefined, { Authorization });
        expect(reply.status, Authorization.slice(0, 40)).to.equal(401);
      }
    });

    it('odd lengths and encodings end in 4xx', async () => {
      for (const row of rowsWithBody) {
        const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'multipart/form-data; boundary=x' };
        expectRefused(await platform.ml('anna', row.method, pathOf(row), '--x\r\n\r\n--x--', headers), label(row));
        const chunked = await platform.ml('anna', row.method, pathOf(row), Buffer.from([0x1f, 0x8b, 8, 0]), headers);
        expectRefused(chunked, label(row));
      }
    });

    it('broken HTTP is refused by the platform, which continues', async () => {
      const { port } = new URL(platform.url);
      const send = (text: string) =>
        new Promise<string>((resolve) => {
          const socket = connectTls({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false }, () => {
            socket.end(text);
          });
          let answer = '';
          socket.on('data', (chunk: Buffer) => {
            answer += chunk.toString();
          });
          socket.on('error', () => resolve(answer));
          socket.on('close', () => resolve(answer));
          socket.setTimeout(3000, () => socket.destroy());
        });
      const texts = [
        'GARBAGE\r\n\r\n',
        'GET /services/ml HTTP/9.9\r\n\r\n',
        'POST /services/ml/mcp_connection HTTP/1.1\r\n',
      ];
      texts.push('POST /services/ml/mcp_connection HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n');
      texts.push(
        'POST /services/ml/mcp_connection HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nzz',
      );
      texts.push(`GET /services/ml HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`);
      for (const text of texts) expect(await send(text)).to.match(/^(HTTP\/1\.1 4\d\d |$)/);
    });
  });
});
