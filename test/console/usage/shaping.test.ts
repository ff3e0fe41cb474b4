import { expect } from 'chai';

interface Span {
  earliest: number;
  latest: number;
}
interface Times {
  spanOf(range: string, now: number): Span;
  intervalOf(wished: string | null, span: Span, now: number): string;
  beginsOf(span: Span, interval: string): number[];
  timeWords(at: number, interval: string): string;
}
interface Stacks {
  stackOf(
    values: readonly { at: number; group: string; value: number }[],
    begins: readonly number[],
    others: string,
  ): { names: string[]; points: { at: number; values: number[]; total: number }[] };
}
interface Address {
  askedIn(url: URLSearchParams): Record<string, string | null>;
  spanIn(asked: object, now: number): Span;
}
type Search = (shown: Span & { index: string; by: string }, show: string, interval?: string) => string;

// The types of the pages are compiled separately.
const load = (name: string) => import(new URL(`../../../console/${name}.ts`, import.meta.url).href);
const { beginsOf, intervalOf, spanOf, timeWords } = (await load('views/usage/uses/time')) as Times;
const { stackOf } = (await load('parts/chart/stack')) as Stacks;
const { askedIn, spanIn } = (await load('views/usage/uses/asked')) as Address;
const { costWords } = (await load('parts/text/format')) as { costWords(cost?: number): string };
const { searchByGroup, searchOverTime } = (await load('views/usage/uses/search')) as Record<string, Search>;

const HOUR = 3600;
const DAY = 24 * HOUR;
/** 25 November 2026, 04:20 UTC */
const NOW = Date.UTC(2026, 10, 25, 4, 20) / 1000;
const at = (text: string): number => Date.parse(`${text}Z`) / 1000;

describe('the usage page: times', () => {
  it('end with the hour under way, since usage is summed by hours', () => {
    expect(spanOf('24h', NOW)).to.deep.equal({ earliest: at('2026-11-24T05:00'), latest: at('2026-11-25T05:00') });
  });

  it('have bars of hours, days or months, as many as can be told apart', () => {
    const expected = { '24h': 'hour', '7d': 'day', '30d': 'day', '90d': 'day', '1y': 'month' };
    for (const [range, interval] of Object.entries(expected))
      expect(intervalOf(null, spanOf(range, NOW), NOW), range).to.equal(interval);
    expect(intervalOf('hour', spanOf('7d', NOW), NOW), 'chosen').to.equal('hour');
    expect(intervalOf('hour', spanOf('30d', NOW), NOW), 'too many bars').to.equal('day');
    expect(intervalOf('week', spanOf('30d', NOW), NOW), 'unknown').to.equal('day');
  });

  it('older than the kept hours have no bars of hours, which the app would refuse', () => {
    const day = (before: number) => ({ earliest: NOW - before * DAY, latest: NOW - (before - 1) * DAY });
    expect(intervalOf('hour', day(30), NOW)).to.equal('hour');
    expect(intervalOf('hour', day(36), NOW)).to.equal('day');
    expect(intervalOf(null, day(36), NOW)).to.equal('day');
  });

  it('begin with the hours, days and months of UTC', () => {
    const span = { earliest: at('2026-01-30T22:00'), latest: at('2026-03-01T01:00') };
    expect(beginsOf(span, 'month')).to.deep.equal(
      ['2026-01-01', '2026-02-01', '2026-03-01'].map((day) => at(`${day}T00:00`)),
    );
    const days = beginsOf(span, 'day');
    expect([days[0], days.at(-1), days.length]).to.deep.equal([at('2026-01-30T00:00'), at('2026-03-01T00:00'), 31]);
    expect(beginsOf({ earliest: NOW - 2 * HOUR, latest: NOW }, 'hour')).to.have.length(3);
    expect(timeWords(at('2026-01-01T00:00'), 'month')).to.equal('Jan 2026');
    expect(timeWords(at('2026-01-30T00:00'), 'day')).to.equal('30 Jan 2026');
  });
});

describe('the usage page: the address', () => {
  const asked = (query: string) => askedIn(new URLSearchParams(query));

  it('asks for the requests of thirty days by model where it says nothing, or what does not exist', () => {
    const usual = { range: '30d', by: 'model', show: 'requests', from: '', until: '', interval: null };
    expect(asked('')).to.deep.equal(usual);
    expect(asked('range=9y&by=colour&show=joy')).to.deep.equal(usual);
  });

  it('has a range of its own in both notations of the API', () => {
    const own = asked('earliest=2026-11-01T10:30:00Z&latest=1793620800&by=user&show=cost&interval=day');
    expect(own).to.include({ range: 'custom', by: 'user', show: 'cost', interval: 'day' });
    expect(spanIn(own, NOW)).to.deep.equal({ earliest: at('2026-11-01T10:00'), latest: at('2026-11-02T12:00') });
  });

  it('never asks beyond now, nor for more than ten years', () => {
    const { earliest, latest } = spanIn(asked('earliest=0001-01-01T00:00:00Z&latest=9999-01-01T00:00:00Z'), NOW);
    expect(latest).to.equal(at('2026-11-25T05:00'));
    expect((latest - earliest) / DAY).to.equal(3650);
    expect(spanIn(asked('range=custom&earliest=nonsense'), NOW)).to.deep.equal(spanOf('30d', NOW));
  });
});

describe('the usage page: numbers', () => {
  it('stacks the five largest groups, and the others together, with 0 where there is no use', () => {
    const groups = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const values = groups.map((group, place) => ({ at: place % 2, group, value: place + 1 }));
    const { names, points } = stackOf([...values, { at: 1, group: 'zero', value: 0 }], [0, 1, 2], 'other models');
    expect(names).to.deep.equal(['g', 'f', 'e', 'd', 'c', 'other models']);
    expect(points).to.deep.equal([
      { at: 0, values: [7, 0, 5, 0, 3, 1], total: 16 },
      { at: 1, values: [0, 6, 0, 4, 0, 2], total: 12 },
      { at: 2, values: [0, 0, 0, 0, 0, 0], total: 0 },
    ]);
  });

  it('keeps the order of equal groups, so that colours stay', () => {
    const two = [
      { at: 0, group: 'b', value: 1 },
      { at: 0, group: 'a', value: 1 },
    ];
    expect(stackOf(two, [0], 'others').names).to.deep.equal(['a', 'b']);
    expect(stackOf([...two].reverse(), [0], 'others').names).to.deep.equal(['a', 'b']);
  });

  it('shows a cost below a cent, and none where there is no price', () => {
    expect([1234.5, 0.02, 0.00042, 0, undefined].map(costWords)).to.deep.equal([
      '$1,234.50',
      '$0.02',
      '$0.00042',
      '$0.00',
      '–',
    ]);
  });
});

describe('the usage page: searches', () => {
  const shown = { index: 'index=_internal', by: 'model', earliest: 1, latest: 2 };
  const events =
    'index=_internal sourcetype=ml_extension:usage earliest=1 latest=2 | eval tokens=coalesce(input_tokens, 0)+coalesce(output_tokens, 0) | fillnull value="none" model';

  it('have the time, the sum and the grouping of the chart', () => {
    expect(searchOverTime?.(shown, 'failed', 'hour')).to.equal(
      `${events} | timechart span=1h limit=5 count(eval(outcome="fail")) AS failed by model`,
    );
    expect(searchOverTime?.(shown, 'cost', 'month')).to.equal(
      `${events} | timechart span=1mon limit=5 sum(cost) AS cost by model`,
    );
    expect(searchByGroup?.(shown, 'tokens')).to.match(/ by model \| sort - tokens$/);
  });
});
