/** A line of CSV, and where the text goes on behind it. */
interface CsvRecord {
  cells: string[];
  end: number;
}

/** Lines of CSV in order; a quoted cell may have commas, quotes and line breaks. An empty line has one empty cell. */
export function* csvRecords(text: string): Generator<CsvRecord> {
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (isQuoted && char === '"' && text[index + 1] === '"') {
      cell += '"';
      index += 1;
    } else if (char === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (isQuoted) cell += char;
    else if (char === ',') {
      cells.push(cell);
      cell = '';
    } else if (char === '\n') {
      yield { cells: [...cells, cell], end: index + 1 };
      cells = [];
      cell = '';
    } else if (char !== '\r') cell += char;
  }
  yield { cells: [...cells, cell], end: text.length };
}
