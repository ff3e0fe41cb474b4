import type { CoreV1Event } from '@kubernetes/client-node';
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
export function eventTime({ eventTime: at, lastTimestamp, metadata }: CoreV1Event): number {
  return new Date(lastTimestamp ?? at ?? metadata.creationTimestamp ?? 0).getTime();
}

export function logLines(text: string): LogLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const end = line.indexOf(' ');
      return end < 0 ? { time: line, line: '' } : { time: line.slice(0, end), line: line.slice(end + 1) };
    });
}
