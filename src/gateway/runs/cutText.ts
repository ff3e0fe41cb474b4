/**
 * A text of at most so many bytes in UTF-8, with a note of its size behind it if it was longer. No character is cut in half.
 */
export function cutText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  return `${bytes.subarray(0, end).toString()}\n[cut: ${bytes.length} bytes in all]`;
}
