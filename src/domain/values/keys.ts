/**
 * The record key of a name: names that differ only in case have one key, so that one atomic insert decides who gets it.
 * Letters, digits, `.` and `-` stand for themselves, all else is `_` and two hex digits a byte: reversible, so two names
 * never share a key by accident, and safe in a URL and in the store.
 */
export function recordKey(name: string): string {
  const bytes = Buffer.from(name.trim().toLowerCase(), 'utf8');
  let key = '';
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    key += /[a-z0-9.-]/.test(char) ? char : `_${byte.toString(16).padStart(2, '0')}`;
  }
  return key;
}

const last = { at: 0, count: 0 };

/**
 * An id that sorts by time: 12 hexadecimal digits of milliseconds, 4 of a count for what this process makes within one of them,
 * 16 at random.
 * @param now milliseconds since the epoch
 */
export function timeOrderedId(now: number): string {
  last.count = now === last.at ? last.count + 1 : 0;
  last.at = now;
  const random = globalThis.crypto.randomUUID().replaceAll('-', '').slice(16);
  return timePart(now) + (last.count % 0x10000).toString(16).padStart(4, '0') + random;
}

/** What ids from this time on begin with, or what follows it. */
export const timePart = (ms: number): string => Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
