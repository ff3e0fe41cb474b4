import type { NumberReading } from './numbers.ts';
import type { TimeReading } from './times.ts';

export type Shape =
  | ('url' | 'mail' | 'windowsPath' | 'path' | 'domainUser' | 'hash' | 'shortHash' | 'cve' | 'attack' | 'ipv4' | 'ipv6')
  | ('version' | 'host' | 'file' | 'word');

/** Receives what a text holds, in order. */
export interface Sink {
  /** @param digitsEnd index behind an address that has the length of a network behind it */
  take(shape: Shape, start: number, end: number, digitsEnd?: number): void;
  time(start: number, reading: TimeReading): void;
  /** @returns index at which reading goes on; the end of the reading, unless the sink reads a part anew */
  number(start: number, reading: NumberReading): number;
}
