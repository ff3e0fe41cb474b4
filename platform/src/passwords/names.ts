/** `realm:name:`, or `:name:` without a realm; `:` and `\` in the parts are escaped by a backslash. */
export function entryName(realm: string, name: string): string {
  return `${escaped(realm)}:${escaped(name)}:`;
}

/** Parses such a name. The final colon is optional, and a lone part is a name without realm. */
export function parseEntryName(text: string): { realm: string; name: string } | undefined {
  const parts: string[] = [];
  let part = '';
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === ':') {
      parts.push(part);
      part = '';
    } else if (char === '\\' && index + 1 < text.length) {
      index += 1;
      part += text.charAt(index);
    } else part += char;
  }
  parts.push(part);
  if (parts.length > 1 && parts.at(-1) === '') parts.pop();
  const [first = '', second] = parts;
  if (parts.length > 2 || (second ?? first) === '') return undefined;
  return second === undefined ? { realm: '', name: first } : { realm: first, name: second };
}

function escaped(part: string): string {
  return part.replace(/[\\:]/g, '\\$&');
}
