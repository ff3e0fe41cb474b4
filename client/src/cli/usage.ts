import { parseArgs } from 'node:util';

/** Something that the user has to change; the message says what. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

const COMMON = {
  url: { type: 'string' },
  user: { type: 'string' },
  ca: { type: 'string' },
  insecure: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Options;

const FILE = { file: { type: 'string', short: 'f' } } as const satisfies Options;
const IMPORT = {
  ...FILE,
  secrets: { type: 'string' },
  'on-existing': { type: 'string' },
  'include-agents': { type: 'boolean' },
} as const satisfies Options;

const COMMANDS = {
  export: { ...FILE, family: { type: 'string' }, name: { type: 'string' } },
  plan: IMPORT,
  apply: { ...IMPORT, yes: { type: 'boolean', short: 'y' } },
  test: {},
  status: {},
  doctor: { web: { type: 'string' }, timeout: { type: 'string' }, 'with-names': { type: 'boolean' } },
} as const satisfies Record<string, Options>;
export type Command = keyof typeof COMMANDS;

/** What was given on the command line; which of it a command takes is checked before. */
export interface Arguments {
  command: Command;
  /** Of `test`: what is to be tested. */
  target?: string;
  url?: string;
  user?: string;
  ca?: string;
  insecure?: boolean;
  json?: boolean;
  help?: boolean;
  file?: string;
  family?: string;
  name?: string;
  secrets?: string;
  'on-existing'?: string;
  'include-agents'?: boolean;
  yes?: boolean;
  web?: string;
  timeout?: string;
  'with-names'?: boolean;
}

/** @throws UsageError */
export function readArguments(argv: readonly string[]): Arguments {
  const [command, ...rest] = argv;
  if (command === undefined || !isCommand(command))
    throw new UsageError(
      `${command === undefined ? 'A command is missing' : `There is no command ${command}`}: see mlx --help`,
    );
  const { values, positionals } = parsed(command, rest);
  const [target, ...more] = positionals;
  if (more.length > 0 || (target !== undefined && command !== 'test'))
    throw new UsageError(`mlx ${command} does not take ${more[0] ?? target}: see mlx ${command} --help`);
  return { ...(values as Omit<Arguments, 'command'>), command, ...(target === undefined ? {} : { target }) };
}

const isCommand = (word: string): word is Command => Object.hasOwn(COMMANDS, word);

function parsed(command: Command, args: string[]) {
  try {
    return parseArgs({ args, options: { ...COMMON, ...COMMANDS[command] }, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}: see mlx ${command} --help`);
  }
}

const CONNECTION = `
Connection:
  --url <url>      Address of the management port; else ML_URL, else https://localhost:8089
  --user <name>    User; else ML_USER. The password comes from ML_PASSWORD, or is asked for
                   Without a user: the token in ML_TOKEN
  --ca <file>      PEM certificates that are trusted for this server
  --insecure       Do not verify the server's certificate
  --json           Answer in JSON
  -h, --help       This text
`;

const IMPORTS = `
  -f, --file <file>           The document
  --secrets <file>            JSON: {"<family>/<name>": {"<dotted path>": "<secret>"}}
  --on-existing <what>        update (unless given), skip or fail: what becomes of records that exist and differ
  --include-agents            Create agents too: their runtimes cost money

Secrets also come from environment variables, which go before the file: ML_SECRET_<family/name>__<path>, where every
character that is no letter or digit is written as _ and the two hexadecimal digits of each of its bytes. A plan prints
the names of those that are missing.
`;

export const HELP: Readonly<Record<Command | 'mlx', string>> = {
  mlx: `Usage: mlx <command> [options]

Configuration of the Machine Learning Extension as a file.

  export    Write the records that you may read as a document, without secrets
  plan      Show what a document would change; changes nothing
  apply     Make the site as the document says
  test      Test saved connections
  status    Show records and how their last test went
  doctor    Test whether everything that the app needs holds on a site

mlx <command> --help tells more of each. mlx --version prints the version.

Exit code: 0 nothing to do, or all done; 2 a plan has changes; 1 something went wrong or is blocked.
`,
  export: `Usage: mlx export [-f <file>] [--family <list>] [--name <list>]

Writes the records that you may read as a document: the same bytes for the same state. Secrets are not in it.

  -f, --file <file>    Where to; else standard output
  --family <list>      Only these families, separated by commas
  --name <list>        Only these names, separated by commas
${CONNECTION}`,
  plan: `Usage: mlx plan -f <file> [options]

Shows what mlx apply would change. Ends with 2 if there is something.
${IMPORTS}${CONNECTION}`,
  apply: `Usage: mlx apply -f <file> [--yes] [options]

Shows the plan, asks, and makes the site as the document says. What was done stays done when it is interrupted: the same
command again goes on.

  -y, --yes                   Do not ask
${IMPORTS}${CONNECTION}`,
  test: `Usage: mlx test [<family>[/<name>]]

Tests saved connections with their servers: all of them, those of a family, or one. Ends with 1 if one cannot be used.
Container connections are verified and saved. LLM configurations are tested by the provider's list of models, which costs
nothing, or, where there is none, by a short chat.
${CONNECTION}`,
  status: `Usage: mlx status

Shows records, and how the last test of each went.
${CONNECTION}`,
  doctor: `Usage: mlx doctor [options]

Asks a site, as any client would, whether what the app needs of it holds: its REST endpoints, streams, KV store, secrets,
search commands, pages, roles, clocks and versions. Each check holds, fails with cause and remedy, or could not be asked. It makes
two MCP connections of its own, which call nobody, and removes them, also when it is interrupted. Ends with 0 only if nothing fails.

The output holds no secrets, and no names of hosts and users: it can be pasted into an issue.

  --web <url>            Address of Splunk Web; else what the site says of it
  --timeout <seconds>    How long one call may take: 20 unless given
  --with-names           Show host and user names, and addresses
${CONNECTION}`,
};
