import type { Cell, Row } from '../rows.ts';

/** A text with `{field}` for values of a row; `{{` and `}}` stand for braces. */
export interface Template {
  /** Fields in order of their first use. */
  fields: readonly string[];
  /** @returns the text, or the first field that the row lacks */
  fill(row: Row): { text: string } | { missing: string };
}

const PART = /\{\{|\}\}|\{([A-Za-z_][\w.:]*)\}/g;

export function parseTemplate(text: string): Template {
  const literals: string[] = [];
  const fields: string[] = [];
  let literal = '';
  let position = 0;
  for (const match of text.matchAll(PART)) {
    const [part, field] = match;
    literal += text.slice(position, match.index);
    position = match.index + part.length;
    if (field === undefined) literal += part.charAt(0);
    else {
      literals.push(literal);
      fields.push(field);
      literal = '';
    }
  }
  literals.push(literal + text.slice(position));
  return {
    fields: [...new Set(fields)],
    fill(row) {
      let filled = literals[0] as string;
      for (const [index, field] of fields.entries()) {
        const value = textOf(row[field]);
        if (value === '') return { missing: field };
        filled += value + literals[index + 1];
      }
      return { text: filled };
    },
  };
}

const textOf = (cell: Cell | undefined): string => (typeof cell === 'object' ? cell.join('\n') : String(cell ?? ''));
