import { expect } from 'chai';
import { Fault } from '../../../src/contract/codes/faults.ts';
import { faultOf } from '../../support/fault.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { type AskedUse, type LimitProcess, LimitSite, limit, TARGET } from './limitSite.ts';

const DAY_MS = 86_400_000;
const USED = { tokens: 10, cost: 0.01 };

/** Whether a use is permitted; it is settled then. */
async function asks(process: LimitProcess, use: AskedUse = {}): Promise<boolean> {
  try {
    (await process.admit(use)).settle(USED);
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === 'limit_exceeded') return false;
    throw error;
  }
}

const permitted = async (process: LimitProcess, times: number, use: AskedUse = {}) => {
  const answers: boolean[] = [];
  for (let index = 0; index < times; index++) answers.push(await asks(process, use));
  return answers.filter(Boolean).length;
};

describe('usage limits of a use', () => {
  let site: LimitSite;
  beforeEach(() => {
    site = new LimitSite();
  });

  it('without limits nothing is refused, and nothing written', async () => {
    const process = site.process();
    expect(await permitted(process, 3)).to.equal(3);
    await process.flush();
    expect(site.counters()).to.deep.equal([]);
  });

  it('is refused when the requests are used up, until the window ends', async () => {
    site.store(limit('few', { requests: 2 }));
    const process = site.process();
    expect(await permitted(process, 4)).to.equal(2);
    const fault = await faultOf(process.admit());
    const ends = Date.UTC(2026, 0, 2) / 1000;
    expect([fault.status, fault.code]).to.deep.equal([429, 'limit_exceeded']);
    expect(fault.extra).to.deep.equal({
      limit: { name: 'few', of: 'requests', window: 'day', per: 'user', used: 2, most: 2, resets_at: ends },
      retry_after: 86_400,
    });
    expect(fault.message).to.equal(
      'The usage limit "few" allows each user 2 requests a day; 2 are used. It resets at 2026-01-02T00:00:00Z.',
    );
    expect(await asks(process, { user: 'bert' }), 'another user').to.equal(true);
    site.platform.clock.advance(DAY_MS);
    expect(await permitted(process, 4)).to.equal(2);
  });

  it('all users together have a limit per=all', async () => {
    site.store(limit('few', { requests: 3, per: 'all' }));
    const process = site.process();
    expect(await permitted(process, 2)).to.equal(2);
    expect(await permitted(process, 2, { user: 'bert' })).to.equal(1);
  });

  it('0 refuses all, also a use without tokens or price', async () => {
    for (const quantity of ['requests', 'tokens', 'cost'] as const) {
      site.store(limit('none', { [quantity]: 0 }));
      expect(await asks(site.process(), { estimate: { tokens: 0, cost: undefined } }), quantity).to.equal(false);
      site.store(limit('none'));
    }
  });

  it('processes share a limit, whichever of them is asked', async () => {
    site.store(limit('few', { requests: 50 }));
    const processes = Array.from({ length: 8 }, () => site.process());
    const answers = await Promise.all(
      Array.from({ length: 160 }, (_, index) => asks(processes[index % 8] as LimitProcess)),
    );
    expect(answers.filter(Boolean)).to.have.length(50);
    site.platform.clock.advance(DAY_MS);
    const next = await Promise.all(
      Array.from({ length: 160 }, (_, index) => asks(processes[index % 8] as LimitProcess)),
    );
    expect(next.filter(Boolean)).to.have.length(50);
  });

  it('a process whose clock is 3 s ahead counts in its own window, each exactly', async () => {
    site.store(limit('few', { requests: 50, window: 'minute' }));
    const ahead = site.platform.clock.elsewhere('host-2', 3000);
    const processes = Array.from({ length: 8 }, (_, index) => site.process(index === 0 ? { clock: ahead } : {}));
    site.platform.clock.advance(58_500);
    const ask = () =>
      Promise.all(Array.from({ length: 160 }, (_, index) => asks(processes[index % 8] as LimitProcess)));
    // The one that is ahead has 20 of the next minute.
    expect((await ask()).filter(Boolean)).to.have.length(70);
    site.platform.clock.advance(3_000);
    expect((await ask()).filter(Boolean)).to.have.length(30);
  });

  it('a process that dies anywhere lets nobody have more, and of a small limit takes nothing along but its use', async () => {
    for (let at = 1; at <= 8; at++) {
      site = new LimitSite();
      site.store(limit('few', { requests: 5 }));
      const dying = site.process({ faults: new FaultPlan(at, 'crash') });
      let own = 0;
      for (let index = 0; index < 3; index++) own += (await asks(dying).catch(() => false)) ? 1 : 0;
      const rest = await permitted(site.process(), 9);
      expect(own + rest, `before call ${at}`).to.be.within(4, 5);
    }
  });

  it('an answer that is lost costs one request at most, and never allows one more', async () => {
    for (let at = 1; at <= 8; at++) {
      for (const mode of ['lost', 'refused'] as const) {
        site = new LimitSite();
        site.store(limit('few', { requests: 5 }));
        const faulty = site.process({ faults: new FaultPlan(at, mode) });
        let own = 0;
        for (let index = 0; index < 4; index++) own += (await asks(faulty).catch(() => false)) ? 1 : 0;
        const rest = await permitted(site.process(), 9);
        expect(own + rest, `${mode} at ${at}`).to.equal(5);
      }
    }
  });

  it('a store that fails is 503, and the use has taken nothing', async () => {
    site.store(limit('few', { requests: 1, tokens: 100 }));
    for (let at = 1; at <= 5; at++) {
      const failing = site.process({ faults: new FaultPlan(at, 'refused') });
      const fault = await faultOf(failing.admit());
      expect([fault.status, fault.code], `call ${at}`).to.deep.equal([503, 'store_unavailable']);
      await failing.close();
    }
    expect(await permitted(site.process(), 2)).to.equal(1);
  });

  it('what is released can be taken by any process', async () => {
    site.store(limit('few', { requests: 2, tokens: 20 }));
    const [first, second] = [site.process(), site.process()];
    const uses = [await first.admit(), await first.admit()];
    expect(await asks(second)).to.equal(false);
    for (const use of uses) await use.release();
    expect(await permitted(second, 3)).to.equal(2);
    expect(await asks(first)).to.equal(false);
  });

  it('what is released again and again takes no more room', async () => {
    site.store(
      limit('small', { requests: 3 }),
      limit('large', { requests: 1000 }),
      limit('soft', { requests: 2, action: 'warn' }),
    );
    const process = site.process();
    for (let time = 0; time < 60; time++) await (await process.admit()).release();
    await process.flush();
    const lists = site.counters().flatMap(({ returned }) => (Array.isArray(returned) ? [returned.length] : []));
    expect(lists).to.have.length(3);
    expect(Math.max(...lists)).to.be.at.most(3);
    expect(await permitted(process, 9)).to.equal(3);
    await process.close();
    site.store(limit('small', { requests: 100 }));
    expect(await permitted(site.process(), 9)).to.equal(9);
  });

  it('takes once from a limit, however many targets are asked', async () => {
    const other = { ...TARGET, model: 'm2' };
    site.store(limit('all', { requests: 2 }), limit('second', { requests: 1, applies_to: { models: ['up/m2'] } }));
    const process = site.process();
    const use = await process.admit();
    await use.admit(other, USED);
    await use.admit(TARGET, USED);
    use.settle(USED, other);
    expect(await asks(process, { target: other })).to.equal(false);
    expect(await permitted(process, 2)).to.equal(1);
  });

  it('tokens count for the limits that hold the target that answered', async () => {
    const other = { ...TARGET, model: 'm2' };
    site.store(
      limit('first', { tokens: 15, applies_to: { models: ['up/m1'] } }),
      limit('second', { tokens: 15, applies_to: { models: ['up/m2'] } }),
    );
    const process = site.process();
    const use = await process.admit();
    await use.admit(other, USED);
    use.settle(USED, other);
    expect(await asks(process, { target: other })).to.equal(false);
    expect(await asks(process)).to.equal(true);
  });

  it('when a later limit refuses, the earlier ones have all that they had', async () => {
    site.store(limit('wide', { requests: 5, tokens: 1000 }), limit('narrow', { requests: 1, per: 'all' }));
    const process = site.process();
    expect(await permitted(process, 4)).to.equal(1);
    site.store(limit('narrow', { requests: 100, per: 'all' }));
    expect(await permitted(site.process(), 9)).to.equal(4);
  });

  it('of several that refuse it says the one that resets last', async () => {
    site.store(
      limit('b day', { requests: 1 }),
      limit('a month', { tokens: 5, window: 'month' }),
      limit('c minute', { requests: 0, window: 'minute' }),
    );
    const process = site.process();
    const fault = await faultOf(process.admit());
    expect((fault.extra.limit as { name: string }).name).to.equal('c minute');
    site.store(limit('a month', { tokens: 0, window: 'month' }));
    const later = await faultOf(process.admit());
    expect((later.extra.limit as { name: string }).name).to.equal('a month');
  });

  it('says what calls under way have reserved, where the use would fit without it', async () => {
    site.store(limit('shared', { tokens: 1000, cost: 1, per: 'all' }));
    const [first, second] = [site.process(), site.process()];
    const done = await first.admit({ estimate: { tokens: 100, cost: 0.1 } });
    done.settle({ tokens: 100, cost: 0.1 });
    const open = await first.admit({ estimate: { tokens: 895, cost: 0.1 } });
    for (const process of [second, first]) {
      const fault = await faultOf(process.admit({ user: 'amy', estimate: { tokens: 10, cost: 0.01 } }));
      expect(fault.extra.limit).to.include({ of: 'tokens', used: 100, reserved: 895, most: 1000 });
      expect(fault.extra.retry_after).to.be.within(1, 5);
      expect(fault.message).to.include('100 are used and calls under way have reserved 895');
    }
    const large = await faultOf(second.admit({ estimate: { tokens: 901, cost: 0.01 } }));
    expect(large.extra.limit).to.include({ of: 'tokens', used: 100 }).and.to.not.have.property('reserved');
    expect(large.extra.retry_after).to.be.greaterThan(60);
    await open.release();
    expect(await asks(second, { estimate: { tokens: 10, cost: 0.01 } })).to.equal(true);
    const dear = await first.admit({ estimate: { tokens: 1, cost: 0.85 } });
    const costly = await faultOf(second.admit({ estimate: { tokens: 1, cost: 0.2 } }));
    expect((costly.extra.limit as { of: string }).of).to.equal('cost');
    expect((costly.extra.limit as { reserved: number }).reserved).to.be.closeTo(0.85, 1e-9);
    await dear.release();
  });

  it('of a limit that is used up and one that is only reserved it says the one that is used up', async () => {
    site.store(limit('reserved', { tokens: 20, window: 'month' }), limit('used', { requests: 1, window: 'minute' }));
    const process = site.process();
    await process.admit({ estimate: { tokens: 15, cost: 0 } });
    const fault = await faultOf(process.admit({ estimate: { tokens: 10, cost: 0 } }));
    expect(fault.extra.limit).to.include({ name: 'used' }).and.to.not.have.property('reserved');
  });

  it('limits that only warn count as well', async () => {
    site.store(limit('soft', { requests: 1, tokens: 25, action: 'warn' }));
    const process = site.process();
    expect((await process.admit()).warnings).to.deep.equal([]);
    const second = await process.admit();
    expect(second.warnings).to.deep.equal([
      'The usage limit "soft" allows each user 1 requests a day; 1 are used. It only warns, and resets at 2026-01-02T00:00:00Z.',
    ]);
    expect((await process.admit()).warnings[0]).to.contain(
      'calls under way have reserved 20, which leaves too few tokens',
    );
    site.store(limit('soft', { requests: 4, action: 'refuse' }));
    expect(await permitted(site.process(), 3)).to.equal(1);
  });

  it('a change is in force at once, and counts what was used before it', async () => {
    site.store(limit('few', { requests: 2 }));
    const process = site.process();
    expect(await permitted(process, 3)).to.equal(2);
    site.store(limit('few', { requests: 4 }));
    expect(await permitted(process, 3)).to.equal(2);
    site.store(limit('few', { requests: 3 }));
    expect(await asks(process)).to.equal(false);
    site.store(limit('few', { requests: 3, limit_id: 'made anew' }));
    expect(await permitted(process, 9)).to.equal(3);
    site.store(limit('few', { requests: 0, is_enabled: false }));
    expect(await asks(process)).to.equal(true);
  });

  it('the limits of one request are read again after a second', async () => {
    const process = site.process();
    const { useLimits } = await import('../../../src/metering/limits/limitedUses.ts');
    const { stores, counters } = process;
    const limits = useLimits({ stores, counters, reached: () => {} });
    const use = () => {
      const { user, roles } = { user: 'anna', roles: [] };
      return limits
        .begin({ caller: { user, roles, capabilities: [] }, operation: 'chat', alias: undefined, deadlineMs: 1 })
        .admit(TARGET, USED);
    };
    await use();
    site.store(limit('none', { requests: 0 }));
    site.platform.clock.advance(1000);
    expect((await faultOf(use())).code).to.equal('limit_exceeded');
  });

  it('says when a limit is nearly used, and used up', async () => {
    site.store(limit('ten', { requests: 10 }));
    const process = site.process();
    await permitted(process, 7);
    expect(site.reached).to.deep.equal([]);
    await permitted(process, 1);
    expect(site.reached.map(({ isUsedUp }) => isUsedUp)).to.deep.equal([false]);
    await permitted(process, 2);
    expect(site.reached.at(-1)?.isUsedUp).to.equal(true);
  });

  it('a process whose uses were all refused leaves no document', async () => {
    site.store(limit('none', { requests: 0, tokens: 100 }));
    const process = site.process();
    expect(await asks(process)).to.equal(false);
    await process.close();
    expect(site.counters()).to.deep.equal([]);
  });
});

