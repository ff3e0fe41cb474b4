/** Places where a text may be cut, as offsets of what begins there, in ascending order. */
export interface Breaks {
  /** Headings that begin a part of the text; of several in a row the first. */
  headings: readonly number[];
  /** All headings. */
  outline: readonly Heading[];
  paragraphs: readonly number[];
  /** Lines are sentences too, since lists and logs have no others. */
  sentences: readonly number[];
}

export interface Heading {
  offset: number;
  /** 1 is the outermost. */
  level: number;
  title: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const UNDERLINE = /^ {0,3}(=(?==*[ \t]*$)|-(?=-*[ \t]*$))/;
/** Headings are short; of longer lines nothing else is read. */
const MAX_MARK = 200;
/** The end of a sentence within a line, with what closes it; in Chinese and Japanese no space follows. */
const SENTENCE_END = /[.!?…]["'”’»)\]]{0,3}[ \t]+|[。！？][」』”’）]{0,3}[ \t]*/g;

/** Reads the structure of a text in Markdown, or of any other. */
export function breaksOf(text: string): Breaks {
  const headings: number[] = [];
  const outline: Heading[] = [];
  const paragraphs: number[] = [];
  const sentences: number[] = [];
  const scan = new LineScan(text);
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = scan.read(start, end);
    if (line.kind === 'heading') {
      if (!line.continues) headings.push(start);
      if (line.level > 0) outline.push(headingOf(text, start, end, line.level));
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
  return { headings, outline, paragraphs, sentences };
}

/** The heading in a line, without white space before it and marks at the edges of its title. */
function headingOf(text: string, start: number, end: number, level: number): Heading {
  const line = text.slice(start, end);
  const offset = start + line.length - line.trimStart().length;
  // A part of a title could have a part of a value, which masking would not know.
  const mark = end - offset > MAX_MARK ? '' : text.slice(offset, end);
  return { offset, level, title: mark.replace(/^#{1,6}(?=\s|$)|\s#+\s*$/g, '').trim() };
}

interface Line {
  kind: 'blank' | 'heading' | 'text';
  /** The level of a heading; 0 for other lines, also those under headings. */
  level: number;
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
    const { kind, level = 0 } = this.#kindOf(mark, start, end);
    const line: Line = { kind, level, continues: this.#isAfterHeading, opens: this.#isAfterBlank };
    this.#isAfterBlank = kind === 'blank';
    if (kind !== 'blank') this.#isAfterHeading = kind === 'heading';
    return line;
  }

  #kindOf(mark: string, start: number, end: number): { kind: Line['kind']; level?: number } {
    if (mark.trim() === '' && (end - start <= MAX_MARK || this.#text.slice(start, end).trim() === ''))
      return { kind: 'blank' };
    const fence = FENCE.exec(mark)?.[1];
    if (this.#fence !== undefined) {
      if (fence?.startsWith(this.#fence)) this.#fence = undefined;
      return { kind: 'text' };
    }
    if (fence !== undefined) {
      this.#fence = fence;
      return { kind: 'text' };
    }
    const signs = HEADING.exec(mark)?.[1];
    if (signs !== undefined) return { kind: 'heading', level: signs.length };
    // The line under a heading belongs to it.
    if (this.#isAfterHeading && UNDERLINE.test(mark)) return { kind: 'heading' };
    const underline = this.#isAfterBlank ? this.#underlineOf(end) : undefined;
    return underline === undefined ? { kind: 'text' } : { kind: 'heading', level: underline === '=' ? 1 : 2 };
  }

  /** The first sign of the line under this one, if it is an underline. */
  #underlineOf(end: number): string | undefined {
    const below = this.#text.slice(end + 1, end + 1 + MAX_MARK);
    const newline = below.indexOf('\n');
    return UNDERLINE.exec(newline < 0 ? below : below.slice(0, newline))?.[1];
  }
}
