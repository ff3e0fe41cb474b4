/** Cells as a line, without its end. */
export const csvLine = (cells: readonly string[]): string => cells.map(csvCell).join(',');

/** Some readers treat a lone carriage return as a line end. */
export const csvCell = (text: string): string =>
  text !== '' && /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
