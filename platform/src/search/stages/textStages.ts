import { searchRegex } from '../language/regex.ts';
import { aliases, nameOf, wordsOf } from '../language/words.ts';
import type { SearchPart } from '../pipeline/spl.ts';
import { formatTime } from '../pipeline/strftime.ts';
import { jsonFields } from '../results/jsonFields.ts';
import { type Cell, cellText, newRow, type Row, type Stage } from '../results/rows.ts';
import { unquotedName } from './aggregates.ts';
import { Arguments, eachRow, invalidArgument, refused } from './arguments.ts';
import { quotedPattern } from './rowStages.ts';

/** `rex field=x "(?<name>…)"`, and `mode=sed` with `s/a/b/g`. */
export function rex(part: SearchPart): Stage {
  const args = new Arguments(part, ['field', 'max_match', 'mode', 'offset_field']);
  const field = args.text('field') ?? '_raw';
  const mode = args.text('mode');
  if (args.text('offset_field') !== undefined || (mode !== undefined && mode !== 'sed'))
    throw refused(
      part.name,
      "The embedded platform supports 'rex' with the options 'field', 'max_match' and 'mode=sed' only.",
    );
  const pattern = args.words.join(' ');
  if (pattern === '') throw refused(part.name, 'Usage: rex [field=<field>] <regex>.');
  if (mode === 'sed') return sed(part, field, quotedPattern(pattern));
  const expression = searchRegex(part.name, quotedPattern(pattern));
  if (expression.groups.length === 0)
    throw refused(
      part.name,
      `The regex '${quotedPattern(pattern)}' does not extract anything. It should specify at least one named group. Format: (?<name>...).`,
    );
  const most = args.integer('max_match', 1) || Number.POSITIVE_INFINITY;
  return eachRow((row) => {
    const cell = row[field];
    const matches =
      cell === undefined
        ? []
        : [cell]
            .flat()
            .flatMap((value) => expression.execEach(value, most))
            .slice(0, most);
    if (matches.length === 0) return row;
    const changed = Object.assign(newRow(), row);
    for (const name of expression.groups) {
      const values = matches.flatMap(({ groups }) => groups?.[name] ?? []);
      if (values.length > 0) changed[name] = values.length === 1 ? (values[0] ?? '') : values;
    }
    return changed;
  }, expression.groups);
}

/** The parts of `s/…/…/…` between its separators, which a backslash escapes. */
function sedParts(script: string): string[] {
  if (!script.startsWith('s') || script.length < 2) return [];
  const separator = script.charAt(1);
  const parts = [''];
  for (let position = 2; position < script.length; position += 1) {
    const char = script.charAt(position);
    if (char === separator) parts.push('');
    else {
      const isEscape = char === '\\';
      parts[parts.length - 1] += isEscape ? script.slice(position, position + 2) : char;
      if (isEscape) position += 1;
    }
  }
  return parts;
}

function sed(part: SearchPart, field: string, script: string): Stage {
  const [pattern, replacement, flags, more] = sedParts(script);
  if (pattern === undefined || replacement === undefined || more !== undefined || !/^[gi]*$/.test(flags ?? 'x'))
    throw refused(
      part.name,
      `Failed to initialize sed. The embedded platform supports 's/regex/replacement/flags' only, got '${script}'.`,
    );
  const options = flags ?? '';
  const expression = searchRegex(part.name, options.includes('i') ? `(?i)${pattern}` : pattern);
  return eachRow((row) => {
    const cell = row[field];
    if (cell === undefined) return row;
    const value = cellText(cell);
    if (options.includes('g')) return Object.assign(newRow(), row, { [field]: expression.replace(value, replacement) });
    const match = expression.exec(value);
    if (match === null) return row;
    const end = match.index + match[0].length;
    const text =
      value.slice(0, match.index) +
      replacement.replace(/\\(\d)/g, (_whole, digit: string) => match[Number(digit)] ?? '') +
      value.slice(end);
    return Object.assign(newRow(), row, { [field]: text });
  });
}

