import { csvCell, csvLine } from '../domain/values/csv.ts';
import { ChunkError } from './chunks.ts';

const [QUOTE, COMMA, CR, LF] = [34, 44, 13, 10];
const BYTE_ORDER_MARK = 0xfeff;
export const MULTIVALUE = '__mv_';
/** Cells of a first guess; the list grows. */
const FIRST_CELLS = 65_536;

/**
 * The rows of a chunk as text: only the columns that are asked for are decoded, and rows are written as they came, with columns
 * added.
 */
export class CsvTable {
  readonly #text: string;
  readonly #header: readonly string[];
  /** Where each row begins and ends, and its number of cells. */
  #rows = new Int32Array(FIRST_CELLS);
  /** Where each cell begins; a row has one for each name of the header, those that it lacks at its end. */
  #cells = new Int32Array(FIRST_CELLS);
  #count = 0;

  /** Scans the text once, without an object for each row. @throws ChunkError */
  constructor(text: string) {
    this.#text = text;
    let position = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
    const header: string[] = [];
    while (header.length === 0 && position < text.length) position = this.#readHeader(position, header);
    this.#header = header;
    while (position < text.length) position = this.#readRow(position);
  }

  get count(): number {
    return this.#count;
  }

  get fields(): readonly string[] {
    return [...new Set(this.#header.filter((name) => !name.startsWith(MULTIVALUE)))];
  }

  /** Fields that have a column of multivalues. */
  get lists(): readonly string[] {
    return this.#header.flatMap((name) => (name.startsWith(MULTIVALUE) ? [name.slice(MULTIVALUE.length)] : []));
  }

  /** Characters of a row on average. */
  get meanLength(): number {
    return this.#text.length / Math.max(1, this.count);
  }

  /** Texts of some rows; undefined if there is no such field. Values of a multivalue field are lines. */
  column(field: string, from = 0, count = this.count - from): string[] | undefined {
    // The later of two columns with one name holds, as in a row.
    const place = this.#header.lastIndexOf(field);
    if (place < 0) return undefined;
    const column = new Array<string>(count);
    for (let index = 0; index < count; index += 1) column[index] = decoded(this.#cell(from + index, place));
    return column;
  }

  /** The rows as CSV with these columns, which replace those of their names. */
  with(added: ReadonlyMap<string, readonly string[]>): string {
    if (this.count === 0) return '';
    const replaced = new Set([...added.keys()].flatMap((name) => [name, MULTIVALUE + name]));
    const kept = this.#header.flatMap((name, place) => (replaced.has(name) ? [] : [place]));
    const isWhole = kept.length === this.#header.length;
    // Most rows have no error: what is empty in all of them is written at once.
    const columns = [...added.values()].map((column) => (column.every((text) => text === '') ? undefined : column));
    const names = [...kept.map((place) => this.#header[place] ?? ''), ...added.keys()];
    const lines = [csvLine(names)];
    for (let row = 0; row < this.count; row += 1) {
      let line = isWhole ? this.#line(row) : kept.map((place) => this.#cell(row, place)).join(',');
      for (const column of columns) line += column ? `,${csvCell(column[row] ?? '')}` : ',';
      lines.push(kept.length > 0 ? line : line.slice(1));
    }
    return `${lines.join('\r\n')}\r\n`;
  }

  /** As it came; empty beyond the end of the row. */
  #cell(row: number, place: number): string {
    const start = this.#cells[row * this.#header.length + place] as number;
    return this.#text.slice(start, cellEnd(this.#text, start, this.#rows[row * 3 + 1] as number));
  }

  #line(row: number): string {
    const [start, end, cells] = [this.#rows[row * 3], this.#rows[row * 3 + 1], this.#rows[row * 3 + 2] as number];
    const missing = this.#header.length - cells;
    if (missing === 0) return this.#text.slice(start, end);
    if (missing > 0) return this.#text.slice(start, end) + ','.repeat(missing);
    return this.#header.map((_, place) => this.#cell(row, place)).join(',');
  }

  /** @param header gets the names, none in an empty line @returns the begin of the next line */
  #readHeader(start: number, header: string[]): number {
    const text = this.#text;
    let end = start - 1;
    do {
      const from = end + 1;
      end = cellEnd(text, from, text.length);
      header.push(decoded(text.slice(from, end)));
    } while (text.charCodeAt(end) === COMMA);
    if (end === start) header.pop();
    return this.#behindLine(end);
  }

  /** @returns the begin of the next line */
  #readRow(start: number): number {
    const text = this.#text;
    const width = this.#header.length;
    const first = this.#count * width;
    if (first + width > this.#cells.length) this.#cells = enlarged(this.#cells, first + width);
    let cell = 0;
    let end = start;
    for (let from = start; ; from = end + 1) {
      end = cellEnd(text, from, text.length);
      if (cell < width) this.#cells[first + cell] = from;
      cell += 1;
      if (text.charCodeAt(end) !== COMMA) break;
    }
    // A line without anything is no row.
    if (end === start) return this.#behindLine(end);
    // A cell beyond the end of the row is empty.
    for (let place = cell; place < width; place += 1) this.#cells[first + place] = end;
    const row = this.#count * 3;
    if (row + 3 > this.#rows.length) this.#rows = enlarged(this.#rows, row + 3);
    this.#rows[row] = start;
    this.#rows[row + 1] = end;
    this.#rows[row + 2] = cell;
    this.#count += 1;
    return this.#behindLine(end);
  }

  #behindLine(end: number): number {
    return end + (this.#text.charCodeAt(end) === CR && this.#text.charCodeAt(end + 1) === LF ? 2 : 1);
  }
}

function enlarged(list: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(list.length * 2, least));
  larger.set(list);
  return larger;
}

/** The place behind a cell: of a comma, a line end, or the end. @throws ChunkError */
function cellEnd(text: string, start: number, most: number): number {
  let end = start;
  if (text.charCodeAt(start) !== QUOTE) {
    for (; end < most; end += 1) {
      const code = text.charCodeAt(end);
      // Most characters are letters and digits.
      if (code > COMMA) continue;
      if (code === COMMA || code === LF || (code === CR && text.charCodeAt(end + 1) === LF)) return end;
      if (code === QUOTE) throw unreadable('a quote inside a text that is not quoted');
    }
    return end;
  }
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) throw unreadable('a quote does not end');
    if (text.charCodeAt(end + 1) !== QUOTE) break;
    end += 1;
  }
  end += 1;
  const code = text.charCodeAt(end);
  const isEnd = code === COMMA || code === LF || (code === CR && text.charCodeAt(end + 1) === LF);
  if (end < text.length && !isEnd) throw unreadable('a text follows a closing quote');
  return end;
}

export const unreadable = (why: string): ChunkError => new ChunkError(`The rows of a chunk cannot be read: ${why}`);

const decoded = (cell: string): string =>
  cell.charCodeAt(0) === QUOTE ? cell.slice(1, -1).replaceAll('""', '"') : cell;
