import { mock } from 'node:test';
import { expect } from 'chai';

// Pages are compiled by rules of their own: what is theirs is not known by its types here.
const load = (path: string) => import(new URL(`../../console/${path}`, import.meta.url).href);
/** As the guide says. */
const IDLE_MS = 10 * 60_000;
const { watchAttention } = (await load('api/attention.ts')) as {
  watchAttention(page: EventTarget, tell: (isThere: boolean) => void): () => void;
};
const { flagsPause, pauseAfter } = (await load('api/pauses.ts')) as {
  flagsPause(flags?: object): number;
  pauseAfter(tries: number): number;
};
const { outcomeOf } = (await load('parts/form/lost.ts')) as {
  outcomeOf(before: Read, mine: object, now: Read): string;
};

interface Read {
  values: object;
  version: number | undefined;
}

class Tab extends EventTarget {
  hidden = false;

  turn(hidden: boolean): void {
    this.hidden = hidden;
    this.dispatchEvent(new Event('visibilitychange'));
  }

  touch(sign = 'keydown'): void {
    this.dispatchEvent(new Event(sign));
  }
}

describe('what a page asks by itself', () => {
  it('waits twice as long after each try that fails, and a minute at most', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 1000].map(pauseAfter)).to.deep.equal([
      ...[1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000],
    ]);
  });

  it('looks more often at the switches while one is off: with the five seconds of a driver, ten at most', () => {
    expect(flagsPause({ a: true, b: false })).to.be.below(5000);
    expect(flagsPause({ a: true, b: true })).to.equal(flagsPause());
    expect(flagsPause()).to.be.above(flagsPause({ b: false }));
  });
});

describe('whether somebody looks at a page', () => {
  let tab: Tab;
  let told: boolean[];
  let stop: () => void;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    tab = new Tab();
    told = [];
    stop = watchAttention(tab, (isThere) => told.push(isThere));
  });
  afterEach(() => {
    stop();
    mock.timers.reset();
  });

  it('follows the tab', () => {
    tab.turn(true);
    tab.turn(false);
    expect(told).to.deep.equal([false, true]);
  });

  it('ends after ten minutes without a touch, and begins with the next one', () => {
    mock.timers.tick(IDLE_MS - 1);
    tab.touch();
    mock.timers.tick(IDLE_MS - 1);
    expect(told).to.deep.equal([]);
    mock.timers.tick(1);
    expect(told).to.deep.equal([false]);
    mock.timers.tick(IDLE_MS);
    tab.touch('pointermove');
    tab.touch();
    expect(told).to.deep.equal([false, true]);
  });

  it('does not begin with what happens in a tab that cannot be seen', () => {
    tab.turn(true);
    tab.touch('focusin');
    mock.timers.tick(IDLE_MS);
    tab.touch();
    expect(told).to.deep.equal([false]);
    tab.turn(false);
    expect(told).to.deep.equal([false, true]);
  });

  it('is told at once of a page that opens unseen, and no more once it is stopped', () => {
    const unseen = new Tab();
    unseen.hidden = true;
    const said: boolean[] = [];
    const end = watchAttention(unseen, (isThere) => said.push(isThere));
    expect(said).to.deep.equal([false]);
    end();
    unseen.turn(false);
    mock.timers.tick(2 * IDLE_MS);
    expect(said).to.deep.equal([false]);
  });
});

describe('a change whose answer was lost', () => {
  const before = { values: { description: 'old', tools: ['a'] }, version: 3 };
  const mine = { description: 'new', tools: ['a'] };
  const now = (values: object, version: number | undefined): Read => ({ values, version });

  it('was made, if what is stored is what was sent, whatever else somebody has changed', () => {
    expect(outcomeOf(before, mine, now({ description: 'new', tools: ['b'] }, 5))).to.equal('done');
  });

  it('was not made, if the version is the one that was read', () => {
    expect(outcomeOf(before, mine, now(before.values, 3))).to.equal('unchanged');
  });

  it('has met a change of somebody else, if there is another version with other values', () => {
    expect(outcomeOf(before, mine, now({ description: 'theirs' }, 4))).to.equal('changed');
  });

  it('is told by its values, where there are no versions', () => {
    const unversioned = { ...before, version: undefined };
    expect(outcomeOf(unversioned, mine, now(mine, undefined))).to.equal('done');
    expect(outcomeOf(unversioned, mine, now(before.values, undefined))).to.equal('unchanged');
  });

  it('with a secret counts as unknown once the version has moved: nobody can compare it', () => {
    expect(outcomeOf(before, { ...mine, token: 'typed' }, now({ ...mine, token: Symbol('stored') }, 4))).to.equal(
      'changed',
    );
  });
});
