import type { Problem } from '../contract/codes/faults.ts';

/** Names the body itself, and a field without a name. */
const BODY = '$body';
const MESSAGE = 'must be valid Unicode: it contains half of a surrogate pair';
/** Maximum number of reported problems. */
const MAX_PROBLEMS = 20;

/** Lone surrogates can only come from escapes, since UTF-8 has none. */
export function mayHaveLoneSurrogates(bytes: Uint8Array | undefined): boolean {
  const text = Buffer.from(bytes?.buffer ?? new ArrayBuffer(0), bytes?.byteOffset, bytes?.byteLength);
  return text.includes('\\ud') || text.includes('\\uD');
}

/** Finds lone surrogates (`"\ud800"`), which UTF-8 cannot store. */
export function illFormed(body: unknown): Problem[] {
  const problems: Problem[] = [];
  // Not recursive, since the nesting is not limited yet.
  const pending: [path: string, value: unknown][] = [['', body]];
  for (let next = pending.pop(); next && problems.length < MAX_PROBLEMS; next = pending.pop()) {
    const [path, value] = next;
    if (typeof value === 'string' && !value.isWellFormed()) problems.push({ field: path || BODY, message: MESSAGE });
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, below] of Object.entries(value).reverse()) {
      const field = path === '' ? key.toWellFormed() : `${path}.${key.toWellFormed()}`;
      if (!key.isWellFormed()) problems.push({ field: field || BODY, message: MESSAGE });
      pending.push([field, below]);
    }
  }
  return problems;
}
