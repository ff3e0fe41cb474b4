import { parseArgs } from 'node:util';

export interface Options<S extends string> {
  /** Folder of another built app, to compare with instead. */
  against: string | undefined;
  suites: readonly S[];
  short: boolean;
  strict: boolean;
  help: boolean;
}

export const helpOf = (
  suites: readonly string[],
): string => `Measures the product beside yardsticks, in turn, on this machine.

usage: npm run bench -- [--only <suite>[,<suite>]] [--short] [--strict] [--against <folder>] [--help]

  --only      ${suites.join(', ')}
  --short     few runs, and only rows whose ratio is stable: each is held to what has been reached ("keep") in place of its aim
  --strict    the exit code is 1 if a row misses its limit
  --against   start and memory of the driver beside those of another build of the app

Ends with "N passed, N failed": rows that keep their limit, and rows that do not; a row without a limit is neither.
`;

/** @throws Error with a message for a person */
export function readOptions<S extends string>(args: readonly string[], suites: readonly S[]): Options<S> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      against: { type: 'string' },
      only: { type: 'string', multiple: true },
      short: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const only = values.only?.flatMap((list) => list.split(','));
  const unknown = only?.find((name) => !suites.some((suite) => suite === name));
  if (unknown !== undefined) throw new Error(`There is no suite "${unknown}"; suites: ${suites.join(', ')}.`);
  if (values.against !== undefined && (only || values.short))
    throw new Error('--against measures the driver alone: give it neither --only nor --short.');
  const { against, short, strict, help } = values;
  return { against, suites: only ? suites.filter((name) => only.includes(name)) : suites, short, strict, help };
}
