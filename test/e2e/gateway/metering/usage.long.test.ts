import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { expectStatus, type Reply, type TestPlatform } from '../../../support/e2e/platform.ts';
import { readBody, sendJson } from '../../../support/peers/listen.ts';
import { Peers } from '../../../support/peers/peers.ts';
import { eventually } from '../../../support/time.ts';
import { searched } from '../../agents/agentSupport.ts';
import { chat, completionOf, configure, gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';

const CANARY = 'canary-of-a-prompt-7f3a';
const CLIENTS = 8;
const USES = 2000;
/** What a killed process may not have written yet, and a second for the machine. */
const UNWRITTEN_MS = 3000;

describe('usage of the gateway, over processes', function () {
  this.timeout(240_000);
  const peers = new Peers();
  let platform: TestPlatform;
  /** When each call was answered. */
  let calls: number[] = [];

  before(async () => {
    const url = await peers.serve(async (request, response) => {
      const body = JSON.parse(await readBody(request));
      calls.push(Date.now());
      const data = [{ index: 0, embedding: [1, 2] }];
      const embeddings = { object: 'list', data, usage: { prompt_tokens: 3, total_tokens: 3 } };
      sendJson(response, 200, request.url?.endsWith('/embeddings') ? embeddings : completionOf(`re ${body.model}`));
    });
    platform = await gatewayPlatform();
    await configure(platform, 'up', url);
  });
  beforeEach(() => {
    calls = [];
  });
  after(() => platform.dispose());

  const gatewayDrivers = () => platform.drivers('ml_gateway.mjs');
  async function total(): Promise<Record<string, number>> {
    const reply = await platform.ml('anna', 'GET', '/usage?by=operation');
    expectStatus(reply, 200, 'usage');
    return reply.json.total;
  }
  const requests = async () => (await total()).requests ?? 0;
  const post = (path: string, body: object) => platform.call('anna', 'POST', `${MOUNT}${path}`, body);
  /** @returns whether the process lived to reply */
  const sent = async (work: Promise<Reply>) => (await work.catch(() => undefined))?.status === 200;

  /** One of the ways in which the gateway is used, and how many uses that is. */
  function oneUse(index: number): [number, Promise<Reply>] {
    const messages = [{ role: 'user', content: `${CANARY} ${index}` }];
    if (index % 10 === 0) {
      const items = Array.from({ length: 10 }, (_, id) => ({ id: String(id), messages: [...messages, ...messages] }));
      return [10, post('/batch', { operation: 'chat', common: { model: 'up/m' }, items, dedup: false })];
    }
    return index % 3 === 0
      ? [1, post('/v1/embeddings', { model: 'up/m', input: `${CANARY} ${index}` })]
      : [1, chat(platform, 'anna', 'up/m', { messages })];
  }

  async function useMany(count: number): Promise<void> {
    let index = 0;
    let left = count;
    const client = async () => {
      while (left > 0) {
        index += 1;
        const [uses, work] = oneUse(index);
        left -= uses;
        await sent(work);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  }

  it('sums what the upstreams counted over eight processes, and loses at most what killed ones had not written', async () => {
    let kills = 0;
    let lost = 0;
    const using = useMany(USES);
    let isDone = false;
    const killing = (async () => {
      while (!isDone) {
        await setTimeout(1500);
        const [victim] = gatewayDrivers();
        if (isDone || victim === undefined) continue;
        const since = Date.now() - UNWRITTEN_MS;
        process.kill(victim, 'SIGKILL');
        kills += 1;
        lost += calls.filter((time) => time >= since).length;
      }
    })();
    await using;
    isDone = true;
    await killing;
    await setTimeout(UNWRITTEN_MS);
    const summed = await requests();
    expect(kills).to.be.above(0);
    expect(calls.length).to.be.within(USES * 0.95, USES);
    expect(summed, `${kills} kills`).to.be.at.most(calls.length);
    expect(summed, `${kills} kills`).to.be.at.least(calls.length - lost);
  });

  it('writes all that it has when the platform stops, and finds it after the next start', async () => {
    const before = await requests();
    await useMany(40);
    await platform.restart();
    expect((await requests()) - before).to.equal(calls.length);
  });

  it('writes all that it has at SIGTERM', async () => {
    const before = await requests();
    await useMany(20);
    for (const pid of gatewayDrivers()) process.kill(pid, 'SIGTERM');
    await eventually(async () => (await requests()) - before === calls.length, 10_000, 'the last uses');
  });

  it('is found by searches: as events with the search that sent them, and by mlusage', async () => {
    const before = await requests();
    const { rows: asking } = await searched(
      platform,
      'bob',
      `| makeresults count=2 | streamstats count as n | mlchat prompt="${CANARY} {n}" model="up/m"`,
    );
    expect(asking).to.have.length(2);
    await eventually(async () => (await requests()) - before === 2, 10_000, 'the uses of the search');
    const search =
      'search index=_internal sourcetype=ml_extension:usage via=search | table user, sid, operation, attempts, gen_ai.usage.input_tokens';
    const { rows: events } = await searched(platform, 'admin', search);
    expect(events).to.have.length(2);
    for (const event of events) {
      expect(event).to.include({ user: 'bob', operation: 'chat', attempts: '1', 'gen_ai.usage.input_tokens': '7' });
      expect(event.sid).to.match(/\S/);
    }
    const { rows } = await searched(platform, 'bob', '| mlusage by=user,via interval=day');
    const own = rows.find(({ user, via }: Record<string, string>) => user === 'bob' && via === 'search');
    expect(own).to.include({ requests: '2', failed: '0', input_tokens: '14', output_tokens: '4' });
  });

  it('has no prompt in any file, log or event', () => {
    expect(platform.output + platform.log()).not.to.include(CANARY);
    expect(platform.filesWith([CANARY]).filter((file) => !file.includes('dispatch'))).to.deep.equal([]);
  });
});
