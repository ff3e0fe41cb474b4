import { expect } from 'chai';
import fc from 'fast-check';
import { CsvTable } from '../../src/search/csvTable.ts';
import { type Row, writeRows } from '../../src/search/rows.ts';
import { holdsAsync } from '../support/property.ts';
import { readRows } from './csvParser.ts';

async function read(text: string): Promise<readonly Row[]> {
  const body = async function* () {
    yield Buffer.from(text);
  };
  return (await readRows(body())).rows.map((row) => ({ ...row }));
}
const cell = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('', '"', 'a,b', 'x\ny', 'x\r\ny', '""', ' ', 'ä€😀'),
);

describe('a table of CSV', () => {
  it('reads columns and writes rows as the reader of rows does', () =>
    holdsAsync(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom('a', 'b', 'c d', 'ü', '_time', '__mv_a', 'x,y'), { minLength: 2, maxLength: 6 }),
        fc.array(fc.array(cell, { minLength: 6, maxLength: 6 }), { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        async (header, lines, end, isQuoted) => {
          const quoted = (text: string) =>
            isQuoted || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
          const given = lines.map((line) =>
            line.slice(0, header.length).map((text, at) => (header[at] === '__mv_a' ? '' : text)),
          );
          // A line without anything is no row.
          const rows = given.filter((line) => isQuoted || line.length > 1 || line[0] !== '');
          const text = [header, ...rows].map((line) => line.map(quoted).join(',') + end).join('');
          const table = new CsvTable(text);
          const expected = await read(text);
          expect(table.count).to.equal(expected.length);
          for (const field of table.fields)
            expect(table.column(field)).to.deep.equal(expected.map((row) => row[field]));
          const added = rows.map((_, index) => `v,${index}`);
          for (const name of ['new', 'a']) {
            const written = await read(table.with(new Map([[name, added]])));
            expect(written).to.deep.equal(expected.map((row, index) => ({ ...row, [name]: `v,${index}` })));
          }
        },
      ),
    ));

  it('reads and refuses what the reader of rows reads and refuses', () =>
    holdsAsync(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'b', ',', '"', '\r', '\n', '\r\n', '""'), maxLength: 12 }),
        fc.constantFrom('x,y\n', 'x\n', ''),
        async (text, header) => {
          const whole = header + text;
          const expected = await read(whole).catch(() => 'refused');
          const found = () => {
            const table = new CsvTable(whole);
            const columns = table.fields.map((field) => [field, table.column(field) ?? []] as const);
            return Array.from({ length: table.count }, (_, row) =>
              Object.fromEntries(columns.map(([field, values]) => [field, values[row]])),
            );
          };
          if (expected === 'refused') expect(found, JSON.stringify(whole)).to.throw(/cannot be read/);
          else expect(found(), JSON.stringify(whole)).to.deep.equal(expected);
        },
      ),
      3000,
    ));

  it('keeps rows byte for byte', () => {
    const table = new CsvTable('"a",b,"__mv_b"\r\n"1",x y,"$x$;$y$"\r\n2,"say ""hi""\n",\r\n');
    const added = new Map([['n', ['7', 'q"']]]);
    expect(table.with(added)).to.equal('a,b,__mv_b,n\r\n"1",x y,"$x$;$y$",7\r\n2,"say ""hi""\n",,"q"""\r\n');
    expect(table.column('b')).to.deep.equal(['x y', 'say "hi"\n']);
    expect(table.column('c')).to.equal(undefined);
  });

  it('replaces a column with its multivalues, and fills and cuts rows of another length', () => {
    const table = new CsvTable('b,a,__mv_b,c\n1,2,$1$;$3$,4\n5\n6,7,,8,9\n');
    expect(table.with(new Map([['b', ['x', 'y', 'z']]]))).to.equal('a,c,b\r\n2,4,x\r\n,,y\r\n7,8,z\r\n');
    expect(table.with(new Map([['n', ['x', 'y', 'z']]]))).to.equal(
      'b,a,__mv_b,c,n\r\n1,2,$1$;$3$,4,x\r\n5,,,,y\r\n6,7,,8,z\r\n',
    );
    expect(table.column('c')).to.deep.equal(['4', '', '8']);
  });

  it('has no rows where there are none', () => {
    for (const text of ['', 'a,b', 'a,b\r\n', '\n\na,b\n\n']) {
      expect(new CsvTable(text).count).to.equal(0);
      expect(new CsvTable(text).with(new Map([['n', []]]))).to.equal('');
    }
    expect(new CsvTable('\uFEFFa,b\n1,').column('a')).to.deep.equal(['1']);
    expect(new CsvTable('a,b\n1,').column('b')).to.deep.equal(['']);
  });

  it('says what it cannot read', () => {
    expect(() => new CsvTable('a\n"x')).to.throw(/a quote does not end/);
    expect(() => new CsvTable('a\n"x"y')).to.throw(/a text follows a closing quote/);
    expect(() => new CsvTable('a\n"x"\ry')).to.throw(/a text follows a closing quote/);
    expect(() => new CsvTable('a\nx"y"')).to.throw(/a quote inside a text that is not quoted/);
  });

  it('reads many rows faster than the reader of rows', async () => {
    const text = `a,b,c,d\n${'0.5,"x","y z",7\n'.repeat(20_000)}`;
    const time = async (work: () => unknown) => {
      const begun = process.cpuUsage().user;
      await work();
      return process.cpuUsage().user - begun;
    };
    const [table, rows]: number[][] = [[], []];
    // The best of several: the first includes the compiler, and any may include a collection of garbage.
    for (let round = 0; round < 5; round += 1) {
      table?.push(await time(() => new CsvTable(text).with(new Map([['n', new CsvTable(text).column('a') ?? []]]))));
      rows?.push(await time(async () => writeRows(['a', 'b', 'c', 'd', 'n'], await read(text))));
    }
    expect(Math.min(...(table ?? []))).to.be.lessThan(Math.min(...(rows ?? [])));
  });
});
