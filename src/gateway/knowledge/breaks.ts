/** Places where a text may be cut, as offsets of what begins there, in ascending order. */
export interface Breaks {
  /** Headings that begin a part of the text; of several in a row the first. */
  headings: readonly number[];
  paragraphs: readonly number[];
  /** Lines are sentences too, since lists and logs have no others. */
  sentences: readonly number[];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** Headings are short; of longer lines nothing else is read. */
const MAX_MARK = 200;
/** The end of a sentence within a line, with what closes it; in Chinese and Japanese no space follows. */
const SENTENCE_END = /[.!?…]["'”’»)\]]{0,3}[ \t]+|[。！？][」』”’）]{0,3}[ \t]*/g;

/** Reads the structure of a text in Markdown, or of any other. */
export function breaksOf(text: string): Breaks {
  const headings: number[] = [];
  const paragraphs: number[] = [];
  const sentences: number[] = [];
  const scan = new LineScan(text);
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = scan.read(start, end);
    if (line.kind === 'heading') {
      if (!line.continues) headings.push(start);
    } else if (line.kind === 'text') {
      // The text of a heading stays with it.
      if (!line.continues) (line.opens ? paragraphs : sentences).push(start);
      for (const match of text.slice(start, end).matchAll(SENTENCE_END)) {
        const next = start + match.index + match[0].length;
        if (next < end) sentences.push(next);
      }
    }
    start = end + 1;
  }
  return { headings, paragraphs, sentences };
}

interface Line {
  kind: 'blank' | 'heading' | 'text';
  /** Whether it follows a heading, with nothing but blank lines between. */
  continues: boolean;
  /** Whether a blank line precedes it. */
  opens: boolean;
}

/** Reads line by line; knows what came before. */
class LineScan {
  readonly #text: string;
  #fence: string | undefined;
  #isAfterBlank = true;
  #isAfterHeading = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(start: number, end: number): Line {
    const mark = this.#text.slice(start, Math.min(end, start + MAX_MARK));
    const kind = this.#kindOf(mark, start, end);
    const line: Line = { kind, continues: this.#isAfterHeading, opens: this.#isAfterBlank };
    this.#isAfterBlank = kind === 'blank';
    if (kind !== 'blank') this.#isAfterHeading = kind === 'heading';
    return line;
  }

  #kindOf(mark: string, start: number, end: number): Line['kind'] {
    if (mark.trim() === '' && (end - start <= MAX_MARK || this.#text.slice(start, end).trim() === '')) return 'blank';
    const fence = FENCE.exec(mark)?.[1];
    if (this.#fence !== undefined) {
      if (fence?.startsWith(this.#fence)) this.#fence = undefined;
      return 'text';
    }
    if (fence !== undefined) {
      this.#fence = fence;
      return 'text';
    }
    if (HEADING.test(mark)) return 'heading';
    // The line under a heading belongs to it.
    if (this.#isAfterHeading && UNDERLINE.test(mark)) return 'heading';
    return this.#isAfterBlank && this.#isUnderlined(end) ? 'heading' : 'text';
  }

  #isUnderlined(end: number): boolean {
    const below = this.#text.slice(end + 1, end + 1 + MAX_MARK);
    const newline = below.indexOf('\n');
    return UNDERLINE.test(newline < 0 ? below : below.slice(0, newline));
  }
}
