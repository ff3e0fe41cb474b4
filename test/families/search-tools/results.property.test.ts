import { expect } from 'chai';
import fc from 'fast-check';
import { tableOf } from '../../../src/families/search-tools/results/cells.ts';
import { shapeResult } from '../../../src/families/search-tools/results/result.ts';
import type { PlatformRows } from '../../../src/ports/platform/platformSearches.ts';
import { holds } from '../../support/property.ts';

const platformRows = (
  fields: string[],
  rows: PlatformRows['rows'],
  more: Partial<PlatformRows> = {},
): PlatformRows => ({
  ...{ fields, rows, total: rows.length, isPartial: false, messages: [], ...more },
});

const LONG = fc.string({ maxLength: 3000, unit: 'grapheme' });
const VALUE = fc.oneof(
  fc.string(),
  LONG,
  fc.array(fc.oneof(fc.string(), LONG), { maxLength: 80 }),
  fc.double().map(String),
);

describe('rows of a search', () => {
  it('are numbers where a text reads as exactly that, and nothing else is changed', () => {
    for (const [text, value] of [
      ['12', 12],
      ['-3.5', -3.5],
      ['0', 0],
      ['007', '007'],
      ['1e3', '1e3'],
      ['1.0', '1.0'],
      ['-0', '-0'],
      ['', ''],
      [' 1', ' 1'],
      ['9007199254740993', '9007199254740993'],
      ['NaN', 'NaN'],
      ['Infinity', 'Infinity'],
      ['0x10', '0x10'],
    ] as const)
      expect(tableOf(['a', 'b'], [{ a: text, b: 'x' }]).rows[0]?.at(-2) ?? '', text).to.equal(value);
  });

  it('have no hidden fields and no columns without a value', () => {
    const rows = [
      { _time: '2026-01-01T00:00:00.000+02:00', _raw: 'a', _cd: '1', host: 'h', empty: '', none: [] },
      { _time: '1767225600.5', host: '', many: ['1', 'x'] },
    ];
    expect(tableOf(['_time', '_raw', '_cd', 'host', 'empty', 'none', 'many'], rows)).to.deep.equal({
      fields: ['_time', '_raw', 'host', 'many'],
      rows: [
        ['2026-01-01T00:00:00.000+02:00', 'a', 'h', null],
        ['2026-01-01T00:00:00.500Z', null, '', [1, 'x']],
      ],
    });
  });

  it('are whole while they fit', () => {
    const rows = [{ a: 'x'.repeat(5000) }, { a: ['1', 'two,"'] }];
    const { result, text } = shapeResult(platformRows(['a'], rows), 64 * 1024);
    expect(result).not.to.have.property('truncated');
    expect(result.rows).to.deep.equal([['x'.repeat(5000)], [[1, 'two,"']]]);
    expect(text).to.equal(`a\n${'x'.repeat(5000)}\n"1\ntwo,"""\n`);
  });

  it('lose the ends of long cells before any row', () => {
    const rows = [{ a: 'x'.repeat(200_000) }, ...Array.from({ length: 20 }, (_, n) => ({ a: `row ${n}` }))];
    const { result, text } = shapeResult(platformRows(['a'], rows), 32 * 1024);
    expect(result).to.include({ count: 21, truncated: true });
    expect(text)
      .to.match(/\(\+199000 characters\)/)
      .and.to.match(/1 cell cut/);
  });

  it('always fit, say what is missing, and are well-formed', () => {
    holds(
      fc.property(
        fc.array(fc.dictionary(fc.string({ minLength: 1, maxLength: 40 }), VALUE, { maxKeys: 30 }), { maxLength: 60 }),
        fc.constantFrom(2048, 32 * 1024, 64 * 1024),
        fc.nat(100_000),
        (rows, most, more) => {
          const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
          const { result, text } = shapeResult(platformRows(fields, rows, { total: rows.length + more }), most);
          expect(Buffer.byteLength(JSON.stringify(result))).to.be.at.most(most);
          expect(Buffer.byteLength(text)).to.be.at.most(most);
          expect(text.isWellFormed()).to.equal(true);
          expect(result.count).to.equal(result.rows.length);
          for (const row of result.rows) expect(row).to.have.length(result.fields.length);
          if (result.count < rows.length + more) expect(result.truncated).to.equal(true);
          else if (result.truncated !== true) expect(result.rows).to.deep.equal(tableOf(fields, rows).rows);
        },
      ),
    );
  });
});
