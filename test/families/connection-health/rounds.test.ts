import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { inRounds, type Pace } from '../../../src/families/connection-health/rounds.ts';
import { patience } from '../../support/time.ts';

const PACE: Pace = {
  atATime: 4,
  unhurried: 2,
  quickMs: 120,
  leastMs: 160,
  calmMs: 800,
  keepMs: 40,
  overdueMs: 40,
  wholeMs: 2500,
};
const TIMEOUT = { code: 'timeout' };

describe('rounds of tests', () => {
  /** Servers by number: those of `silent` never answer, the others at once. */
  class Servers {
    running = 0;
    most = 0;
    /** Number -> the time that it was given, for each time that it was tested. */
    readonly given = new Map<number, number[]>();
    readonly kept = new Map<number, string>();
    readonly #isSilent: (server: number) => boolean;

    constructor(isSilent: (server: number) => boolean) {
      this.#isSilent = isSilent;
    }

    test = async (server: number, attempt: Parameters<Parameters<typeof inRounds<number>>[1]>[1]): Promise<void> => {
      this.running += 1;
      this.most = Math.max(this.most, this.running);
      this.given.set(server, [...(this.given.get(server) ?? []), attempt.deadline.remaining()]);
      const { signal } = attempt.deadline;
      if (this.#isSilent(server)) {
        await setTimeout(60_000, undefined, { signal, ref: false }).catch(() => {});
        if (attempt.isFinding(TIMEOUT)) this.kept.set(server, 'timeout');
      } else {
        await setTimeout(1);
        if (attempt.isFinding(undefined)) this.kept.set(server, 'ok');
      }
      this.running -= 1;
    };
  }
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

  it('those who say nothing do not use up the time of the others, wherever they stand', async () => {
    const servers = new Servers((server) => server < 10);
    const found = await inRounds(numbers(60), servers.test, () => false, PACE);
    for (const server of numbers(60).slice(10)) expect(servers.kept.get(server), `${server}`).to.equal('ok');
    for (const server of numbers(10)) expect(servers.kept.get(server), `${server}`).to.equal('timeout');
    expect(found.size).to.equal(60);
  });

  it('no more run at a time than there are places', async () => {
    const servers = new Servers((server) => server % 3 === 0);
    await inRounds(numbers(30), servers.test, () => false, PACE);
    expect(servers.most).to.equal(4);
  });

  it('silence in the first round is no finding, and nobody is judged by less than the least', async () => {
    const servers = new Servers((server) => server < 5);
    await inRounds(numbers(20), servers.test, () => false, PACE);
    const [first = 0, second = 0] = servers.given.get(0) ?? [];
    expect(first).to.be.at.most(PACE.quickMs);
    expect(second).to.be.at.least(PACE.leastMs - 10);
    expect(servers.given.get(9)).to.have.length(1);
  });

  it('too many silent ones are not reached; the whole ends in time', async () => {
    const servers = new Servers((server) => server >= 20);
    const began = performance.now();
    const found = await inRounds(numbers(90), servers.test, () => false, { ...PACE, wholeMs: 800 });
    expect(performance.now() - began).to.be.below(patience(1600));
    for (const server of numbers(20)) expect(found.has(server)).to.equal(true);
    expect(found.size).to.be.below(90);
    for (const [server, outcome] of servers.kept) if (server >= 20) expect(outcome).to.equal('timeout');
  });

  it('where each has a place of its own it gets all the time at once', async () => {
    const servers = new Servers((server) => server === 0);
    const found = await inRounds(numbers(3), servers.test, () => false, { ...PACE, wholeMs: 400 });
    expect(servers.given.get(0)).to.have.length(1);
    expect(servers.given.get(0)?.[0]).to.be.above(300);
    expect(found.size).to.equal(3);
  });

  it('one that must not be hurried is tested once, with all the time that it takes', async () => {
    const servers = new Servers(() => false);
    await inRounds(numbers(20), servers.test, (server) => server % 2 === 0, PACE);
    for (const server of numbers(20)) expect(servers.given.get(server), `${server}`).to.have.length(1);
    expect(servers.given.get(18)?.[0]).to.be.above(PACE.calmMs);
    expect(servers.most).to.equal(4);
  });

  it('and a silent one of these holds up others of these alone', async () => {
    const servers = new Servers((server) => server < 6);
    const found = await inRounds(numbers(40), servers.test, (server) => server < 6, PACE);
    for (const server of numbers(40).slice(6)) expect(found.has(server), `${server}`).to.equal(true);
    expect(servers.most).to.be.at.most(4);
  });

  it('a test that could not be made is not made again', async () => {
    let tests = 0;
    const broken = async () => {
      tests += 1;
    };
    expect((await inRounds(numbers(20), broken, () => false, PACE)).size).to.equal(0);
    expect(tests).to.equal(20);
  });

  it('tests that do not end when they should make room for others, and find nothing afterwards', async () => {
    const late: boolean[] = [];
    const stuck = async (server: number, attempt: Parameters<Servers['test']>[1]) => {
      if (server < 8) await setTimeout(400);
      const isFinding = attempt.isFinding(undefined);
      if (server < 8) late.push(isFinding);
    };
    const found = await inRounds(numbers(30), stuck, () => false, PACE);
    expect([...found].sort((a, b) => a - b)).to.deep.equal(numbers(30).slice(8));
    await setTimeout(400);
    expect(late).to.deep.equal(Array(8).fill(false));
  });

  it('a test that does not end when it should keeps nobody', async () => {
    const began = performance.now();
    const stuck = async (server: number, attempt: { isFinding(error: undefined): boolean }) => {
      if (server === 0) await setTimeout(60_000, undefined, { ref: false });
      attempt.isFinding(undefined);
    };
    const found = await inRounds(numbers(6), stuck, () => false, { ...PACE, wholeMs: 300 });
    expect([...found].sort()).to.deep.equal([1, 2, 3, 4, 5]);
    expect(performance.now() - began).to.be.below(patience(1000));
  });
});
