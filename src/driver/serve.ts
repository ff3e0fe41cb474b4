import type { Readable, Writable } from 'node:stream';
import type { RestReply, RestRequest } from '../rest/request.ts';
import { BadBlock, readBlock, writeReply } from './block.ts';
import { frame, PacketReader, ProtocolError } from './packets.ts';

export interface DriverStreams {
  input: Readable;
  output: Writable;
}

/** How long a request may go on after the peer has gone away: long enough to finish a write that has begun. */
const GRACE_MS = 2_000;

export type Serve = (request: RestRequest) => Promise<RestReply>;

/**
 * Answers packets until the input ends: requests come strictly one after the other.
 * After INIT one frame says that the handler is loaded (empty); after each BLOCK exactly one frame holds the reply.
 * @returns the exit code: 0 at a clean end
 * @throws ProtocolError when the peer breaks the protocol
 */
export async function serveFrames(streams: DriverStreams, serve: Serve): Promise<number> {
  const reader = new PacketReader(streams.input);
  let active = false;
  for (;;) {
    const packet = await reader.next();
    if (!packet) return 0;
    const frames: Buffer[] = [];
    if (packet.init) {
      if (active) throw new ProtocolError('INIT while a request is active');
      active = true;
      frames.push(frame(''));
    }
    if (packet.block) {
      if (!active) throw new ProtocolError('BLOCK without an active request');
      const reply = await unlessAbandoned(answer(packet.block, serve), reader);
      if (reply === undefined) return 0;
      frames.push(frame(reply));
    }
    if (packet.end) active = false;
    if (frames.length > 0) await write(streams.output, Buffer.concat(frames));
  }
}

/** Whatever a handler does, the peer gets a reply. */
async function answer(block: Buffer, serve: Serve): Promise<string> {
  try {
    return writeReply(await serve(readBlock(block)));
  } catch (error) {
    const [status, message, code] =
      error instanceof BadBlock
        ? [400, error.message, 'malformed_json']
        : [500, 'The reply could not be made; see the log', 'internal_error'];
    const payload = { status: 'fail', message, error_code: code, messages: [{ type: 'ERROR', text: message }] };
    return writeReply({ status, headers: {}, payload });
  }
}

/** The reply, or undefined when the input ended meanwhile and the reply did not come soon: nobody waits for it. */
async function unlessAbandoned(reply: Promise<string>, reader: PacketReader): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let timer: NodeJS.Timeout | undefined;
  let done = false;
  const ended = () => {
    if (!done) timer = setTimeout(resolve, GRACE_MS, undefined);
  };
  // An input that breaks is the next read's to tell.
  reader.ended().then(ended, ended);
  try {
    return await Promise.race([reply, promise]);
  } finally {
    done = true;
    clearTimeout(timer);
  }
}

/** Waits for the pipe: a reply of many megabytes must not pile up in memory. */
function write(output: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => output.write(bytes, (error) => (error ? reject(error) : resolve())));
}
