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

/** Time for a running request to finish its writes after the peer has gone. */
const GRACE_MS = 2_000;

export type Handler = (request: RestRequest) => Promise<RestReply>;

/** For failures outside the pipeline, which get an id and a log line too. */
export interface Failures {
  log: Log;
  newId(): string;
}

/**
 * Answers packets one after the other until the input ends: an empty frame after INIT, a reply frame after each BLOCK.
 * @returns the exit code: 0 at a clean end
 * @throws ProtocolError when the peer breaks the protocol
 */
export async function serveFrames(streams: DriverStreams, serve: Handler, failures: Failures): Promise<number> {
  const reader = new PacketReader(streams.input);
  let active = false;
  /** A function, since a waiting loop would keep the last reply (up to 16 MB) in memory. @returns whether to continue */
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

async function answer(block: Buffer, serve: Handler, failures: Failures): Promise<Buffer> {
  try {
    return frame(writeReply(await serve(readBlock(block))));
  } catch (error) {
    return frame(writeReply(toFailure(error, failures)));
  }
}

/** For an unreadable block, or a reply that exceeds the maximum string length. */
function toFailure(error: unknown, { log, newId }: Failures): RestReply {
  const request_id = newId();
  const fault =
    error instanceof BadBlock
      ? new Fault('malformed_json', error.message)
      : new Fault('internal_error', 'The reply could not be written. The log has the cause under the request_id.');
  const { status, code } = fault;
  if (!(error instanceof BadBlock)) log.error('bug', { request_id, endpoint: null, cause: stackOf(error) });
  log.info('failed', { request_id, endpoint: null, status, code });
  return failure(fault, request_id);
}

/** Undefined when the input has ended and the reply takes longer than the grace period. */
async function unlessAbandoned(reply: Promise<Buffer>, reader: PacketReader): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let timer: NodeJS.Timeout | undefined;
  let done = false;
  const ended = () => {
    if (!done) timer = setTimeout(resolve, GRACE_MS, undefined);
  };
  // The next read reports a broken input.
  reader.ended().then(ended, ended);
  try {
    return await Promise.race([reply, promise]);
  } finally {
    done = true;
    clearTimeout(timer);
  }
}

/** Waits for the pipe, so that large replies do not pile up in memory. */
function write(output: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => output.write(bytes, (error) => (error ? reject(error) : resolve())));
}
