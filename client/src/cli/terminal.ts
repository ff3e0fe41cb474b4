const CODES = { red: 31, green: 32, yellow: 33, cyan: 36, bold: 1, dim: 2 } as const;
export type Style = keyof typeof CODES;

/** Results go to stdout, everything else to stderr. */
export interface Terminal {
  out(line: string): void;
  /** Progress, questions and warnings. */
  note(line: string): void;
  paint(style: Style, text: string): string;
  /** Whether a user can answer questions. */
  isInteractive: boolean;
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  // no-color.org: any value but an empty one.
  const isColoured = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  return {
    out: (line) => void stdout.write(`${line}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    paint: (style, text) => (isColoured ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text),
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
  };
}

/** Replaces control characters, so that foreign text cannot control the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
export const plain = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');

const LONGEST = 100;

/** Formats a value for a diff. */
export function formatValue(value: unknown): string {
  if (value === undefined) return '(unset)';
  const text = plain(JSON.stringify(value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Pads columns to equal width. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
