/**
 * The record key of a name, case-insensitive so that the insert detects duplicates. Bytes except letters, digits, `.` and `-`
 * become `_` and two hex digits: unique, and safe in URLs and in the store.
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
 * An id that sorts by time: 12 hexadecimal digits of milliseconds, 4 of a counter, 16 random.
 * @param now milliseconds since the epoch
 */
export function timeOrderedId(now: number): string {
  last.count = now === last.at ? last.count + 1 : 0;
  last.at = now;
  const random = globalThis.crypto.randomUUID().replaceAll('-', '').slice(16);
  return timePart(now) + (last.count % 0x10000).toString(16).padStart(4, '0') + random;
}

/** Prefix of the ids of a time; ids from then on compare greater. */
export const timePart = (ms: number): string => Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');

/** The time of a time-ordered id, milliseconds since the epoch. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 12), 16);
