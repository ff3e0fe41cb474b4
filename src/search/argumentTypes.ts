import { confBoolean } from '../contract/settings/flags.ts';
import { shown } from './arguments.ts';
import { type Argument, SearchError } from './command.ts';

/** @param rule what a value must match, and the message for one that does not */
export const text = (help: string, rule?: { pattern: string; message: string }): Argument<string> => ({
  syntax: '<string>',
  help,
  read(given, name) {
    if (rule && !new RegExp(rule.pattern).test(given)) throw new SearchError(`${name} ${rule.message}`);
    return given;
  },
});

export const choice = <T extends string>(values: readonly T[], help: string): Argument<T> => ({
  syntax: values.join('|'),
  help,
  read(given, name) {
    const found = values.find((one) => one === given.toLowerCase());
    if (found === undefined) throw new SearchError(`Unknown ${name} ${shown(given)}: use ${values.join(', ')}`);
    return found;
  },
});

export const boolean = (help: string): Argument<boolean> => ({
  syntax: 'true|false',
  help,
  read(given, name) {
    const value = confBoolean(given);
    if (value === undefined) throw new SearchError(`${name} must be true or false, not ${shown(given)}`);
    return value;
  },
});

export const seconds = (min: number, max: number, help: string): Argument<number> => ({
  syntax: '<seconds>',
  help,
  read(given, name) {
    const value = Number(given);
    if (/^\d{1,6}(\.\d{1,6})?$/.test(given) && value >= min && value <= max) return value;
    throw new SearchError(`${name} must be a number of seconds from ${min} to ${max}`);
  },
});

export const wholeSeconds = (max: number, help: string): Argument<number> => ({
  syntax: '<seconds>',
  help,
  read(given, name) {
    if (/^\d{1,8}$/.test(given) && Number(given) <= max) return Number(given);
    throw new SearchError(`${name} must be a whole number of seconds from 0 to ${max}`);
  },
});
