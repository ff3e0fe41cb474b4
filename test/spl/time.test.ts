import { expect } from 'chai';
import { readTime } from '../../src/spl/time/modifier.ts';
import { brief, judge, NOW } from './tricky.ts';

/** Days from the earliest moment that a time can mean until now; the word for what has none. */
function daysBack(text: string): number | string {
  const time = readTime(text, NOW);
  return typeof time === 'string' ? time : (NOW.getTime() - time.earliest) / 86_400_000;
}

const verdictOf = (text: string): string => brief(judge(text));

describe('times in a search', () => {
  it('are read as splunkd reads them', () => {
    for (const [text, days] of [
      ['now', 0],
      ['now()', 0],
      ['-30d', 30],
      ['-d', 1],
      ['+1d', -1],
      ['-1w', 7],
      ['-90min', 90 / 1440],
      ['-2hrs', 2 / 24],
      ['-1mon', 31],
      ['-1q', 92],
      ['-1y', 365],
      ['-1d+12h', 0.5],
      [String(NOW.getTime() / 1000 - 86_400), 1],
      ['0', NOW.getTime() / 86_400_000],
      ['2026-11-27T12:00:00Z', 1],
      ['2026-11-27T12:00:00.000+01:00', 1 + 1 / 24],
    ] as const) {
      expect(daysBack(text), text).to.be.closeTo(days, 1e-9);
    }
  });

  it('reach back as far as they can in any time zone', () => {
    expect(daysBack('-1d@d')).to.equal(2);
    expect(daysBack('@w0')).to.equal(7);
    expect(daysBack('@h')).to.be.closeTo(1 / 24, 1e-9);
    expect(daysBack('@mon')).to.be.closeTo(27.5 + 14 / 24, 1e-9);
    expect(daysBack('@q')).to.be.closeTo(58.5 + 14 / 24, 1e-9);
    expect(daysBack('2026-11-27T12:00:00')).to.be.closeTo(1 + 14 / 24, 1e-9);
    expect(daysBack('11/27/2026:12:00:00')).to.be.closeTo(1 + 14 / 24, 1e-9);
    expect(daysBack('2026-11-28')).to.be.closeTo(0.5 + 14 / 24, 1e-9);
  });

  it('are real time or unreadable otherwise', () => {
    for (const text of ['rt', 'rt-5m', 'RTnow', 'rtnow']) expect(daysBack(text), text).to.equal('real time');
    for (const text of [
      '',
      'yesterday',
      '-1M',
      '-1fortnight',
      '1d',
      '-1d@',
      '@d7',
      '2026-13-45',
      '-1d x',
      '-99999999d',
      'now-',
      '1e3',
    ]) {
      expect(daysBack(text), text).to.equal('unreadable');
    }
  });
});

describe('the guard of times', () => {
  it('reads the range of the search', () => {
    const of = (earliest: string, latest = 'now') => brief(judge('index=web', { range: { earliest, latest } }));
    for (const earliest of ['-30d', '-24h', '-29d@d', '2026-11-01T00:00:00Z'])
      expect(of(earliest), earliest).to.equal('allowed');
    for (const earliest of ['', '0', '-31d', '-30d@d', 'rt-1m', 'x', '2026-10-01'])
      expect(of(earliest), earliest).to.equal('time');
    expect(of('-1h', 'rt')).to.equal('time');
    expect(of('-1h', 'soon')).to.equal('time');
    expect(
      brief(judge('index=web', { policy: { maxSpanDays: 400 }, range: { earliest: '-1y', latest: '-1mon' } })),
    ).to.equal('allowed');
  });

  it('reads the limits within the text, at any depth', () => {
    for (const limit of [
      'earliest=-90d',
      'earliest = 0',
      'EARLIEST="-90d"',
      '"earliest"=-90d',
      'earl\\iest=0',
      '_index_earliest=-1y',
      'earliest::0',
    ]) {
      expect(verdictOf(`index=web ${limit} latest=now`), limit).to.equal('time');
      expect(verdictOf(`index=web | append [search index=app ${limit}]`), limit).to.equal('time');
      expect(verdictOf(`index=web [search index=app ${limit} | fields host]`), limit).to.equal('time');
      expect(verdictOf(`| tstats count where index=web ${limit} by host`), limit).to.equal('time');
    }
    expect(
      verdictOf('index=web earliest=-4h@h latest=now | append [search index=web earliest="-1d" latest=-4h]'),
    ).to.equal('allowed');
    expect(verdictOf('index=web (earliest=-4h OR status=5)')).to.equal('allowed');
  });

  it('refuses what it cannot read', () => {
    for (const limit of [
      'earliest=$x$',
      'earliest>0',
      'earliest!=5',
      'earliest IN (0, 1)',
      'earliest=relative_time(now(),"-1y")',
      'earliest=[search index=web]',
      'earliest=-1h"x"',
    ]) {
      expect(verdictOf(`index=web ${limit}`), limit).to.equal('time');
    }
  });

  it('refuses an end without a start, which would begin in 1970', () => {
    expect(verdictOf('index=web latest=-1h')).to.equal('time');
  });

  it('reads the spellings of earlier versions', () => {
    for (const limit of [
      'daysago=30',
      'starthoursago=168 endhoursago=1',
      'minutesago=5',
      'starttimeu=1795867200',
      'STARTDAYSAGO=1',
    ]) {
      expect(verdictOf(`index=web ${limit}`), limit).to.equal('allowed');
    }
    for (const limit of [
      'daysago=31',
      'hoursago=721',
      'startmonthsago=2',
      'monthsago=1',
      'starttimeu=0',
      'starthoursago=-1',
      'minutesago=x',
      'daysago=$d$',
      'daysago>1',
    ]) {
      expect(verdictOf(`index=web ${limit}`), limit).to.equal('time');
    }
    for (const limit of ['endhoursago=1', 'endtimeu=1795867200', '_index_earliest=-1h latest=now']) {
      expect(verdictOf(`index=web ${limit}`), limit).to.equal('time');
    }
    for (const name of [
      'starttime',
      'endtime',
      'timeformat',
      'searchtimespandays',
      'searchtimespanhours',
      'searchtimespanminutes',
    ]) {
      expect(verdictOf(`index=web earliest=-1h ${name}=1`), name).to.equal('time');
    }
  });

  it('refuses limits that a subsearch would compute', () => {
    for (const search of [
      '| makeresults | eval earliest=0 | return earliest',
      '| makeresults | eval search="earliest=0" | fields search',
      'search index=web | stats earliest(_time) as earliest | format',
      'search index=web | rename first as "latest"',
      '| tstats min(_time) as starttimeu where index=web',
    ]) {
      expect(verdictOf(`index=web [${search}]`), search).to.equal('time');
      expect(verdictOf(`index=web | append [search index=app [${search}]]`), search).to.equal('time');
    }
  });

  it('leaves fields and functions of these names alone', () => {
    expect(
      verdictOf('index=web | stats earliest(_time) as earliest latest(_time) as latest by host | where earliest>0'),
    ).to.equal('allowed');
    expect(verdictOf('index=web | eval starttime=0, endtime=1 | table starttime')).to.equal('allowed');
    expect(verdictOf('index=web [search index=app | stats latest(user) as user | fields user]')).to.equal('allowed');
    expect(verdictOf('index=web | append [search index=app | stats earliest(_time) as earliest]')).to.equal('allowed');
    expect(verdictOf('index=web "earliest=0" earliest')).to.equal('allowed');
    expect(verdictOf('index=web [search index=app x="earliest" host=latest | fields host]')).to.equal('allowed');
  });
});
