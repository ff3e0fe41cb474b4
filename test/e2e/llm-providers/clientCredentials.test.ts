import { expect } from 'chai';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { type Peer, readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { chat } from '../gateway/gatewayPlatform.ts';

const SECRET = 'client-secret-canary-81f2';
const IDENTITY = { service: 'General_Chat', connection_name: 'gateway', model: 'm' };
const MINUTE = 60_000;

describe('OAuth client credentials, over HTTP', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let login: Peer;
  let models: Peer;
  const issued: string[] = [];
  const revoked = new Set<string>();
  const asked: string[] = [];

  before(async () => {
    login = await startHttp(async (request, response) => {
      const form = new URLSearchParams(await readBody(request));
      if (form.get('client_secret') !== SECRET) return sendJson(response, 401, { error: 'invalid_client' });
      issued.push(`access-token-canary-${issued.length + 1}`);
      sendJson(response, 200, { access_token: issued.at(-1), token_type: 'Bearer', expires_in: 3600 });
    });
    models = await startHttp(async (request, response) => {
      await readBody(request);
      const token = String(request.headers.authorization).replace('Bearer ', '');
      asked.push(token);
      if (!issued.includes(token) || revoked.has(token)) return sendJson(response, 401, { error: { message: token } });
      sendJson(response, 200, { choices: [{ message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }] });
    });
    platform = await startPlatform({ movableClock: true });
    for (const user of ['anna', 'bob']) await platform.createUser(user, ['ml_admin']);
    const oauth = { token_url: `${login.url}/token`, client_id: 'mlx', client_secret: SECRET };
    const servicesettings = { endpoint: { value: `${models.url}/v1` }, oauth: { value: oauth } };
    const saved = await platform.ml('anna', 'POST', '/aicommander', { ...IDENTITY, servicesettings });
    expect(saved.status, saved.text).to.equal(200);
  });
  after(async () => {
    await platform.dispose();
    await Promise.all([login.close(), models.close()]);
  });

  /** 50 calls of both trees and users. */
  async function calls(): Promise<void> {
    for (let wave = 0; wave < 5; wave++) {
      const chats = Array.from({ length: 9 }, (_, index) => chat(platform, index % 2 ? 'anna' : 'bob', 'gateway/m'));
      const test = platform.ml('anna', 'POST', '/aicommander_metadata', IDENTITY);
      const replies = await Promise.all([...chats, test]);
      for (const { status, text } of replies) expect(status, text).to.equal(200);
      expect(replies.at(-1)?.json.success, replies.at(-1)?.text).to.equal(true);
    }
  }

  it('share one token over all processes, renew it once in time, and once when it is refused', async () => {
    await calls();
    expect(platform.drivers('ml_gateway').length).to.be.above(1);
    expect(issued).to.have.length(1);
    platform.advance(49 * MINUTE);
    await calls();
    expect(issued).to.have.length(2);
    revoked.add(String(issued[1]));
    await calls();
    expect(issued).to.have.length(3);
    expect(new Set(asked).size).to.equal(3);
  });

  it('keep secret and tokens in the secret store alone', async () => {
    const secrets = [SECRET, ...issued];
    expect(platform.filesWith(secrets)).to.deep.equal([]);
    for (const secret of secrets) expect(platform.output).to.not.contain(secret);
    const configuration = await platform.ml('admin', 'GET', '/export');
    const audit = await platform.ml('admin', 'GET', '/audit?count=100');
    for (const { text } of [configuration, audit]) for (const secret of secrets) expect(text).to.not.contain(secret);
    const removed = await platform.ml('anna', 'DELETE', '/aicommander/General_Chat/gateway/m');
    expect(removed.status, removed.text).to.equal(200);
    expect(await platform.secretRefs()).to.deep.equal([]);
  });
});
