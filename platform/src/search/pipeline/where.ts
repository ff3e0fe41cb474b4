import { cellText, type Row } from '../results/rows.ts';
import type { SearchPart } from './spl.ts';
import { ArgumentError } from './spl.ts';

type Test = (row: Row) => boolean;

const COMPARISON = /^\s*([A-Za-z_]\w*)\s*(<=|>=|!=|==?|<|>)\s*(?:"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?))\s*$/;

const COMPARE: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const IS_NUMBER = /^\s*isnum\(\s*([A-Za-z_]\w*)\s*\)\s*$/i;

/**
 * `field=value` and other comparisons, and `isnum(field)`, joined by AND or OR. A missing field matches no comparison.
 */
export function whereTerms(part: SearchPart): Test {
  const alternatives = part.text
    .split(/\sOR\s/i)
    .map((text) => text.split(/\sAND\s/i).map((one) => comparison(part, one)));
  return (row) => alternatives.some((tests) => tests.every((test) => test(row)));
}

function comparison(part: SearchPart, text: string): Test {
  const [, counted] = IS_NUMBER.exec(text) ?? [];
  if (counted !== undefined) return (row) => isNumber(cellText(row[counted]));
  const [, field = '', operator = '', quoted, number] = COMPARISON.exec(text) ?? [];
  const compare = COMPARE[operator];
  if (compare === undefined)
    throw new ArgumentError(`Error in '${part.name}' command: The expression is malformed: '${text.trim()}'.`);
  const operand = number === undefined ? (quoted ?? '').replace(/\\(.)/g, '$1') : Number(number);
  return (row) => {
    const cell = cellText(row[field]);
    if (cell === '') return false;
    if (typeof operand === 'string') return compare(cell < operand ? -1 : cell > operand ? 1 : 0);
    return isNumber(cell) && compare(Number(cell) - operand);
  };
}

const isNumber = (cell: string): boolean => cell.trim() !== '' && Number.isFinite(Number(cell));
