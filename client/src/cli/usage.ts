import { parseArgs } from 'node:util';

/** A mistake of the user; the message says how to fix it. */
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

/** Command-line arguments. */
export interface Arguments {
  command: Command;
  /** Argument of `test`. */
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
  const [command, ...others] = argv;
  if (command === undefined || !isCommand(command))
    throw new UsageError(`${command === undefined ? 'No command' : `Unknown command ${command}`}: see mlx --help`);
  const { values, positionals } = parsed(command, others);
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
  --url <url>      URL of the management port (default: ML_URL, else https://localhost:8089)
  --user <name>    User (default: ML_USER). The password is read from ML_PASSWORD or a prompt.
                   Without a user, the token in ML_TOKEN is used
  --ca <file>      PEM certificates to trust for this server
  --insecure       Do not verify the server's certificate
  --json           Print JSON
  -h, --help       Show this help
`;

const IMPORTS = `
  -f, --file <file>           The document
  --secrets <file>            JSON: {"<family>/<name>": {"<dotted path>": "<secret>"}}
  --on-existing <what>        update (default), skip or fail: how to treat existing records that differ
  --include-agents            Also create agents, whose runtimes cost money

Environment variables ML_SECRET_<family/name>__<path> override the file. In their names each byte of a character other
than a letter or digit is written as _ and two hexadecimal digits. A plan prints the names of missing variables.
`;

export const HELP: Readonly<Record<Command | 'mlx', string>> = {
  mlx: `Usage: mlx <command> [options]

Manages the configuration of the Machine Learning Extension as a file.

  export    Write the records that you may read as a document, without secrets
  plan      Show what a document would change
  apply     Apply a document to the site
  test      Test saved connections
  status    Show records, their last test and what is left of usage limits
  doctor    Check whether a site meets the app's requirements

mlx <command> --help shows the help of a command. mlx --version prints the version.

Exit code: 0 success or nothing to do; 1 an error or blocked records; 2 a plan has changes.
`,
  export: `Usage: mlx export [-f <file>] [--family <list>] [--name <list>]

Writes the records that you may read as a document without secrets. The same state gives the same bytes.

  -f, --file <file>    Output file (default: standard output)
  --family <list>      Only these families, separated by commas
  --name <list>        Only these names, separated by commas
${CONNECTION}`,
  plan: `Usage: mlx plan -f <file> [options]

Shows what mlx apply would change. The exit code is 2 if there are changes.
${IMPORTS}${CONNECTION}`,
  apply: `Usage: mlx apply -f <file> [--yes] [options]

Shows the plan, asks for confirmation and applies it. After an interruption, run the same command again to continue.

  -y, --yes                   Do not ask
${IMPORTS}${CONNECTION}`,
  test: `Usage: mlx test [<family>[/<name>]]

Tests all saved connections, those of a family, or one. The exit code is 1 if a test fails. Container connections are
verified and saved. LLM configurations are tested by the provider's list of models, which is free, or else by a short chat.
${CONNECTION}`,
  status: `Usage: mlx status

Shows records and their last test, then usage limits: what is used and left of them, and when they reset. With
per=user, USED is that of all users together and LEFT that of the user who has least left. Without the capability
edit_usage_limits these are the limits that hold you.
${CONNECTION}`,
  doctor: `Usage: mlx doctor [options]

Checks the app's requirements on a site: REST endpoints, streams, KV store, secrets, search commands, pages, roles, clocks and
versions. Each check holds, fails with cause and remedy, or is not asked. It creates two MCP connections, which call no server,
and removes them, even if interrupted. The exit code is 0 only if nothing fails.

The output contains no secrets and no host or user names, so it can be pasted into an issue.

  --web <url>            URL of Splunk Web (default: from the site's settings)
  --timeout <seconds>    Time limit of one call (default: 20)
  --with-names           Show host names, user names and addresses
${CONNECTION}`,
};
