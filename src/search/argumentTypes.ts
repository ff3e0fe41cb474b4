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
    const value = values.find((candidate) => candidate === input.toLowerCase());
    if (value === undefined) throw new SearchError(`Unknown ${name} ${excerpt(input)}: use ${values.join(', ')}`);
    return value;
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

/** @param rule pattern of the text, and what the number is in a message */
const numeric =
  (syntax: string, { pattern, noun }: { pattern: RegExp; noun: string }) =>
  (min: number, max: number, help: string): Argument<number> => ({
    syntax,
    help,
    read(input, name) {
      const value = Number(input);
      if (pattern.test(input) && value >= min && value <= max) return value;
      throw new SearchError(`${name} must be ${noun} from ${min} to ${max}`);
    },
  });

export const seconds = numeric('<seconds>', { pattern: /^\d{1,6}(\.\d{1,6})?$/, noun: 'a number of seconds' });

export const wholeSeconds = numeric('<seconds>', { pattern: /^\d{1,8}$/, noun: 'a whole number of seconds' });

export const wholeNumber = numeric('<int>', { pattern: /^\d{1,15}$/, noun: 'a whole number' });

export const decimal = numeric('<number>', { pattern: /^(?=.)\d{0,9}(\.\d{1,9})?$/, noun: 'a number' });

export const required = <T>(argument: Argument<T>): RequiredArgument<T> => ({ ...argument, isRequired: true });
