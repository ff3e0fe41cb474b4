import type { CoreV1Event } from '@kubernetes/client-node';
import { withoutLineEnd } from '../../domain/values/texts.ts';
import type { LogLine } from '../../ports/engines/containerEngine.ts';

const MAX_POD_BYTES = 4 * 1024 * 1024;
/** For all replicas together. */
const MAX_TOTAL_BYTES = 8 * 1024 * 1024;
const MIN_POD_BYTES = 64 * 1024;
/** The maximum of max_replicas. */
export const MAX_PODS = 100;

/** Byte limit for the log of each pod. */
export function logBytes(pods: number): number {
  return Math.max(MIN_POD_BYTES, Math.min(MAX_POD_BYTES, Math.floor(MAX_TOTAL_BYTES / Math.max(1, pods))));
}

export class ReadFailure extends Error {
  constructor(status: number, text: string) {
    super(`the cluster answered ${status} to a read of the log: ${text.slice(0, 200)}`);
  }
}

/** Scheduler events have no first or last timestamp. */
export function eventTime({ eventTime: time, lastTimestamp, metadata }: CoreV1Event): number {
  return new Date(lastTimestamp ?? time ?? metadata.creationTimestamp ?? 0).getTime();
}

const LINE_FEED = 0x0a;
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d) /;
/** Longer than every stamp. */
const STAMP_BYTES = 64;
/** Container runtimes cut long lines into pieces of a multiple of this; 16 KB by default. */
const PIECE_UNIT = 4096;

/**
 * Lines of a log with timestamps. Older kubelets put a stamp before each piece of a long line, too, perhaps within a
 * character.
 */
export function logLines(log: Buffer): LogLine[] {
  const lines: LogLine[] = [];
  for (let start = 0; start < log.length; ) {
    const next = log.indexOf(LINE_FEED, start);
    const end = next < 0 ? log.length : next;
    if (end > start) lines.push(lineOf(log.subarray(start, end)));
    start = end + 1;
  }
  return lines;
}

function lineOf(bytes: Buffer): LogLine {
  const blank = bytes.indexOf(' ');
  if (blank < 0) return { time: bytes.toString('utf8'), line: '' };
  const time = bytes.toString('utf8', 0, blank);
  const pieces: Buffer[] = [];
  let from = blank + 1;
  for (let offset = from + PIECE_UNIT; offset < bytes.length; offset += PIECE_UNIT) {
    const stamp = STAMP.exec(bytes.toString('latin1', offset, offset + STAMP_BYTES))?.[0];
    // The text itself may have such stamps, but not of later pieces at the end of a piece.
    if (stamp === undefined || Date.parse(stamp.trim()) < Date.parse(time)) continue;
    pieces.push(bytes.subarray(from, offset));
    offset += stamp.length;
    from = offset;
  }
  pieces.push(bytes.subarray(from));
  return { time, line: withoutLineEnd(Buffer.concat(pieces).toString('utf8')) };
}
