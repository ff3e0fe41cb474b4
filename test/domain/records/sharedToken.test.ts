import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import type { SiteStores } from '../../../src/domain/records/sealedRecord.ts';
import { type NewToken, SharedToken } from '../../../src/domain/records/sharedToken.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';

const MINUTE = 60_000;

/** A token of processes upon the same stores, and what they have been issued. */
class Site {
  readonly memory = new MemoryPlatform();
  life: number | undefined = 3600;
  readonly issued: string[] = [];
  holder = 'id';

  async issue(): Promise<NewToken> {
    const token = `token-canary-${this.issued.push('') + 0}`;
    this.issued[this.issued.length - 1] = token;
    return { token, life: this.life };
  }

  process(stores: SiteStores = this.memory.process(), spared = 0): SharedToken {
    return new SharedToken(stores, {
      key: 'a',
      holder: this.holder,
      issue: () => this.memory.clock.during(setTimeout(20).then(() => this.issue())),
      unknownLife: 1200,
      spared,
      label: 'the token',
      recorded: (write) => write(),
    });
  }

  elsewhere = (domain: string, skewMs: number) =>
    this.process(this.memory.process(new FaultPlan(), this.memory.clock.elsewhere(domain, skewMs)));
}

async function get(process: SharedToken): Promise<string> {
  using deadline = startDeadline(5000);
  return (await process.get(deadline)).token;
}

async function renew(process: SharedToken, refused: string): Promise<string | undefined> {
  using deadline = startDeadline(5000);
  return (await process.renewed(refused, deadline))?.token;
}

describe('a token that processes share', () => {
  it('is issued once for 50 calls of 8 processes, and renewed once when all of them are refused', async () => {
    const site = new Site();
    const processes = Array.from({ length: 8 }, () => site.process());
    const calls = <T>(call: (process: SharedToken) => Promise<T>) =>
      Promise.all(Array.from({ length: 50 }, (_, index) => call(processes[index % 8] as SharedToken)));
    const tokens = new Set(await calls(get));
    expect([...tokens], 'the same for all').to.deep.equal(['token-canary-1']);
    expect(site.issued).to.have.length(1);
    const renewed = new Set(await calls((process) => renew(process, 'token-canary-1')));
    expect([...renewed]).to.deep.equal(['token-canary-2']);
    expect(site.issued).to.have.length(2);
    expect([...site.memory.secrets.values.values()]).to.deep.equal([JSON.stringify({ token: 'token-canary-2' })]);
    expect(site.memory.records.dump()).to.not.contain('canary');
  });

  it('is renewed at 80 % of its life, or after 20 minutes; a life of years is not believed', async () => {
    for (const [life, minutes] of [
      [3600, 48],
      [undefined, 20],
      [0, 20],
      [-3600, 20],
      [1e15, 0.8 * 24 * 60],
    ] as const) {
      const site = new Site();
      site.life = life;
      await get(site.process());
      site.memory.clock.advance((minutes - 1) * MINUTE);
      expect(await get(site.process()), String(life)).to.equal('token-canary-1');
      site.memory.clock.advance(MINUTE + 1000);
      expect(await get(site.process()), String(life)).to.equal('token-canary-2');
    }
  });

  it('needs no two clocks that agree', async () => {
    for (const skew of [-7_200_000, 7_200_000]) {
      const site = new Site();
      const [here, there] = [site.process(), site.elsewhere('host-2', skew)];
      await get(here);
      expect(await get(there)).to.equal('token-canary-1');
      site.memory.clock.advance(47 * MINUTE);
      expect([await get(here), await get(there)]).to.deep.equal(['token-canary-1', 'token-canary-1']);
      site.memory.clock.advance(2 * MINUTE);
      expect(await get(there), 'it has seen it for as long as it may be used').to.equal('token-canary-2');
      expect(await get(here)).to.equal('token-canary-2');
      expect(await renew(here, 'token-canary-2'), 'refused').to.equal('token-canary-3');
      expect(await renew(there, 'token-canary-2')).to.equal('token-canary-3');
      expect(site.issued).to.have.length(3);
    }
  });

  it('is another one for another holder', async () => {
    const site = new Site();
    await get(site.process());
    site.holder = 'other';
    expect(await get(site.process())).to.equal('token-canary-2');
    expect(site.memory.secrets.values.size).to.equal(1);
  });

  it('is not replaced while it is spared', async () => {
    const site = new Site();
    const process = site.process(undefined, 30);
    expect(await renew(process, await get(process))).to.equal(undefined);
    site.memory.clock.advance(31_000);
    expect(await renew(process, 'token-canary-1')).to.equal('token-canary-2');
  });

  it('leaves nothing when it is dropped', async () => {
    const site = new Site();
    await get(site.process());
    await SharedToken.drop(site.memory.process(), 'a');
    await SharedToken.drop(site.memory.process(), 'a');
    expect(site.memory.secrets.values.size).to.equal(0);
    expect(site.memory.records.all('ml_platform_tokens')).to.deep.equal([]);
    expect(await get(site.process())).to.equal('token-canary-2');
  });
});
