import { parseBoolean } from '../../confs/conf.ts';
import { splitOpen, unquoted } from '../language/scan.ts';
import { ArgumentError, type SearchPart } from '../pipeline/spl.ts';
import type { Batch, Row, Stage } from '../results/rows.ts';

/** A refusal in the words of the command. */
export function refused(command: string, text: string): ArgumentError {
  return new ArgumentError(`Error in '${command}' command: ${text}`);
}

export function invalidArgument(part: Pick<SearchPart, 'name'>, argument: string | undefined): ArgumentError {
  return refused(part.name, `The argument '${argument ?? ''}' is invalid.`);
}

/** The arguments of a command: its options, and the words that are none. */
export class Arguments {
  readonly #command: string;
  readonly #options = new Map<string, string>();
  /** As typed. */
  readonly words: string[];

  /** @param names options that the command takes as `name=value` */
  constructor(part: SearchPart, names: readonly string[]) {
    this.#command = part.name;
    const text = part.text.replace(/\b([A-Za-z_]\w*)\s*=\s+/g, (whole, name: string) =>
      names.includes(name) ? `${name}=` : whole,
    );
    this.words = splitOpen(text).filter((word) => {
      const [, name = '', value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
      if (!names.includes(name.toLowerCase())) return true;
      if (this.#options.has(name.toLowerCase()))
        throw refused(this.#command, `Option '${name}' should not be specified more than once.`);
      this.#options.set(name.toLowerCase(), unquoted(value));
      return false;
    });
  }

  text(name: string): string | undefined {
    return this.#options.get(name);
  }

  integer(name: string, usual: number, least = 0): number {
    const text = this.#options.get(name);
    if (text === undefined) return usual;
    const value = Number(text);
    if (!/^-?\d{1,15}$/.test(text) || value < least) throw this.#invalid(name, 'integer', text);
    return value;
  }

  boolean(name: string, usual: boolean): boolean {
    const text = this.#options.get(name);
    if (text === undefined) return usual;
    const value = parseBoolean(text);
    if (value === undefined) throw this.#invalid(name, 'boolean', text);
    return value;
  }

  /** The words as names of fields, separated by commas or blanks. */
  fields(): string[] {
    return fieldNames(this.words.join(' '));
  }

  #invalid(name: string, type: string, text: string): ArgumentError {
    return refused(
      this.#command,
      `Invalid option value. Expecting a '${type}' for option '${name}'. Instead got '${text}'.`,
    );
  }
}

/** Names of fields, separated by commas or blanks, some of them in quotes. */
export function fieldNames(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s,"]+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
}

/** A command that changes or drops one row at a time. @param added columns that it may add */
export function eachRow(change: (row: Row) => Row | undefined, added: readonly string[] = []): Stage {
  return {
    push: ({ columns, rows }) => ({
      columns: [...new Set([...columns, ...added])],
      rows: rows.flatMap((row) => {
        const changed = change(row);
        return changed === undefined ? [] : [changed];
      }),
    }),
  };
}

/** A command that needs all rows before it can answer. */
export function allRows(change: (batch: Batch) => Batch): Stage {
  const columns = new Set<string>();
  const rows: Row[] = [];
  return {
    push: (batch) => {
      for (const name of batch.columns) columns.add(name);
      for (const row of batch.rows) rows.push(row);
      return { columns: [], rows: [] };
    },
    finish: () => change({ columns: [...columns], rows }),
  };
}
