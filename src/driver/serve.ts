import type { Readable, Writable } from 'node:stream';
import { Fault } from '../contract/codes/faults.ts';
import type { Log } from '../ports/platform/log.ts';
import { failure, stackOf } from '../rest/reply.ts';
import type { RestReply, RestRequest } from '../rest/request.ts';
import { BadBlock, readBlock, writeReply } from './block.ts';
import { frame, PacketReader, ProtocolError } from './packets.ts';

export interface DriverStreams {
  input: Readable;
  output: Writable;
}

/** How long a request may go on after the peer has gone away: long enough to finish a write that has begun. */
const GRACE_MS = 2_000;

export type Handler = (request: RestRequest) => Promise<RestReply>;

/** For failures outside the pipeline: those have an id and a line in the log as well. */
export interface Failures {
  log: Log;
  newId(): string;
}

/**
 * Answers packets until the input ends: requests come strictly one after the other.
 * After INIT one frame says that the handler is loaded (empty); after each BLOCK exactly one frame holds the reply.
 * @returns the exit code: 0 at a clean end
 * @throws ProtocolError when the peer breaks the protocol
 */
export async function serveFrames(streams: DriverStreams, serve: Handler, failures: Failures): Promise<number> {
  const reader = new PacketReader(streams.input);
  let active = false;
  /** @returns whether to go on. In a function of its own, since a loop that waits keeps what its last round has held: a reply of 16 MB. */
  const next = async (): Promise<boolean> => {
    const packet = await reader.next();
    if (!packet) return false;
    const frames: Buffer[] = [];
    if (packet.init) {
      if (active) throw new ProtocolError('INIT while a request is active');
      active = true;
      frames.push(frame(''));
    }
    if (packet.block) {
      if (!active) throw new ProtocolError('BLOCK without an active request');
      const reply = await unlessAbandoned(answer(packet.block, serve, failures), reader);
      if (reply === undefined) return false;
      frames.push(reply);
    }
    if (packet.end) active = false;
    if (frames.length > 0) await write(streams.output, Buffer.concat(frames));
    return true;
  };
  while (await next());
  return 0;
}

/** Whatever a handler does, the peer gets a reply. */
async function answer(block: Buffer, serve: Handler, failures: Failures): Promise<Buffer> {
  try {
    return frame(writeReply(await serve(readBlock(block))));
  } catch (error) {
    return frame(writeReply(failed(error, failures)));
  }
}

/** A block that cannot be read, or a reply that cannot be written: a text has a largest length, for example. */
function failed(error: unknown, { log, newId }: Failures): RestReply {
  const request_id = newId();
  const fault =
    error instanceof BadBlock
      ? new Fault('malformed_json', error.message)
      : new Fault('internal_error', 'The reply could not be written; the log has the cause under the request_id');
  const { status, code } = fault;
  if (!(error instanceof BadBlock)) log.error('bug', { request_id, endpoint: null, cause: stackOf(error) });
  log.info('failed', { request_id, endpoint: null, status, code });
  return failure(fault, request_id);
}

/** The reply, or undefined when the input ended meanwhile and the reply did not come soon: nobody waits for it. */
async function unlessAbandoned(reply: Promise<Buffer>, reader: PacketReader): Promise<Buffer | undefined> {
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
