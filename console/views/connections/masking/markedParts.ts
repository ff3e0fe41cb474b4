/** A piece of a text, with the kind of the value that it is or stands for. */
export interface TextPart {
  text: string;
  kind?: string;
}

interface Span {
  start: number;
  end: number;
  kind: string;
}

const PLACEHOLDER = /[a-z][a-z0-9]{0,15}-[a-z0-9]{10}/y;

/** A text and its masked form, each in pieces. @param spans from left to right */
export function markedParts(text: string, masked: string, spans: readonly Span[]) {
  const original: TextPart[] = [];
  const replaced: TextPart[] = [];
  let [read, place] = [0, 0];
  for (const { start, end, kind } of spans) {
    const between = text.slice(read, start);
    place += between.length;
    PLACEHOLDER.lastIndex = place;
    const [word = ''] = PLACEHOLDER.exec(masked) ?? [];
    original.push({ text: between }, { text: text.slice(start, end), kind });
    replaced.push({ text: between }, { text: word, kind });
    read = end;
    place += word.length;
  }
  original.push({ text: text.slice(read) });
  replaced.push({ text: masked.slice(place) });
  const isShown = (part: TextPart) => part.text !== '';
  return { original: original.filter(isShown), masked: replaced.filter(isShown) };
}