describe('limits on tokens and cost', () => {
  let site: LimitSite;
  beforeEach(() => {
    site = new LimitSite();
  });

  it('count what was used in the place of the estimate', async () => {
    site.store(limit('tokens', { tokens: 100 }));
    const [first, second] = [site.process(), site.process()];
    const use = await first.admit({ estimate: { tokens: 80, cost: undefined } });
    expect(await asks(second, { estimate: { tokens: 30, cost: undefined } }), 'while it is reserved').to.equal(false);
    use.settle({ tokens: 40, cost: undefined });
    await first.flush();
    expect(await asks(second, { estimate: { tokens: 30, cost: undefined } })).to.equal(true);
  });

  it('of a batch what fits is permitted, in its order', async () => {
    site.store(limit('tokens', { tokens: 100 }));
    const process = site.process();
    const estimate = { tokens: 30, cost: undefined };
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => process.admit({ estimate })));
    expect(outcomes.map(({ status }) => status === 'fulfilled')).to.deep.equal([true, true, true, false, false]);
  });

  it('a reservation of a dead process ends 30 s after its deadline', async () => {
    site.store(limit('cost', { cost: 1 }));
    await site.process().admit({ estimate: { tokens: 1, cost: 0.9 } });
    const other = site.process();
    const estimate = { tokens: 1, cost: 0.5 };
    site.platform.clock.advance(89_000);
    expect(await asks(other, { estimate })).to.equal(false);
    site.platform.clock.advance(1_001);
    expect(await asks(other, { estimate })).to.equal(true);
  });

  it('a use that is too large for what is left does not make a limit used up', async () => {
    site.store(limit('tokens', { tokens: 100 }));
    const process = site.process();
    const large = { estimate: { tokens: 101, cost: undefined } };
    for (let time = 0; time < 2; time++) expect(await asks(process, large)).to.equal(false);
    expect(site.reached).to.deep.equal([]);
    expect(await permitted(process, 9)).to.equal(9);
    for (let time = 0; time < 2; time++) expect(await asks(process, large)).to.equal(false);
    expect(site.reached.length).to.be.above(0);
    expect(site.reached.filter(({ isUsedUp }) => isUsedUp)).to.deep.equal([]);
    expect(await permitted(process, 2)).to.equal(1);
    expect(site.reached.at(-1)?.isUsedUp).to.equal(true);
  });

  it('a cost limit does not see uses without a price', async () => {
    site.store(limit('cost', { cost: 0.01 }));
    const process = site.process();
    expect(await asks(process)).to.equal(true);
    expect(await asks(process)).to.equal(false);
    expect(await asks(process, { estimate: { tokens: 5, cost: undefined } })).to.equal(true);
  });

  it('one that is used up is refused without a write', async () => {
    site.store(limit('tokens', { tokens: 10 }));
    const process = site.process();
    expect(await permitted(process, 2)).to.equal(1);
    const faults = new FaultPlan();
    const fresh = site.process({ faults });
    await process.flush();
    expect(await permitted(fresh, 1)).to.equal(0);
    const before = faults.trace.length;
    expect(await permitted(fresh, 1)).to.equal(0);
    expect(faults.trace.slice(before).filter((call) => !call.startsWith('find'))).to.deep.equal([]);
  });
});
