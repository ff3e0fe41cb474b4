import { wildcard } from '../../eai/wildcard.ts';
import { aliases, cutAt, nameOf, wordsOf } from '../language/words.ts';
import type { LookupTable, SearchContext } from '../pipeline/context.ts';
import { searchTerms } from '../pipeline/searchTerms.ts';
import type { SearchPart } from '../pipeline/spl.ts';
import { type Batch, cellText, newRow, type Row, type Stage } from '../results/rows.ts';
import { Arguments, refused } from './arguments.ts';

/** `inputlookup name where …`: the rows of a table. */
export async function inputlookup(part: SearchPart, context: SearchContext): Promise<Batch & { append: boolean }> {
  const [before = '', where] = part.text.split(/\bwhere\b/i);
  if (where !== undefined && where.trim() === '')
    throw refused(part.name, "The 'where' keyword must be followed by a search clause.");
  const args = new Arguments({ ...part, text: before.trim() }, ['append', 'start', 'max', 'strict']);
  const [name, more] = args.fields();
  if (name === undefined || more !== undefined)
    throw refused(part.name, 'A lookup table name or file name is required.');
  const { columns, rows } = await context.lookup(part.name, name);
  const matches = where === undefined ? () => true : searchTerms(part.name, where, context.now).matches;
  const start = args.integer('start', 0);
  const most = args.integer('max', 1_000_000_000);
  const cells = rows.map((row) => Object.assign(newRow(), row)).filter(matches);
  return { columns, rows: cells.slice(start, start + most), append: args.boolean('append', false) };
}

interface Pair {
  inTable: string;
  inRow: string;
}

/** `lookup table field AS local OUTPUT a AS b`: adds fields of the rows of a table that match. */
export async function lookup(part: SearchPart, context: SearchContext): Promise<Stage> {
  const args = new Arguments(part, ['local', 'update']);
  const [typedName, ...words] = wordsOf(args.words.join(' '));
  if (typedName === undefined) throw refused(part.name, 'Expecting lookup table name as the first argument.');
  const name = nameOf(typedName);
  const { before: inputs, after: outputs } = cutAt(words, 'output', 'outputnew');
  const keys = pairs(part, inputs);
  if (keys.length === 0) throw refused(part.name, 'Must specify one or more lookup fields.');
  const table = await context.lookup(part.name, name);
  const missing = keys.find(({ inTable }) => !table.columns.includes(inTable));
  if (missing !== undefined)
    throw refused(part.name, `Cannot find the source field '${missing.inTable}' in the lookup table '${name}'.`);
  const others = table.columns.filter((column) => !keys.some(({ inTable }) => inTable === column));
  const targets =
    outputs === undefined ? others.map((column) => ({ inTable: column, inRow: column })) : pairs(part, outputs);
  if (targets.length === 0)
    throw refused(
      part.name,
      'All of the fields in the lookup table are specified as lookups, leaving no destination fields.',
    );
  const unknown = targets.find(({ inTable }) => !table.columns.includes(inTable));
  if (unknown !== undefined)
    throw refused(part.name, `Cannot find the destination field '${unknown.inTable}' in the lookup table '${name}'.`);
  const keepsOld = words[inputs.length]?.toUpperCase() === 'OUTPUTNEW';
  const find = finder(table, keys);
  return {
    push: ({ columns, rows }) => ({
      columns: [...new Set([...columns, ...targets.map(({ inRow }) => inRow)])],
      rows: rows.map((row) => enriched(row, find(row), { targets, keepsOld, defaultMatch: table.defaultMatch })),
    }),
  };
}

function pairs(part: SearchPart, words: readonly string[]): Pair[] {
  const missing = (field: string) => refused(part.name, `Missing alias after field '${field}' in lookup command.`);
  return aliases(words, missing).map(({ field, name }) => ({ inTable: field, inRow: name }));
}

function finder(table: LookupTable, keys: readonly Pair[]): (row: Row) => Record<string, string>[] {
  const { isCaseSensitive, matchesWildcards, mostMatches } = table;
  const normal = (value: string) => (isCaseSensitive ? value : value.toLowerCase());
  const wild = keys.filter(({ inTable }) => matchesWildcards.includes(inTable));
  const exact = keys.filter((key) => !wild.includes(key));
  const byKey = Map.groupBy(table.rows, (row) =>
    JSON.stringify(exact.map(({ inTable }) => normal(row[inTable] ?? ''))),
  );
  return (row) => {
    // A row without a value for each field matches nothing.
    if (keys.some(({ inRow }) => cellText(row[inRow]) === '')) return [];
    const candidates = byKey.get(JSON.stringify(exact.map(({ inRow }) => normal(cellText(row[inRow]))))) ?? [];
    const matching = candidates.filter((candidate) =>
      wild.every(({ inTable, inRow }) => wildcard(normal(candidate[inTable] ?? ''))(normal(cellText(row[inRow])))),
    );
    return matching.slice(0, mostMatches);
  };
}

interface Targets {
  targets: readonly Pair[];
  keepsOld: boolean;
  defaultMatch: string | undefined;
}

function enriched(row: Row, matches: Record<string, string>[], { targets, keepsOld, defaultMatch }: Targets): Row {
  const changed = Object.assign(newRow(), row);
  // OUTPUTNEW leaves a row alone that has one of the fields.
  if (keepsOld && targets.some(({ inRow }) => changed[inRow] !== undefined)) return changed;
  for (const { inTable, inRow } of targets) {
    const values = matches.flatMap((match) =>
      match[inTable] === undefined || match[inTable] === '' ? [] : [match[inTable]],
    );
    if (values.length > 0) changed[inRow] = values.length === 1 ? (values[0] ?? '') : values;
    else if (matches.length === 0 && defaultMatch !== undefined) changed[inRow] = defaultMatch;
    else if (matches.length > 0) delete changed[inRow];
  }
  return changed;
}