/** `makemv delim="," field` */
export function makemv(part: SearchPart): Stage {
  const args = new Arguments(part, ['delim', 'allowempty', 'tokenizer', 'setsv']);
  if (args.text('tokenizer') !== undefined)
    throw refused(part.name, "The embedded platform does not support the option 'tokenizer'.");
  const [field, more] = args.fields();
  if (field === undefined || more !== undefined) throw invalidArgument(part, more);
  const allowEmpty = args.boolean('allowempty', false);
  return eachRow((row) => {
    const cell = row[field];
    if (cell === undefined) return row;
    const values = cellText(cell)
      .split(args.text('delim') ?? ' ')
      .filter((value) => allowEmpty || value !== '');
    return Object.assign(newRow(), row, { [field]: values.length === 1 ? (values[0] ?? '') : values });
  });
}

/** One row for each value of a field. */
export function mvexpand(part: SearchPart): Stage {
  const args = new Arguments(part, ['limit']);
  const limit = args.integer('limit', 0) || Number.POSITIVE_INFINITY;
  const [field, more] = args.fields();
  if (field === undefined || more !== undefined) throw invalidArgument(part, more);
  const expand = (row: Row): Row[] => {
    const cell: Cell | undefined = row[field];
    if (!Array.isArray(cell)) return [row];
    return cell.slice(0, limit).map((value) => Object.assign(newRow(), row, { [field]: value }));
  };
  return { push: ({ columns, rows }) => ({ columns, rows: rows.flatMap(expand) }) };
}

/** `spath path=a.b{}.c output=d`; without a path, all fields of the JSON. */
export function spath(part: SearchPart): Stage {
  const args = new Arguments(part, ['input', 'output', 'path']);
  const input = args.text('input') ?? '_raw';
  const path = args.text('path') ?? unquotedName(args.words[0]);
  const output = args.text('output') ?? path;
  const parsed = (row: Row): unknown => {
    try {
      return JSON.parse(cellText(row[input]));
    } catch {
      return undefined;
    }
  };
  if (path === undefined) {
    const add = (row: Row) => Object.assign(newRow(), row, jsonFields(parsed(row)));
    return {
      push: ({ columns, rows }) => {
        const changed = rows.map(add);
        return { columns: [...new Set([...columns, ...changed.flatMap((row) => Object.keys(row))])], rows: changed };
      },
    };
  }
  return eachRow(
    (row) => {
      const value = jsonFields(parsed(row))[path] ?? nested(parsed(row), path);
      return value === undefined ? row : Object.assign(newRow(), row, { [output ?? path]: value });
    },
    [output ?? path],
  );
}

/** The object or list at a path, as JSON. */
function nested(value: unknown, path: string): string | undefined {
  let current = value;
  for (const key of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return typeof current === 'object' && current !== null ? JSON.stringify(current) : undefined;
}

const CONVERSIONS: Readonly<Record<string, (value: string, format: string) => string | undefined>> = {
  ctime: (value, format) =>
    value.trim() === '' || Number.isNaN(Number(value)) ? undefined : formatTime(Number(value), format),
  num: (value) => (value.trim() === '' || Number.isNaN(Number(value)) ? undefined : String(Number(value))),
  rmcomma: (value) => value.replaceAll(',', ''),
  none: (value) => value,
};

/** `convert timeformat="%F" ctime(first) AS day` */
export function convert(part: SearchPart): Stage {
  const args = new Arguments(part, ['timeformat']);
  const format = args.text('timeformat') ?? '%m/%d/%Y %H:%M:%S';
  const text = args.words.join(' ');
  const missing = (field: string) => invalidArgument(part, field);
  const changes = aliases(wordsOf(text), missing).map(({ field: conversion, name }) => {
    const [, call = '', inner = ''] = /^(\w+)\(([^()]*)\)$/.exec(conversion) ?? [];
    const convertCell = Object.hasOwn(CONVERSIONS, call.toLowerCase()) ? CONVERSIONS[call.toLowerCase()] : undefined;
    if (convertCell === undefined || inner.trim() === '' || inner.includes('*'))
      throw refused(
        part.name,
        `The embedded platform supports 'convert' with ${Object.keys(CONVERSIONS).join(', ')} of one field only.`,
      );
    const field = nameOf(inner.trim());
    return { call: convertCell, field, to: name === conversion ? field : name };
  });
  if (changes.length === 0) throw invalidArgument(part, text);
  return eachRow(
    (row) => {
      const changed = Object.assign(newRow(), row);
      for (const { call, field, to } of changes) {
        const value = row[field] === undefined ? undefined : call(cellText(row[field]), format);
        // A value that cannot be converted stays as it is.
        if (value !== undefined) changed[to] = value;
      }
      return changed;
    },
    changes.map(({ to }) => to),
  );
}
