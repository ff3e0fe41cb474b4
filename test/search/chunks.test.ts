import { Readable } from 'node:stream';
import { expect } from 'chai';
import { ChunkError, encodeChunk, readChunks } from '../../src/search/chunks.ts';
import { csv } from '../../src/search/rows.ts';
import { chunk, parseChunks, rowsOf } from './peer.ts';

async function read(...pieces: Buffer[]): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for await (const metadata of readChunks(Readable.from(pieces, { objectMode: true }))) found.push(metadata);
  return found;
}

async function failure(...pieces: (string | Buffer)[]): Promise<string> {
  try {
    await read(...pieces.map((piece) => Buffer.from(piece)));
  } catch (error) {
    if (error instanceof ChunkError) return error.message;
    throw error;
  }
  return expect.fail('it was taken');
}

describe('chunked protocol', () => {
  it('writes lengths in bytes, and no line break after the metadata', () => {
    const bytes = encodeChunk({ finished: true, note: 'ä€' }, 'a\r\nü\r\n');
    expect(bytes.toString()).to.equal('chunked 1.0,32,7\n{"finished":true,"note":"ä€"}a\r\nü\r\n');
    expect(parseChunks(bytes)).to.deep.equal({
      chunks: [{ metadata: { finished: true, note: 'ä€' }, body: 'a\r\nü\r\n' }],
      rest: Buffer.alloc(0),
    });
  });

  it('reads messages whatever the pieces they come in, bodies passed over', async () => {
    const whole = Buffer.concat([
      chunk({ action: 'getinfo', text: 'ä€𝄞' }),
      chunk({ action: 'execute', finished: true }, '"_time"\r\n"ü"\r\n'),
      chunk(null, 'only a body'),
      chunk({ last: 1 }, '', true),
    ]);
    const wanted = [{ action: 'getinfo', text: 'ä€𝄞' }, { action: 'execute', finished: true }, {}, { last: 1 }];
    for (const size of [1, 2, 3, 7, 50, whole.length]) {
      const pieces: Buffer[] = [];
      for (let at = 0; at < whole.length; at += size) pieces.push(whole.subarray(at, at + size));
      expect(await read(...pieces), `pieces of ${size}`).to.deep.equal(wanted);
    }
  });

  it('an end between two messages is the end', async () => {
    expect(await read()).to.deep.equal([]);
    expect(await read(chunk({ a: 1 }))).to.deep.equal([{ a: 1 }]);
  });

  for (const [what, text] of [
    ['another version', 'chunked 2.0,2,0\n{}'],
    ['no chunk', 'GET / HTTP/1.1\r\n'],
    ['a header without end', 'x'.repeat(1000)],
    ['negative lengths', 'chunked 1.0,-1,0\n'],
    ['broken JSON', 'chunked 1.0,2,0\n{"'],
    ['an array', 'chunked 1.0,2,0\n[]'],
    ['an end inside the metadata', 'chunked 1.0,10,0\n{}'],
    ['an end inside the body', 'chunked 1.0,2,10\n{}abc'],
    ['an end inside the header', 'chunked 1.0,2'],
    ['a metadata length beyond reason', 'chunked 1.0,99999999999,0\n{}'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      expect(await failure(text)).to.not.equal('');
    });
  }

  it('writes CSV that reads back as it was', () => {
    const rows = [
      { a: 'plain', b: 1 },
      { a: 'a "quoted", text', b: 'line\nbreak\r\nand more' },
      { a: '', b: '\r' },
    ];
    const text = csv(['a', 'b'], rows);
    expect(text.startsWith('a,b\r\nplain,1\r\n')).to.equal(true);
    expect(rowsOf(text)).to.deep.equal(rows.map((row) => ({ a: row.a, b: String(row.b) })));
    expect(csv(['a'], [])).to.equal('');
  });
});
