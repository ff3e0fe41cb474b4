import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { RIGHTS_REASONS, STORE_REASONS } from '../../../src/contract/codes/reasons.ts';
import { block, start } from '../../driver/driver.ts';
import { request } from '../../driver/peer.ts';
import { expectStatus, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { listen } from '../../support/peers/listen.ts';

/** Longer than a password may be, so stored in parts. */
const SECRET = 'a-long-secret'.repeat(40);

interface Answer {
  status: number;
  /** Reason phrase of the status line. */
  phrase?: string;
  text: string;
}

/** A change of an answer on its way to the app. */
type Change = (path: string, answer: Answer) => Answer;

const unchanged: Change = (_, answer) => answer;
/** Changes the content of each entry of a feed. */
const entriesWith =
  (endpoint: string, put: (content: Record<string, unknown>) => void): Change =>
  (path, { status, text }) => {
    if (!path.includes(endpoint) || status !== 200) return { status, text };
    const feed = JSON.parse(text);
    for (const { content } of feed.entry) put(content);
    return { status, text: JSON.stringify(feed) };
  };

describe('an app whose platform answers as others do', function () {
  this.timeout(60_000);
  let platform: TestPlatform;
  let front: { port: number; close(): Promise<void> };
  let driver: ReturnType<typeof start>;
  let key: string;
  let change = unchanged;
  let told: string[];
  let peer: { port: number; close(): Promise<void> };
  /** Authorization of each call that reached the server. */
  const sent: (string | undefined)[] = [];

  const forward = async (message: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const { host: _host, connection: _connection, ...headers } = message.headers as Record<string, string>;
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const { status, text } = await platform.raw(message.method ?? 'GET', message.url ?? '', body, headers);
    const answer = change(message.url ?? '', { status, text });
    response.writeHead(answer.status, answer.phrase, { 'content-type': 'application/json' }).end(answer.text);
  };

  before(async () => {
    platform = await startPlatform();
    key = await platform.sessionKey('admin');
    front = await listen(createServer((message, response) => void forward(message, response)));
    peer = await listen(
      createServer(({ headers }, response) => {
        sent.push(headers.authorization);
        response.writeHead(401).end();
      }),
    );
    driver = start({ SPLUNK_HOME: platform.home });
    told = [];
    const details = { url: `http://127.0.0.1:${peer.port}/mcp`, token: SECRET };
    const saved = await platform.ml('admin', 'POST', '/mcp_connection', { name: 'docs', type: 'PLATFORM', details });
    expectStatus(saved, 200, 'connection');
  });
  afterEach(() => {
    change = unchanged;
  });
  after(async () => {
    await driver.end();
    await Promise.all([front.close(), peer.close()]);
    await platform.dispose();
  });

  async function call(method: string, path: string, body?: object) {
    const server = { rest_uri: `http://127.0.0.1:${front.port}`, servername: 'a' };
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const session = { user: 'admin', authtoken: key };
    const asked = block({ method, rest_path: `/ml${path}`, server, session, system_authtoken: key, ...payload });
    driver.write(request(asked));
    told = await driver.frames(told.length + 2);
    return JSON.parse(told.at(-1) ?? '');
  }
  const testDocs = () => call('POST', '/mcp_connection/test', { name: 'docs' });

  it('sends the stored secret where passwords are in the clear', async () => {
    const { payload } = await testDocs();
    expect([payload.status, payload.error_code]).to.deep.equal(['fail', 'auth_failed']);
    expect(sent).to.include(`Bearer ${SECRET}`);
    expect((await call('GET', '/health')).payload).to.include({ secrets: 'ready' });
  });

  const masks: Record<string, (content: Record<string, unknown>) => void> = {
    masked: (content) => Object.assign(content, { clear_password: '********' }),
    missing: (content) => delete content.clear_password,
  };
  for (const [what, put] of Object.entries(masks)) {
    it(`names the setting where clear passwords are ${what}, and sends nothing`, async () => {
      change = entriesWith('/storage/passwords', put);
      const before = sent.length;
      const { message, remedy } = STORE_REASONS.password_masked;
      const { status, payload, headers } = await testDocs();
      expect([status, payload.error_code]).to.deep.equal([503, 'store_unavailable']);
      expect(payload).to.include({ message, remedy, reason: 'password_masked', should_retry: false });
      expect(Object.fromEntries(headers)).not.to.have.property('Retry-After');
      expect(message).to.include('view_cleartext_allowlist');
      expect(sent).to.have.length(before);
      const health = (await call('GET', '/health')).payload;
      expect(health).to.include({ store: 'ready', secrets: 'unavailable', reason: 'password_masked', message, remedy });
    });
  }

  it('reads the state of the KV store from the status line, too', async () => {
    const phrase = 'Unsupported Operation - KVStore disabled on instance';
    change = (path, answer) => (path.includes('/storage/collections/') ? { status: 500, phrase, text: '' } : answer);
    const { status, payload } = await call('GET', '/mcp_connection');
    expect([status, payload.reason]).to.deep.equal([503, 'kvstore_disabled']);
  });

  it('blames itself for a query that the KV store refuses', async () => {
    const text = '{"messages":[{"type":"ERROR","text":"The provided query was invalid."}]}';
    change = (path, answer) => (path.includes('/ml_mcp_connections') ? { status: 400, text } : answer);
    const { status, payload } = await call('GET', '/mcp_connection');
    expect([status, payload.error_code]).to.deep.equal([500, 'internal_error']);
    expect(payload.request_id).to.be.a('string').and.not.equal('');
    expect(payload.remedy).not.to.match(/try again/i);
    expect(payload).not.to.have.property('retry_after');
  });

  it('says that the platform is Splunk Free, which gives administrators no capabilities either', async () => {
    const paths: string[] = [];
    const withoutRights = entriesWith('/current-context', (content) => Object.assign(content, { capabilities: [] }));
    const free = entriesWith('/server/info', (content) => Object.assign(content, { isFree: true }));
    change = (path, answer) => {
      paths.push(path);
      return free(path, withoutRights(path, answer));
    };
    const { status, payload } = await testDocs();
    expect([status, payload.error_code, payload.reason]).to.deep.equal([403, 'missing_capability', 'splunk_free']);
    expect(payload.remedy).to.equal(RIGHTS_REASONS.splunk_free.remedy);
    expect(paths.filter((path) => path.includes('/server/info'))).to.have.length(1);
    expect((await call('GET', '/health')).status).to.equal(200);
    expect(paths.filter((path) => path.includes('/server/info'))).to.have.length(1);
  });
});
