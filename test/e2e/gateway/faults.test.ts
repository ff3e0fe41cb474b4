import type { RequestListener, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { expectStatus, type Reply, type TestPlatform } from '../../support/e2e/platform.ts';
import { readBody, sendJson } from '../../support/peers/listen.ts';
import { endless, Peers } from '../../support/peers/peers.ts';
import { eventually } from '../../support/time.ts';
import { chat, completionOf, configure, gatewayPlatform, MOUNT } from './gatewayPlatform.ts';

const CANARY = 'sk-cAnArY-of-the-provider-4e1d7';
/** After so long, drivers have read changed settings. */
const SETTINGS_MS = 5500;
const fails = (status: number, body: object, headers?: Record<string, string>): RequestListener => {
  return (_, response) => sendJson(response, status, body, headers);
};

/** Name -> what an upstream does, and the reply: status, code, whether to try again, calls to the upstream, Retry-After. */
const FAULTS: Record<string, [RequestListener, number, string, string, number, string?]> = {
  hangs: [() => {}, 504, 'timeout', 'false', 1],
  redirects: [
    (_, response) => response.writeHead(307, { location: `http://example.com/${CANARY}` }).end(),
    502,
    'upstream_error',
    'true',
    1,
  ],
  html: [
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Sign in</body></html>'),
    502,
    'upstream_error',
    'true',
    1,
  ],
  half: [
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"choices":[{"index":0,"message":{"role":"assistant","content":"he');
      setTimeout(20).then(() => response.destroy());
    },
    502,
    'connection_reset',
    'true',
    1,
  ],
  cuts: [(request) => request.socket.destroy(), 502, 'connection_reset', 'true', 2],
  errorInside: [fails(200, { error: { message: `Bad key ${CANARY}` } }), 502, 'upstream_error', 'true', 1],
  limited: [fails(429, { error: { message: 'slow down' } }), 429, 'rate_limited', 'true', 1],
  limitedLong: [fails(429, {}, { 'retry-after': '600' }), 429, 'rate_limited', 'true', 1, '60'],
  limitedShort: [fails(429, {}, { 'retry-after': '1' }), 429, 'rate_limited', 'true', 2, '1'],
  unauthorised: [fails(401, { error: { message: `Wrong key: ${CANARY}` } }), 502, 'auth_failed', 'false', 1],
  overloaded: [fails(503, {}), 502, 'upstream_error', 'true', 2],
  conflict: [fails(409, {}), 502, 'upstream_error', 'true', 1],
  huge: [endless(() => Buffer.alloc(1_000_000, 32)), 502, 'upstream_error', 'true', 1],
};

describe('gateway with faulty upstreams', function () {
  this.timeout(120_000);
  const calls: Record<string, number> = {};
  const replies: Reply[] = [];
  /** Answers of `slow` that are held back. */
  const held: ServerResponse[] = [];
  const peers = new Peers();
  let platform: TestPlatform;
  let isHeld = false;

  before(async () => {
    const url = await peers.serve(async (request, response) => {
      const name = request.url?.split('/')[1] ?? '';
      calls[name] = (calls[name] ?? 0) + 1;
      await readBody(request).catch(() => '');
      if (name !== 'slow') FAULTS[name]?.[0](request, response);
      else if (isHeld) held.push(response);
      else sendJson(response, 200, completionOf('ok'));
    });
    platform = await gatewayPlatform();
    for (const name of ['slow', ...Object.keys(FAULTS)]) {
      const more = name === 'hangs' ? { request_timeout: { value: 2 } } : {};
      await configure(platform, name, `${url}/${name}`, { key: CANARY, ...more });
    }
    for (const name of Object.keys(calls)) delete calls[name];
  });
  after(() => platform.dispose());

  for (const [name, [, status, code, retry, times, after]] of Object.entries(FAULTS)) {
    it(`answers ${status} ${code} when an upstream ${name}, after ${times} calls`, async () => {
      const reply = await chat(platform, 'anna', `${name}/m`);
      replies.push(reply);
      const { headers, json } = reply;
      expect([reply.status, json?.error_code, json?.error?.code], reply.text).to.deep.equal([status, code, code]);
      expect([headers['x-should-retry'], headers['retry-after'], calls[name]]).to.deep.equal([retry, after, times]);
      expect(headers['x-request-id']).to.be.a('string');
    });
  }

  /** Starts calls that wait for the upstream until `release`. */
  async function slowCalls(user: string, count: number): Promise<Promise<Reply | Error>[]> {
    isHeld = true;
    const before = calls.slow ?? 0;
    const started = Array.from({ length: count }, () =>
      chat(platform, user, 'slow/m').catch((error) => error as Error),
    );
    await eventually(() => (calls.slow ?? 0) > before, 30_000, 'a slow call');
    return started;
  }
  const gatewayDrivers = () => platform.drivers('ml_gateway.mjs');
  function release(): void {
    isHeld = false;
    for (const response of held.splice(0)) sendJson(response, 200, completionOf('ok'));
  }

  it('serves others while one user has twenty slow calls under way', async () => {
    const slow = await slowCalls('anna', 20);
    await eventually(() => held.length === 8, 60_000, 'half of the slots to be taken');
    isHeld = false;
    expect((await chat(platform, 'bob', 'slow/m')).status).to.equal(200);
    expect((await platform.ml('bob', 'GET', '/health')).status).to.equal(200);
    await eventually(
      async () => (await chat(platform, 'anna', 'slow/m')).status === 429,
      10_000,
      'a refusal of a further call',
    );
    release();
    const done = (await Promise.all(slow)) as Reply[];
    const counts = Object.groupBy(done, ({ status, json }) => json.error_code ?? String(status));
    expect([counts['200']?.length, counts.too_many_requests?.length]).to.deep.equal([8, 12]);
    expect(counts.too_many_requests?.every(({ headers }) => headers['retry-after'] === '1')).to.equal(true);
  });

  it('has the slot of a killed driver again at once', async () => {
    await platform.setConf('gateway', { max_concurrent: '2' });
    await setTimeout(SETTINGS_MS);
    const [killed] = await slowCalls('anna', 1);
    const refused = await chat(platform, 'anna', 'slow/m');
    expect(refused.json.error_code, refused.text).to.equal('too_many_requests');
    for (const pid of gatewayDrivers()) process.kill(pid, 'SIGKILL');
    expect(((await killed) as Reply).status).to.be.oneOf([500, 502, 503]);
    isHeld = false;
    const next = await chat(platform, 'anna', 'slow/m');
    expect(next.status, next.text).to.equal(200);
    release();
  });

  it('shows the key in no reply, file or log entry', async () => {
    const audit = await platform.ml('anna', 'GET', '/audit');
    expectStatus(audit, 200, 'audit');
    const texts = [...replies, audit].map(({ headers, text }) => `${JSON.stringify(headers)} ${text}`);
    expect(texts.filter((text) => text.includes(CANARY))).to.deep.equal([]);
    expect(platform.output + platform.log()).not.to.include(CANARY);
    expect(platform.filesWith([CANARY])).to.deep.equal([]);
    expect((await platform.call('anna', 'GET', `${MOUNT}/v1/models`)).text).not.to.include(CANARY);
  });
});
