import { mock } from 'node:test';
import { expect } from 'chai';

// The types of the pages are compiled separately.
const load = (path: string) => import(new URL(`../../../console/${path}`, import.meta.url).href);
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

describe('polling of the console', () => {
  it('doubles the pause after each failure, up to a minute', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 1000].map(pauseAfter)).to.deep.equal([
      ...[1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000],
    ]);
  });

  it('reads the feature flags more often while one is off', () => {
    expect(flagsPause({ a: true, b: false })).to.be.below(5000);
    expect(flagsPause({ a: true, b: true })).to.equal(flagsPause());
    expect(flagsPause()).to.be.above(flagsPause({ b: false }));
  });
});

describe('attention to a page of the console', () => {
  let tab: Tab;
  let changes: boolean[];
  let stop: () => void;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    tab = new Tab();
    changes = [];
    stop = watchAttention(tab, (isThere) => changes.push(isThere));
  });
  afterEach(() => {
    stop();
    mock.timers.reset();
  });

  it('follows the visibility of the tab', () => {
    tab.turn(true);
    tab.turn(false);
    expect(changes).to.deep.equal([false, true]);
  });

  it('ends after ten minutes without activity, and resumes with the next', () => {
    mock.timers.tick(IDLE_MS - 1);
    tab.touch();
    mock.timers.tick(IDLE_MS - 1);
    expect(changes).to.deep.equal([]);
    mock.timers.tick(1);
    expect(changes).to.deep.equal([false]);
    mock.timers.tick(IDLE_MS);
    tab.touch('pointermove');
    tab.touch();
    expect(changes).to.deep.equal([false, true]);
  });

  it('does not resume in a hidden tab', () => {
    tab.turn(true);
    tab.touch('focusin');
    mock.timers.tick(IDLE_MS);
    tab.touch();
    expect(changes).to.deep.equal([false]);
    tab.turn(false);
    expect(changes).to.deep.equal([false, true]);
  });

  it('reports a page that opens hidden at once, and nothing once it is stopped', () => {
    const unseen = new Tab();
    unseen.hidden = true;
    const seen: boolean[] = [];
    const end = watchAttention(unseen, (isThere) => seen.push(isThere));
    expect(seen).to.deep.equal([false]);
    end();
    unseen.turn(false);
    mock.timers.tick(2 * IDLE_MS);
    expect(seen).to.deep.equal([false]);
  });
});

describe('a change of the console whose answer was lost', () => {
  const before = { values: { description: 'old', tools: ['a'] }, version: 3 };
  const mine = { description: 'new', tools: ['a'] };
  const now = (values: object, version: number | undefined): Read => ({ values, version });

  it('was made if the stored values are those that were sent', () => {
    expect(outcomeOf(before, mine, now({ description: 'new', tools: ['b'] }, 5))).to.equal('done');
  });

  it('was not made if the version is still the one that was read', () => {
    expect(outcomeOf(before, mine, now(before.values, 3))).to.equal('unchanged');
  });

  it('conflicts if another version has other values', () => {
    expect(outcomeOf(before, mine, now({ description: 'theirs' }, 4))).to.equal('changed');
  });

  it('is recognized by its values if there are no versions', () => {
    const unversioned = { ...before, version: undefined };
    expect(outcomeOf(unversioned, mine, now(mine, undefined))).to.equal('done');
    expect(outcomeOf(unversioned, mine, now(before.values, undefined))).to.equal('unchanged');
  });

  it('with a secret conflicts once the version has changed', () => {
    expect(outcomeOf(before, { ...mine, token: 'typed' }, now({ ...mine, token: Symbol('stored') }, 4))).to.equal(
      'changed',
    );
  });
});
