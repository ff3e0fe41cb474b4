import { type Unit, unitOf } from '../data/units.ts';
import { classAt, endOfDigits, isBlank, isDigit, LETTER, valueOfDigits } from './characters.ts';

export interface NumberReading {
  /** Values that it may stand for: the digits before the unit, by one or both locales. */
  values: { value: number; decimals: number }[];
  /** All digits, where a number of JavaScript would lose some. */
  digits?: string;
  unit?: Unit;
  /** Index behind the digits, and behind the unit. */
  digitsEnd: number;
  end: number;
  /** Index behind its first group, where blanks separate the others. */
  firstGroupEnd?: number;
  /** Whether it may as well be a list of numbers, such as `12,5`. */
  mayBeList: boolean;
}

interface Groups {
  groups: string[];
  separators: string[];
  end: number;
}

const MOST_DIGITS = 40;
const SAFE_DIGITS = 15;
const APOSTROPHES = "'’";

/** Number that begins at a digit; undefined for a part of something else, such as `64-bit` or `10-20`. */
export function readNumber(text: string, from: number): NumberReading | undefined {
  const isNegative = signBefore(text, from);
  const plainEnd = endOfDigits(text, from);
  if (plainEnd - from <= SAFE_DIGITS && endsHere(text, plainEnd)) {
    const value = valueOfDigits(text, from, plainEnd);
    const values = [{ value: isNegative ? -value : value, decimals: 0 }];
    return { values, digitsEnd: plainEnd, end: plainEnd, mayBeList: false };
  }
  const groups = groupsAt(text, from);
  const values = valuesOf(groups);
  if (values.length === 0 || isPartOfMore(text, groups.end)) return undefined;
  const unit = unitAt(text, groups.end);
  if (unit === undefined) return undefined;
  const whole = groups.groups.join('');
  return {
    values: isNegative ? values.map(({ value, decimals }) => ({ value: -value, decimals })) : values,
    ...(whole.length > SAFE_DIGITS ? { digits: whole } : {}),
    ...(unit.unit === undefined ? {} : { unit: unit.unit }),
    digitsEnd: groups.end,
    end: unit.end,
    ...(groups.separators[0] === ' ' ? { firstGroupEnd: from + (groups.groups[0] ?? '').length } : {}),
    mayBeList: groups.separators.length === 1 && groups.separators[0] === ',' && groups.groups[1]?.length !== 3,
  };
}

/** Whether nothing that may belong to a number follows, as behind most numbers of results. */
function endsHere(text: string, end: number): boolean {
  if (classAt(text, end) !== 0) return false;
  const code = text.charCodeAt(end);
  return code !== 0x2c && code !== 0x27 && code !== 0x2019 && !isBlank(code);
}

/** A sign only where no word or number stands before it. */
const signBefore = (text: string, from: number): boolean => {
  const sign = text.charAt(from - 1);
  return (sign === '-' || sign === '\u2212') && (from < 2 || classAt(text, from - 2) === 0);
};

/** Digits, and those behind separators as far as they make one number. */
function groupsAt(text: string, from: number): Groups {
  const first = endOfDigits(text, from);
  const groups = [text.slice(from, first)];
  const separators: string[] = [];
  let end = first;
  while (groups.length < MOST_DIGITS) {
    const separator = separatorAt(text, end);
    const next = endOfDigits(text, end + 1);
    const length = next - end - 1;
    if (separator === undefined || length === 0) break;
    const isThousands = length === 3 && (groups[0] ?? '').length <= 3;
    if (separator !== '.' && separator !== ',' && !isThousands) break;
    // A list such as 10,20,30 ends behind its first number; dates and versions are no numbers and end nothing.
    if (separator === ',' && !isThousands && separators.includes(',')) break;
    groups.push(text.slice(end + 1, next));
    separators.push(separator);
    end = next;
  }
  return { groups, separators, end };
}

function separatorAt(text: string, index: number): string | undefined {
  const character = text.charAt(index);
  if (character === '.' || character === ',' || character === '_') return character;
  if (APOSTROPHES.includes(character) && character !== '') return "'";
  return isBlank(text.charCodeAt(index)) && text.charCodeAt(index) !== 9 ? ' ' : undefined;
}

function valuesOf({ groups, separators }: Groups): NumberReading['values'] {
  const whole = groups.join('');
  if (whole.length > MOST_DIGITS) return [];
  const last = separators.at(-1);
  if (last === undefined) return [{ value: Number(whole), decimals: 0 }];
  const areSame = separators.every((separator) => separator === last);
  const tail = groups.at(-1) ?? '';
  const isPoint = last === '.' || last === ',';
  const values: NumberReading['values'] = [];
  if (isPoint && (separators.length === 1 || (!areSame && separators.indexOf(last) === separators.length - 1))) {
    const head = groups.slice(0, -1);
    const areThousands = head.length === 1 || isThousands(head);
    if (areThousands) values.push({ value: Number(`${head.join('')}.${tail}`), decimals: tail.length });
  }
  if (areSame && isThousands(groups)) values.push({ value: Number(whole), decimals: 0 });
  return values;
}

const isThousands = (groups: readonly string[]): boolean => {
  const [first = '', ...others] = groups;
  return first.length <= 3 && !first.startsWith('0') && others.every((group) => group.length === 3);
};

/** Whether what follows makes it a part of a word, a range or a longer number. */
function isPartOfMore(text: string, end: number): boolean {
  const next = text.charAt(end);
  if (next === '_' || next === '\\' || next === '@' || next === '~' || next === '$') return true;
  if (next === '-' || next === '+') return classAt(text, end + 1) !== 0;
  return next === '.' && (isDigit(text, end + 1) || (classAt(text, end + 1) & LETTER) !== 0);
}

/** @returns undefined if letters stand behind the digits that are no unit */
function unitAt(text: string, from: number): { unit?: Unit; end: number } | undefined {
  const isAttached = !isBlank(text.charCodeAt(from));
  const start = isAttached ? from : from + 1;
  if (text.charAt(start) === '%') {
    // A percent sign before letters is an escape of something.
    return isWordEnd(text, start + 1) ? percent(start + 1) : isAttached ? undefined : { end: from };
  }
  let end = start;
  while ((classAt(text, end) & LETTER) !== 0) end += 1;
  if (text.startsWith('/s', end) && isWordEnd(text, end + 2)) end += 2;
  const unit = end > start && isWordEnd(text, end) ? unitOf(text.slice(start, end), isAttached) : undefined;
  if (unit) return { unit, end };
  return isAttached && end > start ? undefined : { end: from };
}

const percent = (end: number) => {
  const unit = unitOf('%', true);
  return unit ? { unit, end } : { end };
};

/** Whether no word goes on here. */
function isWordEnd(text: string, index: number): boolean {
  const next = classAt(text, index);
  if (next === 0) return true;
  const character = text.charAt(index);
  if (character === '.' || character === ':') return (classAt(text, index + 1) & ~128) === 0;
  return character === '/' || character === '%';
}
