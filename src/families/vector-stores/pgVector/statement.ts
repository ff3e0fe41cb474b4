/** A value of a statement. */
export type SqlValue = string | null | readonly string[];

/** Values of a statement, each named by its place. */
export class Parameters {
  readonly values: SqlValue[] = [];

  /** @returns `$1` and so on */
  add(value: SqlValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** A name in quotes, whatever is in it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A table, or schema and table. */
export const quotedTable = (table: string): string => {
  const dot = table.indexOf('.');
  return dot < 0 ? quoted(table) : `${quoted(table.slice(0, dot))}.${quoted(table.slice(dot + 1))}`;
};
