import { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseArguments } from '../../src/search/arguments.ts';
import { text } from '../../src/search/argumentTypes.ts';
import { ChunkError, ChunkReader, encodeChunk } from '../../src/search/chunks.ts';
import { SearchError } from '../../src/search/command.ts';
import { holds, holdsAsync } from '../support/property.ts';

const KNOWN = ['agent_name', 'action', 'timeout'];
const ARGUMENTS = Object.fromEntries(KNOWN.map((name) => [name, text('')]));
const value = fc
  .array(fc.constantFrom('a', 'B', ' ', '"', "'", '\\', '=', '\n', 'ü', ',', '|'), { maxLength: 8 })
  .map((parts) => parts.join(''));

describe('arguments of a search command, for any values', () => {
  it('round-trip with both kinds of quotes', () => {
    const pairs = fc.uniqueArray(fc.constantFrom(...KNOWN), { maxLength: 3 });
    holds(
      fc.property(
        pairs,
        fc.array(value, { minLength: 3, maxLength: 3 }),
        fc.constantFrom('"', "'"),
        (names, values, quote) => {
          const written = names.map((name, index) => {
            const escaped = (values[index] ?? '').replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
            return `${name}=${quote}${escaped}${quote}`;
          });
          const read = parseArguments(written.join(' '), ARGUMENTS).values;
          expect(Object.entries(read)).to.deep.equal(names.map((name, index) => [name, values[index] ?? '']));
        },
      ),
      500,
    );
  });
  it('are refused quickly if the syntax is wrong', () => {
    holds(
      fc.property(fc.array(fc.oneof(value, fc.constantFrom(...KNOWN, '=', ' ')), { maxLength: 12 }), (parts) => {
        try {
          parseArguments(parts.join(''), ARGUMENTS);
        } catch (error) {
          expect(error).to.be.instanceOf(SearchError);
        }
      }),
      1000,
    );
  });
});

describe('chunks of the search protocol, for any bytes', () => {
  const pieces = (bytes: Buffer, size: number) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
  async function read(chunks: Buffer[]): Promise<[object, string][]> {
    const found: [object, string][] = [];
    const reader = new ChunkReader(Readable.from(chunks));
    for (let chunk = await reader.next(); chunk; chunk = await reader.next()) {
      const body: Buffer[] = [];
      for await (const piece of chunk.body) body.push(piece);
      found.push([chunk.metadata, Buffer.concat(body).toString()]);
    }
    return found;
  }

  it('round-trip however the bytes are split', async () => {
    const message = fc.tuple(
      fc.dictionary(value, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true }),
      value,
    );
    await holdsAsync(
      fc.asyncProperty(fc.array(message, { maxLength: 4 }), fc.integer({ min: 1, max: 50 }), async (messages, size) => {
        const bytes = Buffer.concat(messages.map(([metadata, body]) => encodeChunk(metadata, body)));
        const same = messages.map(([metadata, body]) => [JSON.parse(JSON.stringify(metadata)), body]);
        expect(await read(pieces(bytes, size))).to.deep.equal(same);
      }),
    );
  });
  it('report other bytes as a protocol error', async () => {
    const part = fc.oneof(fc.constantFrom('chunked 1.0,', '2,0\n', '{}', '99,1\n', '\n', ','), value);
    await holdsAsync(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        try {
          await read([Buffer.from(parts.join(''))]);
        } catch (error) {
          expect(error).to.be.instanceOf(ChunkError);
        }
      }),
      500,
    );
  });
});
