import { expect } from 'chai';
import { mergePatch, nestsDeeperThan } from '../../../src/domain/values/json.ts';
import { cronProblem } from '../../../src/families/experiments/cron.ts';
import { modelFiles, preferred } from '../../../src/families/model-files/files.ts';
import { LookupData, memoryLookups } from '../../support/memory/lookupFiles.ts';

describe('cron expressions', () => {
  it('accepts the expressions of the platform', () => {
    for (const text of [
      '* * * * *',
      '*/5 0-23/2 1,15,31 JAN-dec sun',
      '0 0 1 1 7',
      ' 5  4 * *  1-5 ',
      '59 23 31 12 0',
    ]) {
      expect(cronProblem(text), text).to.equal(undefined);
    }
  });
  it('names the invalid field', () => {
    for (const [text, field] of [
      ['60 * * * *', 'minute'],
      ['* 24 * * *', 'hour'],
      ['* * 0 * *', 'day of the month'],
      ['* * * 13 *', 'month'],
      ['* * * * 8', 'day of the week'],
      ['*/0 * * * *', 'minute'],
      ['5-1 * * * *', 'minute'],
      ['1,, * * * *', 'minute'],
      ['@ * * * *', 'minute'],
    ]) {
      expect(cronProblem(text ?? ''), text).to.contain(field);
    }
    for (const text of ['', '* * * *', '* * * * * *', '@daily'])
      expect(cronProblem(text), text).to.contain('five fields');
  });
});

describe('merge patch', () => {
  it('passes the cases of RFC 7396', () => {
    const cases: [unknown, unknown, unknown][] = [
      [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
      [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
      [{ a: 'b' }, { a: null }, {}],
      [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
      [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
      [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
      [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
      [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
      [
        ['a', 'b'],
        ['c', 'd'],
        ['c', 'd'],
      ],
      [{ a: 'b' }, ['c'], ['c']],
      [{ a: 'foo' }, null, null],
      [{ e: null }, { a: 1 }, { e: null, a: 1 }],
      [[1, 2], { a: 'b', c: null }, { a: 'b' }],
      [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    ];
    for (const [target, patch, result] of cases) expect(mergePatch(target, patch)).to.deep.equal(result);
  });
  it('treats __proto__ as an ordinary key', () => {
    const merged = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}')) as object;
    expect(Object.hasOwn(merged, '__proto__')).to.equal(true);
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
    expect((merged as Record<string, unknown>).polluted).to.equal(undefined);
  });
});

describe('nesting', () => {
  it('is measured iteratively', () => {
    expect(nestsDeeperThan({ a: [{ b: 1 }] }, 3)).to.equal(false);
    expect(nestsDeeperThan({ a: [{ b: 1 }] }, 2)).to.equal(true);
    expect(nestsDeeperThan('text', 0)).to.equal(false);
    expect(nestsDeeperThan(undefined, 0)).to.equal(false);
    expect(nestsDeeperThan(JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)), 100_000)).to.equal(true);
  });
});

describe('model files', () => {
  it('are recognized among other lookups and ranked', async () => {
    const data = new LookupData();
    data.put('nobody', '__mlspl_m.mlmodel');
    data.put('ann', '__mlspl_m.mlmodel', '', 'search');
    data.put('ben', '__mlspl_m.mlmodel');
    data.put('ann', '__mlspl_.mlmodel');
    data.put('ann', '__mlspl_noextension');
    data.put('ann', 'other.csv');
    const files = await modelFiles(memoryLookups(data, 'root'));
    expect(files.map(({ model, extension, owner }) => [model, extension, owner])).to.deep.equal([
      ['m', 'mlmodel', 'nobody'],
      ['m', 'mlmodel', 'ann'],
      ['m', 'mlmodel', 'ben'],
    ]);
    expect(preferred(files, 'ann')?.owner).to.equal('ann');
    expect(preferred(files, 'ben')?.owner).to.equal('ben');
    expect(preferred(files, 'root')?.owner).to.equal('nobody');
    expect(preferred([], 'root')).to.equal(undefined);
  });
});
