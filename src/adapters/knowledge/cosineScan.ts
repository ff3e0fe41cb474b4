import { readSync } from 'node:fs';
import { BrokenFile } from './broken.ts';
import { KERNEL } from './kernelCode.ts';

const PAGE = 65_536;
/** Bytes of vectors in memory at a time. */
const BLOCK = 1_572_864;
/** The kernel compares so many numbers at a time. */
const LANES = 8;

interface Kernel {
  memory: WebAssembly.Memory;
  scan(query: number, vector: number, score: number, count: number, bytes: number): void;
}

let loaded: Kernel | undefined;

function kernel(): Kernel {
  loaded ??= new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(KERNEL, 'base64'))).exports as never;
  return loaded as Kernel;
}

/** Numbers of a stored vector, which ends with zeros. */
export const paddedLength = (dimensions: number): number => Math.ceil(dimensions / LANES) * LANES;

/** The vector with length 1: products of such vectors are cosines. Zeros stay zeros. */
export function normalised(vector: Float32Array, target = new Float32Array(paddedLength(vector.length))): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const factor = sum > 0 && Number.isFinite(sum) ? 1 / Math.sqrt(sum) : 0;
  for (let index = 0; index < vector.length; index += 1) target[index] = (vector[index] as number) * factor;
  return target;
}

/**
 * Compares a vector with the first `count` ones of a file.
 * @throws BrokenFile if the file is shorter
 */
export function scan(file: number, query: Float32Array, count: number): Float32Array {
  const { memory, scan: compare } = kernel();
  const unit = normalised(query);
  const rowBytes = unit.byteLength;
  const rows = Math.max(1, Math.floor(BLOCK / rowBytes));
  const scoresAt = rowBytes;
  const rowsAt = scoresAt + Math.ceil((rows * 4) / 16) * 16;
  const missing = rowsAt + rows * rowBytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  new Float32Array(memory.buffer).set(unit, 0);
  const bytes = new Uint8Array(memory.buffer);
  const scores = new Float32Array(count);
  for (let start = 0; start < count; start += rows) {
    const some = Math.min(rows, count - start);
    readExactly(file, bytes, rowsAt, some * rowBytes, start * rowBytes);
    compare(0, rowsAt, scoresAt, some, rowBytes);
    scores.set(new Float32Array(memory.buffer, scoresAt, some), start);
  }
  return scores;
}

/** @throws BrokenFile if the file ends before */
export function readExactly(file: number, target: Uint8Array, offset: number, length: number, position: number): void {
  for (let done = 0; done < length; ) {
    const read = readSync(file, target, offset + done, length - done, position + done);
    if (read === 0) throw new BrokenFile('the file of vectors is too short');
    done += read;
  }
}
