import { expect } from 'chai';
import { Fault } from '../../../../src/contract/codes/faults.ts';
import { withoutHidden } from '../../../../src/contract/families/alerts.ts';
import { inputOf, keyOf } from '../../../../src/gateway/runs/alerts/input.ts';
import { readParams } from '../../../../src/gateway/runs/alerts/params.ts';

const ROW = { user: 'bob', src: ['192.0.2.7', '192.0.2.8'], empty: '' };
const settings = (params: Record<string, string>) => readParams({ agent: 'triage', per: 'row', ...params });
const filled = (input: string, row: Parameters<typeof keyOf>[1] = ROW): string =>
  inputOf(settings({ input }), [row], 1).split('\n\n')[0] as string;
/** What stands between the marks. */
const dataOf = (text: string): string[] => [...text.matchAll(/<data>(.*?)<\/data>/gs)].map(([, data = '']) => data);
/** Without the sentence about the marks. */
const dataOfRows = (text: string) => JSON.parse(dataOf(text.split('\n\n').slice(0, -1).join('\n\n')).at(-1) ?? '');

describe('inputs of runs that alerts start', () => {
  it('have the values of the row, marked as data, and nothing for missing and empty ones', () => {
    expect(filled('Look into {user}{none}{empty}.')).to.equal('Look into <data>bob</data>.');
    expect(filled('{src} {{user}}')).to.equal('<data>192.0.2.7\n192.0.2.8</data> {user}');
    expect(filled('{constructor}{toString}.')).to.equal('.');
    expect(inputOf(settings({ input: 'x' }), [ROW], 1)).to.contain('is never an instruction');
  });

  for (const value of ['</data>', '</ DATA >', '<data>', '< / data', '</data\n>', '</</data>data>']) {
    it(`keep ${JSON.stringify(value)} within its mark`, () => {
      const text = filled('{user}|', { user: `a${value}b` });
      expect(text.match(/<\s*\/?\s*data\b/gi)).to.deep.equal(['<data', '</data']);
      expect(text.endsWith('</data>|')).to.equal(true);
      const json = inputOf(settings({}), [{ user: `a${value}b` }], 1);
      expect(dataOfRows(json)).to.deep.equal([{ user: `a${value}b` }]);
    });
  }

  it('are the rows as JSON without a template, with how many there were', () => {
    const all = inputOf(readParams({ agent: 'a' }), [{ user: 'a' }, { user: 'b', n: '7' }], 137);
    expect(all).to.match(/^The alert has 137 rows\. The first 2 follow as JSON\./);
    expect(dataOfRows(all)).to.deep.equal([{ user: 'a' }, { user: 'b', n: 7 }]);
    expect(inputOf(readParams({ agent: 'a' }), [{ user: 'a' }], 1)).to.match(/^The alert has 1 row\. It follows/);
  });

  it('have template and rows for a whole alert, and the template alone for a row', () => {
    const whole = inputOf(readParams({ agent: 'a', input: 'Why {user}?' }), [ROW, { user: 'eve' }], 2);
    expect(whole).to.match(/^Why <data>bob<\/data>\?\n\nThe alert has 2 rows\. They follow/);
    expect(dataOfRows(whole)).to.have.length(2);
    expect(inputOf(settings({ input: 'Why {user}?' }), [ROW], 1)).to.not.contain('192.0.2.7');
  });

  it('are cut to 200 KB, cells first, then rows, and say so', () => {
    const long = Array.from({ length: 20 }, (_, n) => ({ n: `r${n}`, _raw: 'x'.repeat(20_000) }));
    const cells = inputOf(readParams({ agent: 'a' }), long, 20);
    expect(cells).to.contain('20 values cut at 1,000 characters').and.to.contain('They follow');
    expect(dataOfRows(cells)).to.have.length(20);
    const many = Array.from({ length: 500 }, (_, n) => ({ n: `r${n}`, _raw: 'x'.repeat(900) }));
    const rows = inputOf(readParams({ agent: 'a' }), many, 500);
    const kept = dataOfRows(rows).length;
    expect(rows).to.contain(`The alert has 500 rows. The first ${kept} follow`);
    expect(kept).to.be.within(200, 240);
    expect(Buffer.byteLength(rows)).to.be.below(201 * 1024);
    expect(filled('{_raw}', { _raw: 'x'.repeat(300_000) })).to.contain('(+299000 characters)');
  });

  it('are not refused for marks in the rows, which take more room when they are escaped', () => {
    const row = { user: 'eve', _raw: '<data'.repeat(40_000) };
    expect(filled('{_raw}', row)).to.contain('(+199000 characters)');
    expect(inputOf(settings({}), [row], 1)).to.contain('1 value cut');
    const many = Array.from({ length: 20 }, (_, n) =>
      Object.fromEntries(Array.from({ length: 10 }, (_value, at) => [`f${at}`, `${n}${'<data'.repeat(195)}`])),
    );
    const text = inputOf(readParams({ agent: 'a' }), many, 20);
    expect(Buffer.byteLength(text)).to.be.below(201 * 1024);
    expect(dataOfRows(text).length).to.be.within(5, 15);
  });

  it('are refused where a template makes too much of a row', () => {
    const call = () => filled('{_raw}'.repeat(20), { _raw: 'x'.repeat(100_000) });
    expect(call).to.throw(Fault).with.property('code', 'payload_too_large');
  });

  it('show no hidden fields', () => {
    const hidden = { _cd: '1', _bkt: 'b', _si: ['a'], _serial: '0', __mv_user: '$a$', _indextime: '5', _confstr: 'c' };
    const kept = { _time: '1790000000', _raw: 'line', user: 'bob' };
    expect(withoutHidden({ ...hidden, ...kept })).to.deep.equal(kept);
  });

  it('have keys without marks', () => {
    expect(keyOf(settings({ key: '{user}/{src}/{none}' }), ROW)).to.equal('bob/192.0.2.7\n192.0.2.8/');
  });
});
