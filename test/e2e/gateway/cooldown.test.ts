import { expect } from 'chai';
import { expectStatus, type TestPlatform } from '../../support/e2e/platform.ts';
import { type Peer, readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { chat, completionOf, configure, gatewayPlatform } from './gatewayPlatform.ts';

const PROCESSES = 8;
const CHATS = 200;

describe('cooldown of a target that hangs, over several processes', function () {
  this.timeout(60_000);
  let platform: TestPlatform;
  let [dead, alive]: Peer[] = [];
  let waited = 0;
  before(async () => {
    dead = await startHttp(async (incoming) => {
      await readBody(incoming);
      waited += 1;
    });
    alive = await startHttp(async (incoming, response) => {
      await readBody(incoming);
      sendJson(response, 200, completionOf('An answer.'));
    });
    platform = await gatewayPlatform({ ML_GATEWAY_DRIVERS: String(PROCESSES) });
    await configure(platform, 'dead', dead.url, { request_timeout: { value: 1 } });
    await configure(platform, 'alive', alive.url);
    const targets = ['dead', 'alive'].map((connection_name) => ({
      service: 'General_Chat',
      connection_name,
      model: 'm',
    }));
    expectStatus(await platform.ml('anna', 'POST', '/model_aliases', { name: 'fast', targets }), 200, 'the alias');
  });
  after(async () => {
    await platform?.dispose();
    await dead?.close();
    await alive?.close();
  });

  it('lets none of 200 chats wait again once the first has timed out', async () => {
    const ask = async () => expectStatus(await chat(platform, 'anna', 'fast'), 200, 'a chat');
    const atOnce = Array.from({ length: PROCESSES }, ask);
    await Promise.all(atOnce);
    expect(waited).to.be.within(1, PROCESSES);
    expect(platform.drivers('ml_gateway')).to.have.length(PROCESSES);
    const before = waited;
    const alias = await platform.ml('anna', 'GET', '/model_aliases/fast');
    const { until, reason } = alias.json.config.targets[0].cooldown;
    expect(reason).to.equal('timeout');
    let left = CHATS - PROCESSES;
    const client = async () => {
      for (; left > 0 && Date.now() < until * 1000 - 500; left -= 1) await ask();
    };
    await Promise.all(Array.from({ length: PROCESSES }, client));
    expect(waited, `${left} chats were left at the end of the pause`).to.equal(before);
  });
});
