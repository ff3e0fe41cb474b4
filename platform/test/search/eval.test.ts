import { expect } from 'chai';
import { stage } from '../../src/search/pipeline/builtins.ts';
import { ArgumentError, parseSearch } from '../../src/search/pipeline/spl.ts';
import { newRow } from '../../src/search/results/rows.ts';

function evaluated(text: string, row: Record<string, string | string[]> = {}): Record<string, string | string[]> {
  const [part] = parseSearch(`| ${text}`);
  if (part === undefined) throw new Error('no command');
  const rows = [Object.assign(newRow(), row)];
  const [found] = stage(part).push({ columns: Object.keys(row), rows }).rows;
  return { ...found };
}

describe('embedded platform: eval', () => {
  for (const [expression, value] of [
    ['"a \\"b\\" | c"', 'a "b" | c'],
    ['12.5', '12.5'],
    ['n', '7'],
    ["'odd name'", 'x'],
    ['"row ".n." of ".(n+1)', 'row 7 of 8'],
    ['1+2*3-4/2', '5'],
    ['-n % 4', '-3'],
    ['(1+2)*3', '9'],
    ['"a"+"b"', 'ab'],
    ['if(n>5, "many", "few")', 'many'],
    ['if(n=7.0, n!="8", 1)', 'true'],
    ['if(name<"b" , upper(name), len(name))', 'A'],
    ['coalesce(none, name)', 'a'],
    ['tostring(tonumber("08"))', '8'],
  ] as const) {
    it(`gives ${value} for ${expression}`, () => {
      const row = { n: '7', name: 'a', 'odd name': 'x' };
      expect(evaluated(`eval out=${expression}`, row)).to.deep.equal({ ...row, out: value });
    });
  }

  it('evaluates several assignments in order', () => {
    expect(evaluated('eval a=1, b=a+1, a=b.a')).to.deep.equal({ a: '21', b: '2' });
  });

  it('makes multivalue fields, and no field of null', () => {
    expect(evaluated('eval a=split("x,y", ","), b=mvappend(a, "z")').b).to.deep.equal(['x', 'y', 'z']);
    expect(evaluated('eval a=null(), b=1/0, c=none.name', { a: '1' })).to.deep.equal({});
    expect(evaluated('eval a=if(isnull(none), 1, 2), b=if(isnotnull(a), 1, 2)')).to.deep.equal({ a: '1', b: '1' });
  });

  for (const [condition, kept, dropped] of [
    ['state="failing"', { state: 'failing' }, { state: 'ok' }],
    ['state!="ok"', { state: 'failing' }, { other: 'x' }],
    ['days <= 9.5', { days: '9.5' }, { days: '10' }],
    ['days<10', { days: '9' }, { days: '' }],
    ['a="1" AND b="2" OR c="3"', { a: '1', b: '2' }, { a: '1', b: '3' }],
    ['a="1" and (b="2" or c="3")', { a: '1', c: '3' }, { c: '3' }],
    ['isnum(a) AND a<=14', { a: '3' }, { a: 'x' }],
    ['isnum(a) AND a<=14', { a: '14' }, { a: ' ' }],
  ] as const) {
    it(`keeps rows where ${condition}`, () => {
      expect(evaluated(`where ${condition}`, kept)).to.deep.equal(kept);
      expect(evaluated(`where ${condition}`, dropped)).to.deep.equal({});
    });
  }

  it('numbers rows with streamstats', () => {
    const [part] = parseSearch('| streamstats count as n');
    if (part === undefined) throw new Error('no command');
    const one = stage(part);
    const rows = [1, 2].flatMap(() => one.push({ columns: [], rows: [newRow(), newRow()] }).rows);
    expect(rows.map(({ n }) => n)).to.deep.equal(['1', '2', '3', '4']);
    expect(evaluated('streamstats count')).to.deep.equal({ count: '1' });
  });

  it('ignores properties of Object.prototype', () => {
    expect(evaluated('eval a=toString, b=constructor')).to.deep.equal({});
  });

  for (const text of [
    'eval',
    'eval a',
    'eval a=',
    'eval a=(1',
    'eval a=1 2',
    'eval a=nope(1)',
    'eval a=1,',
    'eval a=&',
    'where',
    'where match(a)',
    'where match(a,"(") NEAR b',
    'eval a=if(1)',
    'where NOT',
    'streamstats nope(x)',
    'streamstats window=2 count',
    'streamstats count as',
  ]) {
    it(`refuses ${text}`, () => {
      expect(() => evaluated(text)).to.throw(ArgumentError);
    });
  }
});
