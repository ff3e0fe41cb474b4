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
