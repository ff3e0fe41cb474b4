import { confBoolean } from '../contract/settings/flags.ts';
import { excerpt } from './arguments.ts';
import { type Argument, type RequiredArgument, SearchError } from './command.ts';

/** @param rule pattern and message for values that do not match */
export const text = (help: string, rule?: { pattern: RegExp; message: string }): Argument<string> => ({
  syntax: '<string>',
  help,
  read(input, name) {
    if (rule && !rule.pattern.test(input)) throw new SearchError(`${name} ${rule.message}`);
    return input;
  },
});

export const NOT_EMPTY = { pattern: /\S/, message: 'must not be empty' };

/** Names of fields, separated by commas. */
export const fieldList = (help: string): Argument<readonly string[]> => ({
  syntax: '<fields>',
  help,
  read(input, name) {
    const fields = [...new Set(input.split(',').map((field) => field.trim()))].filter((field) => field !== '');
    if (fields.length === 0) throw new SearchError(`${name} must name fields, separated by commas`);
    return fields;
  },
});

export const choice = <T extends string>(values: readonly T[], help: string): Argument<T> => ({
  syntax: values.join('|'),
  help,
  read(input, name) {
    const found = values.find((one) => one === input.toLowerCase());
    if (found === undefined) throw new SearchError(`Unknown ${name} ${excerpt(input)}: use ${values.join(', ')}`);
    return found;
  },
});

export const boolean = (help: string): Argument<boolean> => ({
  syntax: 'true|false',
  help,
  read(input, name) {
    const value = confBoolean(input);
    if (value === undefined) throw new SearchError(`${name} must be true or false, not ${excerpt(input)}`);
    return value;
  },
});

export const seconds = (min: number, max: number, help: string): Argument<number> => ({
  syntax: '<seconds>',
  help,
  read(input, name) {
    const value = Number(input);
    if (/^\d{1,6}(\.\d{1,6})?$/.test(input) && value >= min && value <= max) return value;
    throw new SearchError(`${name} must be a number of seconds from ${min} to ${max}`);
  },
});

export const required = <T>(argument: Argument<T>): RequiredArgument<T> => ({ ...argument, isRequired: true });

export const wholeNumber = (min: number, max: number, help: string): Argument<number> => ({
  syntax: '<int>',
  help,
  read(input, name) {
    if (/^\d{1,15}$/.test(input) && Number(input) >= min && Number(input) <= max) return Number(input);
    throw new SearchError(`${name} must be a whole number from ${min} to ${max}`);
  },
});

export const decimal = (min: number, max: number, help: string): Argument<number> => ({
  syntax: '<number>',
  help,
  read(input, name) {
    if (/^\d{0,9}(\.\d{1,9})?$/.test(input) && input !== '' && Number(input) >= min && Number(input) <= max)
      return Number(input);
    throw new SearchError(`${name} must be a number from ${min} to ${max}`);
  },
});

export const wholeSeconds = (max: number, help: string): Argument<number> => ({
  syntax: '<seconds>',
  help,
  read(input, name) {
    if (/^\d{1,8}$/.test(input) && Number(input) <= max) return Number(input);
    throw new SearchError(`${name} must be a whole number of seconds from 0 to ${max}`);
  },
});
