import { text as textOf } from 'node:stream/consumers';
import { expect } from 'chai';
import fc from 'fast-check';
import { ChunkError } from '../../src/search/chunks.ts';
import { CsvTable } from '../../src/search/csvTable.ts';
import { type Row, rowsOf as rowsOfTable, writeRows } from '../../src/search/rows.ts';
import { holdsAsync } from '../support/property.ts';
import { rowsOf } from './peer.ts';

async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const read = async (text: string, size = 1000) => {
  const table = new CsvTable(await textOf(pieces(text, size)));
  return { fields: table.fields, rows: rowsOfTable(table).map((row) => ({ ...row })) };
};

describe('rows of a chunk', () => {
  it('are written as standard CSV', () => {
    const rows = [
      { a: 'plain', b: 1 },
      { a: 'a "quoted", text', b: 'line\nbreak\r\nand more' },
      { a: '', b: '\r' },
    ];
    const text = writeRows(['a', 'b'], rows);
    expect(text.startsWith('a,b\r\nplain,1\r\n')).to.equal(true);
    expect(rowsOf(text)).to.deep.equal(rows.map((row) => ({ a: row.a, b: String(row.b) })));
    expect(writeRows(['a'], [])).to.equal('');
  });

  it('have an additional column for multivalue fields', () => {
    const rows = [{ a: ['x', 'y$z;'], b: '1' }, { a: 'one' }];
    expect(writeRows(['a', 'b'], rows)).to.equal('a,b,__mv_a\r\n"x\ny$z;",1,$x$;$y$$z;$\r\none,,\r\n');
  });

  it('are read from arbitrary pieces, with quotes and any line ends', async () => {
    const text = '\ufeff"a","__mv_a",ü\n"x\ny$","$x$;$y$$$","1,""2"""\r\none,,"line\r\nbreak 🙂"\n"","",""\n\nlast,,z';
    const expected = {
      fields: ['a', 'ü'],
      rows: [
        { a: ['x', 'y$'], ü: '1,"2"' },
        { a: 'one', ü: 'line\r\nbreak 🙂' },
        { a: '', ü: '' },
        { a: 'last', ü: 'z' },
      ],
    };
    for (const size of [1, 2, 3, 7, 1000]) expect(await read(text, size), `pieces of ${size}`).to.deep.equal(expected);
  });

  it('may be empty, with or without a header', async () => {
    expect(await read('')).to.deep.equal({ fields: [], rows: [] });
    expect(await read('"a","_chunked_idx","__mv_a"\n')).to.deep.equal({ fields: ['a', '_chunked_idx'], rows: [] });
  });

  it('accept any field name and short lines', () => {
    const table = new CsvTable('__proto__,a\nx\n');
    const rows = rowsOfTable(table);
    expect(table.fields).to.deep.equal(['__proto__', 'a']);
    expect(Object.getOwnPropertyDescriptor(rows[0], '__proto__')?.value).to.equal('x');
    expect(rows[0]?.a).to.equal('');
  });

  for (const text of ['a\n"b', 'a,__mv_a\nx,broken\n', 'a\n"b"c\n']) {
    it(`report invalid CSV as a protocol error: ${JSON.stringify(text)}`, async () => {
      const failure = await read(text).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(ChunkError);
      expect((failure as Error).message).to.include('The rows of a chunk cannot be read');
    });
  }

  it('round-trip for any values', async () => {
    const value = fc
      .array(fc.constantFrom('a', '"', '$', ';', ',', '\n', '\r', 'ü', ' '), { maxLength: 6 })
      .map((parts) => parts.join(''));
    const cell = fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 }));
    await holdsAsync(
      fc.asyncProperty(
        fc.array(fc.record({ n: fc.constant('1'), a: cell, b: cell }), { maxLength: 4 }),
        async (rows) => {
          expect((await read(writeRows(['n', 'a', 'b'], rows as Row[]), 3)).rows).to.deep.equal(rows);
        },
      ),
    );
  });
});
