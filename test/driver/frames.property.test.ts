import { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { encodePacket, FrameError, ReplyFrames } from '../../platform/src/drivers/frames.ts';
import { BadBlock, readBlock } from '../../src/driver/block.ts';
import { frame, PacketReader, ProtocolError } from '../../src/driver/packets.ts';
import { holds, holdsAsync } from '../support/property.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed());

/** The bytes in pieces of any size. */
function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
}

async function readAll(chunks: readonly Buffer[]) {
  const reader = new PacketReader(Readable.from(chunks.filter((chunk) => chunk.length > 0)));
  const packets = [];
  for (let packet = await reader.next(); packet; packet = await reader.next()) packets.push(packet);
  return packets;
}

describe('frames of the driver, for any bytes', () => {
  const request = fc.tuple(fc.array(anyText, { maxLength: 3 }), anyText, anyText);

  it('packets of the platform are read back, however they are cut', async () => {
    await holdsAsync(
      fc.asyncProperty(
        fc.array(request, { maxLength: 4 }),
        fc.array(fc.nat(1000), { maxLength: 8 }),
        async (all, cuts) => {
          const bytes = Buffer.concat(all.map(([command, argument, block]) => encodePacket(command, argument, block)));
          const read = await readAll(pieces(bytes, cuts));
          const texts = read.map(({ command, commandArg, block }) => [command, commandArg ?? '', block?.toString()]);
          expect(texts).to.deep.equal(all);
        },
      ),
    );
  });
  it('bytes of no meaning end in an error of the protocol, never in another and never in a wait', async () => {
    await holdsAsync(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 60 }),
        fc.array(fc.nat(60), { maxLength: 4 }),
        async (bytes, cuts) => {
          try {
            await readAll(pieces(Buffer.from(bytes), cuts));
          } catch (error) {
            expect(error).to.be.instanceOf(ProtocolError);
          }
        },
      ),
      1000,
    );
  });
  it('replies are read back by the platform, however they are cut', () => {
    holds(
      fc.property(fc.array(anyText, { maxLength: 4 }), fc.array(fc.nat(1000), { maxLength: 8 }), (texts, cuts) => {
        const frames = new ReplyFrames();
        const read: string[] = [];
        for (const chunk of pieces(Buffer.concat(texts.map(frame)), cuts)) {
          frames.push(chunk);
          for (let one = frames.take(); one; one = frames.take()) read.push(one.toString());
        }
        expect(read).to.deep.equal(texts);
      }),
    );
  });
  it('what a driver should not write is an error of the frame', () => {
    holds(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const frames = new ReplyFrames();
        frames.push(Buffer.from(bytes));
        try {
          while (frames.take());
        } catch (error) {
          expect(error).to.be.instanceOf(FrameError);
        }
      }),
      1000,
    );
  });
  it('any JSON as a request block is a request or refused', () => {
    holds(
      fc.property(
        fc.json({ maxDepth: 4 }),
        fc.dictionary(
          fc.constantFrom('method', 'query', 'headers', 'session', 'server', 'restmap', 'payload', 'rest_path'),
          fc.jsonValue(),
        ),
        (text, parts) => {
          for (const block of [text, JSON.stringify(parts)]) {
            try {
              const { method, path } = readBlock(Buffer.from(block));
              expect([typeof method, typeof path]).to.deep.equal(['string', 'string']);
            } catch (error) {
              expect(error).to.be.instanceOf(BadBlock);
            }
          }
        },
      ),
      500,
    );
  });
});
