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
