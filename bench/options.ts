import { parseArgs } from 'node:util';

export interface Options<S extends string> {
  /** Folder of another built app to compare with. */
  against: string | undefined;
  suites: readonly S[];
  short: boolean;
  strict: boolean;
  help: boolean;
}

export const helpOf = (suites: readonly string[]): string => `Compares the product with baselines on this machine.

usage: npm run bench -- [--only <suite>[,<suite>]] [--short] [--strict] [--against <folder>] [--help]

  --only      ${suites.join(', ')}
  --short     few runs of rows with a stable ratio, checked against the "keep" limit instead of the aim
  --strict    exit with 1 if a row misses its limit
  --against   compare start and memory of the driver with another build

The last line is "N passed, N failed" and counts rows with a limit.
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
  if (unknown !== undefined) throw new Error(`Unknown suite "${unknown}". Suites: ${suites.join(', ')}.`);
  if (values.against !== undefined && (only || values.short))
    throw new Error('--against cannot be combined with --only or --short.');
  const { against, short, strict, help } = values;
  return { against, suites: only ? suites.filter((name) => only.includes(name)) : suites, short, strict, help };
}
