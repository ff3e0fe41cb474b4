import { Readable } from 'node:stream';
import { expect } from 'chai';
import { ChunkError, ChunkReader, encodeChunk } from '../../src/search/chunks.ts';
import { chunk, parseChunks } from './peer.ts';

async function read(...pieces: Buffer[]): Promise<[object, string][]> {
  const found: [object, string][] = [];
  const reader = new ChunkReader(Readable.from(pieces, { objectMode: true }));
  for (let next = await reader.next(); next; next = await reader.next()) {
    const body: Buffer[] = [];
    for await (const piece of next.body) body.push(piece);
    found.push([next.metadata, Buffer.concat(body).toString()]);
  }
  return found;
}

const cut = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));

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

  it('reads messages and bodies however they are split', async () => {
    const whole = Buffer.concat([
      chunk({ action: 'getinfo', text: 'ä€𝄞' }),
      chunk({ action: 'execute', finished: true }, '"_time"\r\n"ü"\r\n'),
      chunk(null, 'only a body'),
      chunk({ last: 1 }, '', true),
    ]);
    const wanted = [
      [{ action: 'getinfo', text: 'ä€𝄞' }, ''],
      [{ action: 'execute', finished: true }, '"_time"\r\n"ü"\r\n'],
      [{}, 'only a body'],
      [{ last: 1 }, ''],
    ];
    for (const size of [1, 2, 3, 7, 50, whole.length]) {
      expect(await read(...cut(whole, size)), `pieces of ${size}`).to.deep.equal(wanted);
    }
  });

  it('ends between two messages', async () => {
    expect(await read()).to.deep.equal([]);
    expect(await read(chunk({ a: 1 }))).to.deep.equal([[{ a: 1 }, '']]);
  });

  it('skips the unread rest of a body', async () => {
    const reader = new ChunkReader(
      Readable.from(cut(Buffer.concat([chunk({ a: 1 }, 'x'.repeat(100)), chunk({ b: 2 })]), 7)),
    );
    const first = await reader.next();
    expect((await first?.body.next())?.value).to.have.length.above(0);
    expect((await reader.next())?.metadata).to.deep.equal({ b: 2 });
  });

  it('reads ahead up to a limit', async () => {
    const PIECE = 64 * 1024;
    let made = 0;
    const body = 'x'.repeat(PIECE);
    const input = Readable.from(
      (function* () {
        yield chunk({ a: 1 }, body.repeat(100)).subarray(0, -PIECE * 100);
        for (made = 1; made <= 100; made += 1) yield Buffer.from(body);
      })(),
    );
    const reader = new ChunkReader(input);
    const first = await reader.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(made).to.be.above(10).and.below(40);
    let size = 0;
    for await (const piece of first?.body ?? []) size += piece.length;
    expect(size).to.equal(100 * PIECE);
    await reader.ended;
  });

  it('reports the end of the input without a pending read', async () => {
    const reader = new ChunkReader(Readable.from([chunk({ a: 1 }), chunk({ b: 2 }, 'rows')]));
    await reader.next();
    await reader.ended;
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
});
