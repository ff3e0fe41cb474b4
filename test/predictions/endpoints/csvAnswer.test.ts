import { expect } from 'chai';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { csvAnswer } from '../../../src/predictions/endpoints/csvAnswer.ts';

type Map = Record<string, string>;

/** What the answer gives for so many rows: each row's only value, or the whole row; else the message of its refusal. */
function read(text: string, count: number, map: Map = {}): unknown {
  try {
    return csvAnswer(text, map, count).map((row) => {
      const values = Object.values(row);
      return values.length === 1 ? values[0] : row;
    });
  } catch (error) {
    if (!(error instanceof OutboundError) || error.code !== 'upstream_error') throw error;
    return error.message.replace('The answer of the model ', '');
  }
}

describe('CSV answers of a registered model', () => {
  it('have a line of names only where the first line is none of values', () => {
    for (const [text, found] of [
      ['score\n1\n2\n', [1, 2]],
      ['\ufeffscore\n1\n2\n', [1, 2]],
      ['1\n2\n3\n', 'has 3 predictions for 2 rows'],
      ['a,1\nb,2\nc,3\n', 'has 3 predictions for 2 rows'],
      ['nan\n1\n2\n', 'has 3 predictions for 2 rows'],
      ['-Infinity\n1\n2\n', 'has 3 predictions for 2 rows'],
      ['007\n1\n2\n', 'has 3 predictions for 2 rows'],
      ['""\n1\n2\n', 'has 3 predictions for 2 rows'],
      ['a,a\nb,1\nc,2\n', 'has 3 predictions for 2 rows'],
      ['a\nb\nc\nd', 'has more predictions than 2 rows'],
    ] as const) {
      expect(read(text, 2), text).to.deep.equal(found);
    }
    expect(read('p1,1\n0.5,a\n0.6,b\n', 2, { p1: 'p' })).to.deep.equal([0.5, 0.6]);
    expect(read('p1,1\n0.5,a\n0.6,b\n', 2, { q: 'p' })).to.equal('has 3 predictions for 2 rows');
  });

  it('keep empty cells', () => {
    for (const [text, found] of [
      ['1\n\n3\n', [1, null, 3]],
      ['\n2\n3', [null, 2, 3]],
      ['1\n""\n3\n', [1, null, 3]],
      ['1\n2\n\n', [1, 2, null]],
      ['1\n2\n""\n', [1, 2, null]],
      ['1\r\n\r\n3\r\n\r\n\r\n', [1, null, 3]],
      ['1\n2\n3\n\n\n', [1, 2, 3]],
      ['score\n1\n2\n""\n', [1, 2, null]],
      ['score\n1\n\n3\n', [1, null, 3]],
      ['1\n2\n', 'has 2 predictions for 3 rows'],
      ['', 'has 0 predictions for 3 rows'],
    ] as const) {
      expect(read(text, 3), JSON.stringify(text)).to.deep.equal(found);
    }
    expect(read('a,1\n\nb,2\n\n', 2, { label: 'l', score: 's' })).to.deep.equal([
      { l: 'a', s: 1 },
      { l: 'b', s: 2 },
    ]);
  });

  it('may have an index without a name, as data frames are written', () => {
    for (const [text, map, found] of [
      [',score\n0,0.5\n1,0.25\n', {}, [0.5, 0.25]],
      ['"",score\n0,0.5\n1,0.25\n\n\n', {}, [0.5, 0.25]],
      [',label,p\nx,a,1\ny,b,2', { p: 's' }, [1, 2]],
      [',label,p\nx,a,1\ny,b,2', { '[*][1]': 's' }, [1, 2]],
      [',0.5\n,0.25', {}, ['[null,0.5]', '[null,0.25]']],
    ] as const) {
      expect(read(text, 2, map as Map), text).to.deep.equal(found);
    }
  });

  it('are as wide in each line as in the first', () => {
    const ragged = 'has CSV lines with different numbers of cells';
    for (const text of ['a,1\nb\n', 'a\nb,1\n', 'label,p\na,1\nb\n', 'p\n1\n2,3\n', ',,,,\n1\n']) {
      expect(read(text, 2), text).to.equal(ragged);
    }
  });

  it('have every column that the map names', () => {
    for (const [text, map, found] of [
      ['a,1\nb,2', { '[*][1]': 's' }, [1, 2]],
      ['a,1\nb,2', { '[*][2]': 's' }, 'has nothing at [*][2]'],
      ['a,1\nb,2', { '99999': 's' }, 'has nothing at 99999'],
      ['1\n2', { label: 'l', score: 's' }, 'has nothing at score'],
      ['label,p\na,1\nb,2', { p: 's' }, [1, 2]],
      ['label,p\na,1\nb,2', { 'predictions[*].p': 's' }, [1, 2]],
      ['label,p\na,1\nb,2', { p: 's', q: 't' }, 'has nothing at q'],
      ['p\n1\n2', { 'predictions[*]': 's' }, [1, 2]],
    ] as const) {
      expect(read(text, 2, map as Map), text).to.deep.equal(found);
    }
  });

  it('that are too long are not read to their end', () => {
    const lines = '1\n'.repeat(4_000_000);
    expect(read(lines, 1)).to.equal('has more predictions than 1 rows');
    expect(read(`${'a,'.repeat(100_000)}b\n${'\n'.repeat(4_000_000)}1`, 1)).to.be.a('string');
    expect(read(`1${'\n'.repeat(4_000_000)}1`, 1)).to.equal('has more predictions than 1 rows');
    const names = Array.from({ length: 100_000 }, (_, at) => `n${at}`).join();
    expect(read(`${names}\n${'1\n'.repeat(9999)}`, 9999)).to.equal('has CSV lines with different numbers of cells');
  });
});
