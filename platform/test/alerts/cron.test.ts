import { expect } from 'chai';
import { parseCron, periodOf } from '../../src/alerts/runs/cron.ts';

const seconds = (text: string): number => Date.parse(`${text}Z`) / 1000;
const next = (cron: string, after: string): string | undefined => {
  const time = parseCron(cron)?.next(seconds(after));
  return time === undefined ? undefined : new Date(time * 1000).toISOString().slice(0, 16);
};

describe('cron schedules', () => {
  const CASES: [string, string, string | undefined][] = [
    ['* * * * *', '2026-01-31T23:59:00', '2026-02-01T00:00'],
    ['* * * * *', '2026-01-31T23:58:59', '2026-01-31T23:59'],
    ['*/15 * * * *', '2026-01-01T10:15:00', '2026-01-01T10:30'],
    ['5-20/5,50 * * * *', '2026-01-01T10:20:00', '2026-01-01T10:50'],
    ['10/20 * * * *', '2026-01-01T10:31:00', '2026-01-01T10:50'],
    ['7 6 * * *', '2026-01-01T06:07:00', '2026-01-02T06:07'],
    ['0 0 1 */3 *', '2026-01-01T00:00:00', '2026-04-01T00:00'],
    ['0 12 * * 0', '2026-01-01T00:00:00', '2026-01-04T12:00'],
    ['0 12 * * 7', '2026-01-01T00:00:00', '2026-01-04T12:00'],
    ['0 12 13 * 5', '2026-01-01T00:00:00', '2026-01-02T12:00'],
    ['0 0 29 2 *', '2026-01-01T00:00:00', '2028-02-29T00:00'],
    ['0 0 30 2 *', '2026-01-01T00:00:00', undefined],
  ];
  for (const [cron, after, time] of CASES) {
    it(`${cron} after ${after}`, () => expect(next(cron, after)).to.equal(time));
  }

  it('are refused unless they have five fields within their bounds', () => {
    const wrong = ['', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *', '* * * * 8'];
    const unread = ['a * * * *', '*/0 * * * *', '5-2 * * * *', '1,,2 * * * *', '-1 * * * *', '* * * jan *', '@hourly'];
    for (const cron of [...wrong, ...unread]) expect(parseCron(cron), cron).to.equal(undefined);
  });

  it('have a period', () => {
    const cron = parseCron('*/5 * * * *');
    expect(cron && periodOf(cron, seconds('2026-01-01T10:01:00'))).to.equal(300);
  });
});
