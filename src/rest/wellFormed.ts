import type { Problem } from '../contract/codes/faults.ts';

const MESSAGE = 'must be valid Unicode: it contains half of a surrogate pair';
/** More of them say nothing new. */
const MOST = 20;

/** Whether it is worth looking: UTF-8 itself has no halves, only an escape can write one. */
export function mayHoldHalves(bytes: Uint8Array | undefined): boolean {
  const text = Buffer.from(bytes?.buffer ?? new ArrayBuffer(0), bytes?.byteOffset, bytes?.byteLength);
  return text.includes('\\ud') || text.includes('\\uD');
}

/**
 * Texts of a body that no store can keep as they are. JSON can write half of a surrogate pair (`"\ud800"`), UTF-8 cannot: it would
 * be stored as another character, and has no place in a URL.
 */
export function illFormed(body: unknown): Problem[] {
  const problems: Problem[] = [];
  // A stack of its own: what is nested too deeply is refused elsewhere, and must not overflow this.
  const rest: [path: string, value: unknown][] = [['', body]];
  for (let next = rest.pop(); next && problems.length < MOST; next = rest.pop()) {
    const [path, value] = next;
    if (typeof value === 'string' && !value.isWellFormed()) problems.push({ field: path, message: MESSAGE });
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, below] of Object.entries(value).reverse()) {
      const field = path === '' ? key.toWellFormed() : `${path}.${key.toWellFormed()}`;
      if (!key.isWellFormed()) problems.push({ field, message: MESSAGE });
      rest.push([field, below]);
    }
  }
  return problems;
}
