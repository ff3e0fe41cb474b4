import { parseArgs } from 'node:util';

const PARTS = ['histories', 'members'] as const;
export type Part = (typeof PARTS)[number];
export type Length = 'short' | 'default' | 'long';

export const HELP = `Injects faults while clients work, and checks every answer against a model of the contract.

usage: npm run torture -- [--seed N] [--short | --long] [--only <part>]... [--help]

  --seed N       the same calls again (printed by each run)
  --short        about 2 minutes, for CI
  --long         about 2 hours
  --only <part>  ${PARTS.join(', ')}; may be given several times

Ends with "N passed, N failed"; not 0 when something was found.
`;

export interface Options {
  seed: number;
  length: Length;
  parts: readonly Part[];
  help: boolean;
}

/** @throws Error with a message for a person */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      short: { type: 'boolean' },
      long: { type: 'boolean' },
      only: { type: 'string', multiple: true },
      help: { type: 'boolean' },
    },
  });
  if (values.short && values.long) throw new Error('--short and --long cannot be given together.');
  const seed = values.seed === undefined ? Math.trunc(Math.random() * 1_000_000) : Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed must be a whole number, not "${values.seed}".`);
  const unknown = (values.only ?? []).find((name) => !PARTS.includes(name as Part));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}"; parts: ${PARTS.join(', ')}.`);
  return {
    seed,
    length: values.short ? 'short' : values.long ? 'long' : 'default',
    parts: (values.only as Part[] | undefined) ?? PARTS,
    help: values.help ?? false,
  };
}
