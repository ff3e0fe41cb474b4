/** A line of CSV. */
export interface CsvRecord {
  /** Without white space around them; quoted ones without their quotes. */
  cells: string[];
  /** A line of nothing but white space. */
  isBlank: boolean;
  /** Whether a comma has cut a list or an object of JSON. */
  isCut: boolean;
}

/** The lines of a text, one after the other, so that a reader may stop early. Each character is looked at once. */
export function* csvRecords(text: string): Generator<CsvRecord> {
  let offset = text.startsWith('\ufeff') ? 1 : 0;
  let quote = -1;
  while (offset < text.length) {
    const lineEnd = indexOrEnd(text, '\n', offset);
    if (quote < offset) quote = indexOrEnd(text, '"', offset);
    if (quote < lineEnd) {
      const { record, end } = quotedRecord(text, offset);
      yield record;
      offset = end + 1;
    } else {
      const cells = text.slice(offset, lineEnd).split(',').map(trimmed);
      yield { cells, isBlank: cells.length === 1 && cells[0] === '', isCut: cells.some(isOpen) };
      offset = lineEnd + 1;
    }
  }
}

function indexOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index < 0 ? text.length : index;
}

/** Most cells have no white space around them. */
const trimmed = (cell: string): string => {
  const isPlain = cell.charCodeAt(0) > SPACE && cell.charCodeAt(cell.length - 1) > SPACE;
  return isPlain && cell.charCodeAt(cell.length - 1) < NOT_ASCII && cell.charCodeAt(0) < NOT_ASCII ? cell : cell.trim();
};

/** A line with a quotation mark, which may hold ends of lines. */
function quotedRecord(text: string, from: number): { record: CsvRecord; end: number } {
  const cells: string[] = [];
  let isCut = false;
  let offset = from;
  for (;;) {
    while (text[offset] === ' ' || text[offset] === '\t') offset += 1;
    const isQuoted = text[offset] === '"';
    const cell = isQuoted ? quotedCell(text, offset) : plainCell(text, offset);
    cells.push(cell.text);
    isCut ||= !isQuoted && isOpen(cell.text);
    if (text[cell.end] !== ',') {
      return { record: { cells, isBlank: cells.length === 1 && cell.text === '' && !isQuoted, isCut }, end: cell.end };
    }
    offset = cell.end + 1;
  }
}

/** Whether a list or an object of JSON begins here and does not end. */
function isOpen(cell: string): boolean {
  if (!cell.startsWith('[') && !cell.startsWith('{')) return false;
  let depth = 0;
  for (const [part] of cell.matchAll(STRING_OR_BRACKET))
    depth += '[{'.includes(part) ? 1 : ']}'.includes(part) ? -1 : 0;
  return depth > 0;
}

const STRING_OR_BRACKET = /"(?:[^"\\]|\\.)*"?|[[\]{}]/g;

interface Cell {
  text: string;
  /** Index of the comma or the end of the line behind it. */
  end: number;
}

function plainCell(text: string, from: number): Cell {
  const end = endOf(text, from);
  return { text: text.slice(from, end).trim(), end };
}

function quotedCell(text: string, from: number): Cell {
  let content = '';
  let offset = from + 1;
  for (;;) {
    const quote = text.indexOf('"', offset);
    if (quote < 0) return { text: content + text.slice(offset), end: text.length };
    content += text.slice(offset, quote);
    if (text[quote + 1] !== '"') return { text: content, end: endOf(text, quote + 1) };
    content += '"';
    offset = quote + 2;
  }
}

function endOf(text: string, from: number): number {
  let end = from;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === COMMA || code === LINE_END) break;
    end += 1;
  }
  return end;
}

const SPACE = 0x20;
const NOT_ASCII = 0x80;
const COMMA = 0x2c;
const LINE_END = 0x0a;
