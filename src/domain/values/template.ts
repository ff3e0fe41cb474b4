/** Values of a row by field; those of a multivalue field are a list. */
type TemplateRow = Readonly<Record<string, string | number | readonly string[]>>;

/** A text with `{field}` for values of a row; `{{` and `}}` stand for braces. */
export interface Template {
  /** Fields in order of their first use. */
  fields: readonly string[];
  /** @returns the text, or the first field that the row lacks */
  fill(row: TemplateRow): { text: string } | { missing: string };
  /** @param written text that stands for a field */
  fillWith(written: (field: string) => string): string;
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
  const fillWith: Template['fillWith'] = (written) =>
    literals.map((part, index) => (index === 0 ? part : written(fields[index - 1] as string) + part)).join('');
  return {
    fields: [...new Set(fields)],
    fillWith,
    fill(row) {
      const missing = fields.find((field) => templateText(row[field]) === '');
      return missing === undefined ? { text: fillWith((field) => templateText(row[field])) } : { missing };
    },
  };
}

/** A value as templates write it: the values of a list on lines of their own, and nothing for a missing one. */
export const templateText = (cell: TemplateRow[string] | undefined): string =>
  typeof cell === 'object' ? cell.join('\n') : String(cell ?? '');
