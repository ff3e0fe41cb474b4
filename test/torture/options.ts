import { parseArgs } from 'node:util';

const PARTS = ['histories', 'members'] as const;
export type Part = (typeof PARTS)[number];
/** What a replace of a missing document does (`ML_KV_REPLACE`). */
const REPLACES = ['refuse', 'insert'] as const;
export type Replace = (typeof REPLACES)[number];
export type Length = 'short' | 'default' | 'long';

export const HELP = `Injects faults while clients work, and checks every answer against a model of the contract.

usage: npm run torture -- [--seed N] [--short | --long] [--only <part>]... [--replace <how>] [--help]

  --seed N       the same calls again (printed by each run)
  --short        about 2 minutes, for CI
  --long         about 2 hours
  --only <part>  ${PARTS.join(', ')}; may be given several times
  --replace <how>  ${REPLACES.join(' or ')}: whether a replace of a missing document inserts it
                 (by default one part has the one and the other part the other, by the seed)

Ends with "N passed, N failed"; not 0 when something was found.
`;

export interface Options {
  seed: number;
  length: Length;
  parts: readonly Part[];
  replaceOf: Readonly<Record<Part, Replace>>;
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
      replace: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.short && values.long) throw new Error('--short and --long cannot be given together.');
  const seed = values.seed === undefined ? Math.trunc(Math.random() * 1_000_000) : Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed must be a whole number, not "${values.seed}".`);
  const unknown = (values.only ?? []).find((name) => !PARTS.includes(name as Part));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}"; parts: ${PARTS.join(', ')}.`);
  const replace = REPLACES.find((name) => name === values.replace);
  if (values.replace !== undefined && replace === undefined)
    throw new Error(`--replace must be ${REPLACES.join(' or ')}, not "${values.replace}".`);
  const [first, second]: [Replace, Replace] = seed % 2 === 0 ? ['insert', 'refuse'] : ['refuse', 'insert'];
  return {
    replaceOf: { histories: replace ?? first, members: replace ?? second },
    seed,
    length: values.short ? 'short' : values.long ? 'long' : 'default',
    parts: (values.only as Part[] | undefined) ?? PARTS,
    help: values.help ?? false,
  };
}
