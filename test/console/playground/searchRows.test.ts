import { expect } from 'chai';
import { shapeResult } from '../../../src/families/search-tools/results/result.ts';

interface ResultRows {
  fields: string[];
  rows: string[][];
  notes: string;
}

// The types of the pages are compiled separately.
const address = new URL('../../../console/parts/search/resultText.ts', import.meta.url).href;
const { rowsIn }: { rowsIn(text: string): ResultRows | undefined } = await import(address);

const LIMIT = 64 * 1024;
const textOf = (fields: string[], rows: Record<string, unknown>[], more: object = {}, notes: string[] = []) =>
  shapeResult({ fields, rows, total: rows.length, isPartial: false, messages: [], ...more }, LIMIT, notes).text;

describe('the result of a search tool in a conversation', () => {
  it('is the rows that the model reads, with what was cut apart from them', () => {
    const rows = [
      { host: 'web-1, "old"', _raw: 'two\n\nlines', n: 1 },
      { host: ['a', 'b'], _raw: '=1+1', n: '007' },
    ];
    const messages = [{ type: 'WARN', text: 'Field "x" does not exist,\nin the data' }];
    expect(rowsIn(textOf(['host', '_raw', 'n'], rows, { messages, total: 5 }, ['A sample "of" it']))).to.deep.equal({
      fields: ['host', '_raw', 'n'],
      rows: [
        ['web-1, "old"', 'two\n\nlines', '1'],
        ['a\nb', '=1+1', '007'],
      ],
      notes: [
        'A sample "of" it',
        '2 of 5 rows. Narrow the search, summarize with stats, or ask for fewer fields.',
        'WARN: Field "x" does not exist,\nin the data',
      ].join('\n'),
    });
    expect(rowsIn(textOf(['host'], [{ host: 'web-1' }]))).to.deep.equal({
      ...{ fields: ['host'], rows: [['web-1']], notes: '' },
    });
  });

  it('has rows whose only cell is empty', () => {
    const rows = [{ host: 'web-1' }, { host: '' }, { host: 'web-2' }];
    expect(rowsIn(textOf(['host'], rows))?.rows).to.deep.equal([['web-1'], [''], ['web-2']]);
  });

  it('may have no rows', () => {
    expect(rowsIn(textOf(['host'], [], {}, ['A sample']))).to.deep.equal({ fields: [], rows: [], notes: 'A sample' });
  });

  it('stays text if it is of another kind, such as what a person gave in its place', () => {
    for (const text of ['', 'nothing was searched', 'a,b\n1,2,3\n', 'first\nsecond, third\n', 'a,"b\n1,2\n'])
      expect(rowsIn(text), text).to.equal(undefined);
  });
});
