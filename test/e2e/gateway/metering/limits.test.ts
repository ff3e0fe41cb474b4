import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { expectStatus, type Reply, startPlatform, type TestPlatform } from '../../../support/e2e/platform.ts';
import { readBody, sendJson } from '../../../support/peers/listen.ts';
import { Peers } from '../../../support/peers/peers.ts';
import { eventually } from '../../../support/time.ts';
import { chat, completionOf, configure } from '../gatewayPlatform.ts';

const HOUR_MS = 3_600_000;
const USERS = ['anna', 'bob', 'carl'];
const CLIENTS = 15;

describe('usage limits over HTTP, with many processes', function () {
  this.timeout(180_000);
  const peers = new Peers();
  let platform: TestPlatform;
  let asked = 0;
  const drivers = () => platform.drivers('ml_gateway.mjs');
  const limit = async (method: 'POST' | 'PUT', body: object) =>
    expectStatus(await platform.ml('anna', method, '/usage_limits', { name: 'few', ...body }), 200, 'the limit');
  const statusOf = async () => (await platform.ml('anna', 'GET', '/usage_limits/few')).json?.config.status;

  before(async () => {
    const url = await peers.serve(async (request, response) => {
      await readBody(request);
      asked += 1;
      await sleep(20);
      sendJson(response, 200, completionOf('ok'));
    });
    platform = await startPlatform({ movableClock: true });
    for (const user of USERS) await platform.createUser(user, ['ml_admin']);
    await configure(platform, 'up', url);
    await limit('POST', { window: 'hour', per: 'all', requests: 50 });
  });
  after(() => platform.dispose());

  /** Each client asks until it is refused so many times. @returns permitted uses and refusals */
  async function storm(
    each = 5,
    onReply: (reply: Reply) => void = () => {},
  ): Promise<{ done: number; refused: Reply[] }> {
    let done = 0;
    const refused: Reply[] = [];
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let count = 0; count < each; ) {
          const reply = await chat(platform, USERS[client % USERS.length] as string, 'up/m');
          onReply(reply);
          if (reply.json?.error_code === 'too_many_requests') await sleep(20);
          else {
            count += 1;
            if (reply.status === 200) done += 1;
            else refused.push(reply);
          }
        }
      }),
    );
    return { done, refused };
  }

  it('exactly the limit is permitted, in this window and in the next', async () => {
    for (const window of ['first', 'second']) {
      asked = 0;
      const { done, refused } = await storm();
      expect([done, asked], window).to.deep.equal([50, 50]);
      for (const { status, json, headers } of refused) {
        expect([status, json?.error_code, json?.error.type]).to.deep.equal([
          429,
          'limit_exceeded',
          'insufficient_quota',
        ]);
        expect(json?.limit).to.include({ name: 'few', of: 'requests', window: 'hour', per: 'all', used: 50, most: 50 });
        expect(Number(headers['retry-after'])).to.equal(json?.retry_after);
      }
      await eventually(async () => (await statusOf()).used.tokens === 450, 10_000, 'the sums');
      expect(await statusOf()).to.deep.include({ left: { requests: 0 } });
      platform.advance(HOUR_MS);
    }
    const { json } = await platform.call('anna', 'GET', '/services/messages?output_mode=json&count=0');
    const texts = json?.entry.map(({ content }: { content: { message: string } }) => content.message);
    expect(
      texts.filter((text: string) => text.includes('used up')),
      'one a window',
    ).to.have.length(2);
    expect(texts.filter((text: string) => text.includes('80 %'))).to.have.length(2);
    expect(drivers().length).to.be.above(2);
  });

  it('a driver that is killed lets nobody have more', async () => {
    asked = 0;
    let replies = 0;
    const { done } = await storm(5, () => {
      replies += 1;
      const [victim] = drivers();
      if (replies % 12 === 0 && victim !== undefined) process.kill(victim, 'SIGKILL');
    });
    expect(asked).to.be.within(done, 50);
    expect(done).to.be.above(30);
    platform.advance(HOUR_MS);
  });

  it('a limit that is changed, switched off or deleted is so in all processes within 2 s', async () => {
    const outcome = async () => {
      const replies = await Promise.all(USERS.map((user) => chat(platform, user, 'up/m')));
      return [...new Set(replies.map(({ status }) => status))];
    };
    await limit('PUT', { requests: 0 });
    await sleep(2000);
    expect(await outcome()).to.deep.equal([429]);
    await limit('PUT', { is_enabled: false });
    await sleep(2000);
    expect(await outcome()).to.deep.equal([200]);
    await limit('PUT', { is_enabled: true });
    await sleep(2000);
    expect(await outcome()).to.deep.equal([429]);
    expectStatus(await platform.ml('anna', 'DELETE', '/usage_limits/few'), 200, 'a deletion');
    await sleep(2000);
    expect(await outcome()).to.deep.equal([200]);
  });

  it('what ended processes held of a large limit can be used by others', async () => {
    await limit('POST', { window: 'hour', per: 'all', requests: 600 });
    await storm(5);
    await platform.restart();
    await limit('PUT', { requests: 100 });
    const { done } = await storm(3);
    expect(done).to.equal(25);
  });
});
