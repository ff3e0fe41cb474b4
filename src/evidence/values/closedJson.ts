const MOST_LEVELS = 200;

/**
 * JSON whose end was cut off, ended behind its last complete value of a list or an object.
 * @returns `end`, the index in the text behind that value; undefined if there is none
 */
export function closedJson(text: string): { json: string; end: number } | undefined {
  const open: string[] = [];
  let levels = 0;
  let end = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) isInString = false;
      continue;
    }
    if (code === 0x22) isInString = true;
    else if (code === 0x7b || code === 0x5b) {
      open.push(code === 0x7b ? '}' : ']');
      if (open.length > MOST_LEVELS) return undefined;
    } else if (code === 0x7d || code === 0x5d) {
      if (open.pop() !== text.charAt(index)) break;
      end = index + 1;
      if (open.length === 0) break;
    } else if (code === 0x2c) {
      if (open.length === 0) break;
      end = index;
    } else continue;
    if (end === index || end === index + 1) levels = open.length;
  }
  return end === 0 ? undefined : { json: text.slice(0, end) + open.slice(0, levels).toReversed().join(''), end };
}
