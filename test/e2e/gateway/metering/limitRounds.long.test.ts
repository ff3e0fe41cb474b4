import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { call } from '../../../../platform/test/support/platform.ts';
import { expectStatus, type Reply, startPlatform, type TestPlatform } from '../../../support/e2e/platform.ts';
import { readBody, sendJson } from '../../../support/peers/listen.ts';
import { Peers } from '../../../support/peers/peers.ts';
import { childrenOf } from '../../../support/programs/processes.ts';
import { chat, completionOf, configure, MOUNT } from '../gatewayPlatform.ts';

const HOUR_MS = 3_600_000;
const USERS = ['anna', 'bob', 'carl', 'dora'];
const CLIENTS = 16;
const MOST = 50;
const SKEW_MS = 3000;
/** Within this time every process has seen that the clock was moved. */
const CLOCK_READ_MS = 20;

const everybody = Array.from({ length: CLIENTS }, (_, client) => client);

/** Processes of the gateway that a platform, or a member of one, has started. */
const gatewaysOf = (pid: number): number[] =>
  childrenOf(pid).filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('ml_gateway.mjs'));

type Ask = (client: number) => Promise<Reply>;

describe('a usage limit, round after round', function () {
  this.timeout(600_000);
  const peers = new Peers();
  let upstream = '';
  let asked = 0;

  before(async () => {
    upstream = await peers.serve(async (request, response) => {
      await readBody(request);
      asked += 1;
      await sleep(10);
      sendJson(response, 200, completionOf('ok'));
    });
  });

  async function limitedPlatform(env: Record<string, string>): Promise<TestPlatform> {
    const platform = await startPlatform({ movableClock: true, env });
    for (const user of USERS) await platform.createUser(user, ['ml_admin']);
    await configure(platform, 'up', upstream);
    const limit = { name: 'few', window: 'hour', per: 'all', requests: MOST };
    expectStatus(await platform.ml('anna', 'POST', '/usage_limits', limit), 200, 'the limit');
    return platform;
  }

  /** Clients ask at a time, each until it is refused. @returns what each was refused with */
  const askAll = (ask: Ask): Promise<Reply[]> =>
    Promise.all(
      everybody.map(async (client) => {
        for (;;) {
          const reply = await ask(client);
          if (reply.json?.error_code === 'limit_exceeded') return reply;
          if (reply.json?.error_code === 'too_many_requests') await sleep(20);
          else expectStatus(reply, 200, 'a chat');
        }
      }),
    );

  const userOf = (client: number) => USERS[client % USERS.length] as string;

  describe('with 16 clients over 8 processes', () => {
    const ROUNDS = 100;
    let platform: TestPlatform;
    before(async () => {
      platform = await limitedPlatform({ ML_GATEWAY_DRIVERS: '8' });
      // From the beginning of an hour: no round may see the end of its window.
      platform.advance(HOUR_MS - (Date.now() % HOUR_MS));
    });
    after(() => platform.dispose());

    it('permits exactly what it allows, in each of a hundred windows that follow each other', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        asked = 0;
        await askAll((client) => chat(platform, userOf(client), 'up/m'));
        expect(asked, `round ${round}`).to.equal(MOST);
        platform.advance(HOUR_MS);
      }
      expect(gatewaysOf(platform.pid)).to.have.length(8);
    });
  });

  describe('on two members, one 3 s ahead', () => {
    const ROUNDS = 10;
    let platform: TestPlatform;
    let urls: string[];
    let aheadMs = 0;
    before(async () => {
      platform = await limitedPlatform({
        ML_MEMBERS: '2',
        ML_CLOCK_SKEW_MS: String(SKEW_MS),
        ML_GATEWAY_DRIVERS: '4',
      });
      urls = [...platform.output.matchAll(/^member \d+ (\S+)$/gm)].map(([, url]) => url ?? '');
    });
    after(() => platform.dispose());

    const ask: Ask = async (client) =>
      call(urls[client % 2] as string, 'POST', `${MOUNT}/v1/chat/completions`, {
        body: JSON.stringify({ model: 'up/m', messages: [{ role: 'user', content: 'hello' }] }),
        headers: {
          Authorization: `Splunk ${await platform.sessionKey(userOf(client >> 1))}`,
          'Content-Type': 'application/json',
        },
      });
    const firstHour = HOUR_MS - (Date.now() % HOUR_MS) + Date.now();
    /** Moves the clocks to so many hours after the first, by the clock of the first member. */
    async function moveTo(hours: number, plusMs = 0): Promise<void> {
      const by = firstHour + hours * HOUR_MS + plusMs - (Date.now() + aheadMs);
      aheadMs += by;
      platform.advance(by);
      await sleep(CLOCK_READ_MS);
    }
    const windowsOf = (refusals: readonly Reply[]) =>
      [...new Set(refusals.map(({ json }) => json.limit.resets_at))].sort();

    it('permits exactly what it allows, also while only one of them is in the next window', async () => {
      let apart = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const permitted: number[] = [];
        const useUp = async (): Promise<number[]> => {
          asked = 0;
          const refusals = await askAll(ask);
          permitted.push(asked);
          return windowsOf(refusals);
        };
        await moveTo(2 * round + 0.5);
        const windows = await useUp();
        expect(windows, 'one window for both').to.have.length(1);
        // The first has 2.5 s left in the window that is used up; the second is in the next one.
        await moveTo(2 * round + 1, 500 - SKEW_MS);
        if ((await useUp()).length === 2) apart += 1;
        await moveTo(2 * round + 1.5);
        await useUp();
        expect(permitted, `round ${round}`).to.deep.equal([MOST, MOST, 0]);
      }
      expect(platform.drivers().map((member) => gatewaysOf(member).length)).to.deep.equal([4, 4]);
      expect(apart, 'rounds in which the members were in different windows').to.be.above(0);
    });
  });
});
