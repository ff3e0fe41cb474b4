import { expect } from 'chai';

interface RowsModule {
  parseRows(text: string): { rows: Record<string, unknown>[] } | { problem: string };
}

// The types of the pages are compiled separately.
const address = new URL('../../../console/views/models/predict/rows.ts', import.meta.url).href;
const { parseRows } = (await import(address)) as RowsModule;
const search = new URL('../../../console/views/models/predict/search.ts', import.meta.url).href;

describe('the console: rows to predict from', () => {
  it('are CSV with a line of names, or JSON', () => {
    for (const [text, rows] of [
      [
        'a,b\n1,x\n2,y\n',
        [
          { a: '1', b: 'x' },
          { a: '2', b: 'y' },
        ],
      ],
      ['\uFEFF a , b\r\n1,\r\n\r\n,2', [{ a: '1' }, { b: '2' }]],
      ['a,b\n"1, 5","say ""x""\nagain"', [{ a: '1, 5', b: 'say "x"\nagain' }]],
      ['a\n5"\n', [{ a: '5"' }]],
      ['a,b\n1', [{ a: '1' }]],
      // A data frame with its index; what spreadsheets leave at the end.
      [
        ',a,zip\n0,1,007\n1,2,010\n',
        [
          { a: '1', zip: '007' },
          { a: '2', zip: '010' },
        ],
      ],
      ['a,b\n1,x\n,\n2,y\n,\n , \n\n', [{ a: '1', b: 'x' }, {}, { a: '2', b: 'y' }]],
      ['[{"a": 1}, {"b": null}]', [{ a: 1 }, { b: null }]],
      [' {"a": [1]}', [{ a: [1] }]],
    ] as const) {
      expect(parseRows(text), text).to.deep.equal({ rows });
    }
  });

  it('say what is wrong with them', () => {
    for (const [text, problem] of [
      ['', /no rows/],
      ['a,b\n', /no rows/],
      ['[]', /no rows/],
      ['[{"a": 1},', /not valid JSON/],
      ['[1]', /Entry 1/],
      ['[{}, null]', /Entry 2/],
      ['a,a\n1,2', /name a is twice/],
      ['a,b\n1,2\n1,2,3', /Row 2 has more values/],
      [`a\n${'1\n'.repeat(10_001)}`, /10001 rows; 10000/],
    ] as const) {
      const found = parseRows(text);
      expect('problem' in found && found.problem, text.slice(0, 40)).to.match(problem);
    }
  });

  it('are read fast', function () {
    this.timeout(5000);
    parseRows(`a,b\n${`${'"'.repeat(200)}\n`.repeat(5000)}`);
  });

  it('keep their digits in the search that is shown', async () => {
    const { searchFor } = (await import(search)) as {
      searchFor(model: string, row: Record<string, unknown>): string;
    };
    expect(searchFor('m', { zip: '007', id: '9007199254740993', n: '-1.5', zero: '0' })).to.equal(
      '| makeresults | eval "zip"="007", "id"="9007199254740993", "n"=-1.5, "zero"=0 | mlpredict model="m"',
    );
  });
});
