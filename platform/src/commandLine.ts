import { parseArgs } from 'node:util';
import { StartError } from './home/home.ts';
import { CERTIFICATES } from './http/certificate.ts';
import { BATCHES, REPLACES } from './kv/variants.ts';
import type { PlatformOptions } from './platform.ts';
import type { ScsTenant } from './scs/endpoints.ts';
import { THEMES, themeNamed } from './web/pages/themes.ts';
import type { WebOptions } from './web/server.ts';

const WEB_PORT = 8000;

/** The text of `--help`. @param defaultApp the app that is served unless another is given */
export const help = (defaultApp = 'the apps in the data folder'): string =>
  `Runs the app on the embedded platform: a local server that does what splunkd does for this app.

usage: embeddedPlatform [--app <dir> | --package <file.spl>] [--help] [--version]

  --app <dir>        folder of the built app (default: ${defaultApp})
  --package <file>   a packed app instead

environment:
  ML_PORT            management port, 0 = any free one (8089)
  ML_HOST            address to listen on (127.0.0.1)
  ML_HOME            data folder; a restart keeps everything (.platform)
  ML_ADMIN_PASSWORD  password of the user admin; generated at the first start if not set
  ML_TLS             1 = HTTPS, 0 = plain HTTP (1)
  ML_CERTIFICATE     named = for the names of this machine, splunkd = of a CA and without a name, as splunkd makes it (named)
  ML_WEB_PORT        port of the apps' pages, 0 = any free one, off = none (8000, or any free one if that is in use)
  ML_WEB_THEME       theme of users who have not chosen one: light, dark, prismaLight or prismaDark (light)
  ML_DRIVERS         maximum number of driver processes (4)
  ML_GATEWAY_DRIVERS maximum number of driver processes of /ai_gateway, which wait for language models (24)
  ML_DRIVER_IDLE_S   idle time in seconds after which a driver is stopped (60)
  ML_SCS_TENANT      <tenant>@<host[:port]>: a tenant whose models Splunk hosts there, as on Splunk Cloud (none)

where sources about splunkd disagree:
  ML_KV_REPLACE      POST to a missing key of a collection: refuse (404) or insert (refuse)
  ML_KV_BATCH        limit, skip and sort of batch_find as text: strict (400), ignore or lenient (strict)

a search head cluster for tests:
  ML_MEMBERS            number of members, 1 to 5, on consecutive ports (1)
  ML_REPLICATION_MS     delay until a change reaches the other members (2000)
  ML_MEMBER_RESTART_MS  delay before a dead member is restarted (3000)
  ML_CLOCK_SKEW_MS      clock shift of drivers and commands on all members but the first (0)

Prints these lines once it serves:
  web <url>                the pages
  member <n> <base url>    each member of a cluster
  ready <base url>         always, and last
`;

function variable(name: string): string | undefined {
  const text = process.env[name]?.trim();
  return text === undefined || text === '' ? undefined : text;
}

/** @returns the variable as a number; @throws StartError if it is none or out of range */
export function integer(name: string, usual: number, least: number, most: number): number {
  const text = variable(name);
  if (text === undefined) return usual;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && value >= least && value <= most) return value;
  throw new StartError(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
}

function flag(name: string, usual: boolean): boolean {
  const text = variable(name);
  if (text === undefined) return usual;
  if (text === '0' || text === '1') return text === '1';
  throw new StartError(`${name} must be 0 or 1, not "${text}".`);
}

function choice<T extends string>(name: string, choices: readonly [T, ...T[]]): T {
  const text = variable(name);
  if (text === undefined) return choices[0];
  const value = choices.find((candidate) => candidate === text);
  if (value === undefined) throw new StartError(`${name} must be one of ${choices.join(', ')}, not "${text}".`);
  return value;
}

function adminPassword(): string | undefined {
  const password = process.env.ML_ADMIN_PASSWORD;
  if (password === undefined || password === '') return undefined;
  // The message must not quote the password.
  if (/\p{Cc}/u.test(password)) throw new StartError('ML_ADMIN_PASSWORD must not contain control characters.');
  return password;
}

function host(): string {
  const text = variable('ML_HOST') ?? '127.0.0.1';
  if (/^[A-Za-z0-9.:_-]+$/.test(text)) return text;
  throw new StartError(`ML_HOST must be a host name or an IP address, not "${text}".`);
}

/** The web side, unless it is off. Without an explicit port, a second platform takes any free one. */
function web(): WebOptions | undefined {
  const text = variable('ML_WEB_PORT');
  const name = variable('ML_WEB_THEME');
  const theme = themeNamed(name);
  if (name !== undefined && theme === undefined) {
    throw new StartError(`ML_WEB_THEME must be one of ${THEMES.join(', ')}, not "${name}".`);
  }
  if (text === 'off') return undefined;
  if (text !== undefined && !/^\d+$/.test(text)) {
    throw new StartError(`ML_WEB_PORT must be a whole number from 0 to 65535, or "off", not "${text}".`);
  }
  const port = integer('ML_WEB_PORT', WEB_PORT, 0, 65_535);
  return { port, otherwiseAny: text === undefined, ...(theme === undefined ? {} : { theme }) };
}

/** A tenant of Splunk's cloud. The app calls its host with https. */
function scs(): ScsTenant | undefined {
  const text = variable('ML_SCS_TENANT');
  if (text === undefined) return undefined;
  const [, tenant, host] = /^([\w-]+)@([\w.-]+(?::\d{1,5})?)$/.exec(text) ?? [];
  if (tenant !== undefined && host !== undefined) return { tenant, host };
  throw new StartError(`ML_SCS_TENANT must be <tenant>@<host> or <tenant>@<host>:<port>, not "${text}".`);
}

export interface Arguments {
  app?: string | undefined;
  package?: string | undefined;
  /** The app to serve if neither is given, set by an app's start script. */
  'default-app'?: string | undefined;
}

/** A use of a model whose client is gone ends by its own deadline. */
const LONGEST_USE_MS = 600_000;

/** Options of the command line and the environment. @throws StartError naming the one that is wrong */
export function readOptions(args: Arguments): PlatformOptions {
  if (args.app !== undefined && args.package !== undefined) {
    throw new StartError('--app and --package cannot be given together.');
  }
  // Drivers must not inherit the administrator's password.
  const { ML_ADMIN_PASSWORD: _, ...env } = process.env;
  return {
    home: variable('ML_HOME') ?? '.platform',
    host: host(),
    port: integer('ML_PORT', 8089, 0, 65_535),
    tls: flag('ML_TLS', true),
    web: web(),
    adminPassword: adminPassword(),
    maxDrivers: integer('ML_DRIVERS', 4, 1, 256),
    pools: {
      '/ai_gateway': {
        maxDrivers: integer('ML_GATEWAY_DRIVERS', 24, 1, 256),
        abandonedTimeoutMs: LONGEST_USE_MS,
      },
    },
    certificate: choice('ML_CERTIFICATE', CERTIFICATES),
    kv: { replace: choice('ML_KV_REPLACE', REPLACES), batch: choice('ML_KV_BATCH', BATCHES) },
    scs: scs(),
    idleSeconds: integer('ML_DRIVER_IDLE_S', 60, 1, 86_400),
    package: args.package,
    app: args.package === undefined ? (args.app ?? args['default-app']) : undefined,
    env,
  };
}

/** @throws StartError for an argument that does not exist */
export function parseCommandLine() {
  try {
    return parseArgs({
      options: {
        app: { type: 'string' },
        package: { type: 'string' },
        'default-app': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new StartError(`${(error as Error).message}\nTry --help.`);
  }
}
