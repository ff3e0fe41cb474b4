import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { normalised, paddedLength, readExactly } from './cosineScan.ts';

/** Bytes copied at a time. */
const COPIED = 4 * 1024 * 1024;

function writeExactly(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}

function withFile<T>(path: string, flags: string, work: (file: number) => T): T {
  const file = openSync(path, flags, 0o600);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

/** Writes vectors behind the first `slots` ones; they are on the disk when this returns. */
export function appendVectors(path: string, slots: number, vectors: readonly Float32Array[]): void {
  const [first] = vectors;
  if (!first) return;
  const length = paddedLength(first.length);
  const packed = new Float32Array(length * vectors.length);
  for (const [index, vector] of vectors.entries()) normalised(vector, packed.subarray(index * length));
  // Overwrites what a killed write has left behind these slots.
  withFile(path, slots === 0 ? 'w' : 'r+', (file) => {
    writeExactly(file, new Uint8Array(packed.buffer), slots * length * 4);
    fdatasyncSync(file);
  });
}

/** Copies the vectors of these slots, in ascending order, into a new file. */
export function copyVectors(from: string, to: string, slots: readonly number[], dimensions: number): void {
  const rowBytes = paddedLength(dimensions) * 4;
  const rows = Math.max(1, Math.floor(COPIED / rowBytes));
  rmSync(to, { force: true });
  withFile(from, 'r', (source) =>
    withFile(to, 'w', (target) => {
      for (let start = 0; start < slots.length; start += rows) {
        const some = slots.slice(start, start + rows);
        const block = Buffer.alloc(some.length * rowBytes);
        for (const [index, slot] of some.entries())
          readExactly(source, block, index * rowBytes, rowBytes, slot * rowBytes);
        writeExactly(target, block, start * rowBytes);
      }
      fdatasyncSync(target);
    }),
  );
}
