import { isAbsolute, join } from 'node:path';
import type { HostedApp } from '../apps/hostedApp.ts';
import { parseBoolean, type Stanza, substitute } from '../confs/conf.ts';
import { type CapabilityExpression, parseCapabilityExpression } from './capabilityExpression.ts';

/** The program of an endpoint. Endpoints with equal values share processes. */
export interface DriverConfig {
  path: string;
  args: string[];
  /** Additional environment variables. */
  env: Record<string, string>;
}

/** One `[script:*]` stanza of scripttype persist. */
export interface ScriptEndpoint {
  app: string;
  /** Whole stanza name, `script:` included. */
  stanza: string;
  match: string;
  /** `match` as a regular expression for the beginning of a path. */
  expression: RegExp;
  /** Raw settings of the stanza, passed to the driver under restmap.conf. */
  conf: Stanza;
  /** Undefined if the stanza needs the platform's Python driver, which does not exist here. */
  driver: DriverConfig | undefined;
  /** Pieces of the INIT command: absolute path of the script, then script.arg.N. */
  command: string[];
  commandArg: string;
  requireAuthentication: boolean;
  passPayload: 'text' | 'base64' | 'none';
  passSession: boolean;
  passConf: boolean;
  passHttpHeaders: boolean;
  passHttpCookies: boolean;
  passSystemAuth: boolean;
  /** Concurrent requests per user; undefined = no limit. */
  maxConcurrent: number | undefined;
  /** The rule for a method; one for the method itself takes precedence. Undefined = none. */
  capability(method: string): CapabilityExpression | undefined;
}

/** All persistent script endpoints of all apps. Throws an Error naming app and stanza of an invalid one. */
export function loadScriptEndpoints(
  apps: readonly HostedApp[],
  env: Readonly<Record<string, string | undefined>>,
): ScriptEndpoint[] {
  return apps.flatMap((app) =>
    Object.entries(app.conf('restmap'))
      .filter(([stanza, conf]) => stanza.startsWith('script:') && isPersistent(conf))
      .map(([stanza, conf]) => {
        try {
          return readEndpoint(app, stanza, conf, env);
        } catch (error) {
          throw new Error(`app ${app.name}, restmap.conf [${stanza}]: ${(error as Error).message}`);
        }
      }),
  );
}

/**
 * The endpoint that takes a path: `match` is a regular expression for its beginning, so `/echo` takes `/echoes` too, and
 * the one that covers most of the path wins. `path` is decoded and begins with a slash.
 */
export function findEndpoint(endpoints: readonly ScriptEndpoint[], path: string): ScriptEndpoint | undefined {
  const covered = endpoints.flatMap((endpoint) => {
    const length = endpoint.expression.exec(path)?.[0].length;
    return length === undefined ? [] : [{ endpoint, length }];
  });
  covered.sort((a, b) => b.length - a.length || b.endpoint.match.length - a.endpoint.match.length);
  return covered[0]?.endpoint;
}

function isPersistent(conf: Stanza): boolean {
  return conf.scripttype?.trim() === 'persist' && parseBoolean(conf.disabled) !== true;
}

function readEndpoint(
  app: HostedApp,
  stanza: string,
  conf: Stanza,
  env: Readonly<Record<string, string | undefined>>,
): ScriptEndpoint {
  const bin = join(app.dir, 'bin');
  const expand = (text: string) => substitute(text, env);
  const inBin = (text: string) => (isAbsolute(expand(text)) ? expand(text) : join(bin, expand(text)));
  const flag = (key: string, byDefault: boolean): boolean => {
    const text = conf[key];
    if (text === undefined || text === '') return byDefault;
    const value = parseBoolean(text);
    if (value === undefined) throw new Error(`${key} = ${text} is neither true nor false`);
    return value;
  };
  const scriptArgs = numbered(conf, 'script.arg.').map(expand);
  const script = conf.script ? [inBin(conf.script)] : [];
  const rules = readRules(conf);
  const match = readMatch(conf);
  return {
    app: app.name,
    stanza,
    match,
    expression: expressionOf(match),
    conf,
    driver: conf.driver
      ? { path: inBin(conf.driver), args: numbered(conf, 'driver.arg.').map(expand), env: driverEnv(conf, expand) }
      : undefined,
    // Keep the position without a script, so that an argument does not take its place.
    command: script.length === 0 && scriptArgs.length > 0 ? ['', ...scriptArgs] : [...script, ...scriptArgs],
    commandArg: expand(conf['script.param'] ?? ''),
    requireAuthentication: flag('requireAuthentication', true),
    passPayload: conf.passPayload?.trim() === 'base64' ? 'base64' : flag('passPayload', false) ? 'text' : 'none',
    passSession: flag('passSession', true),
    passConf: flag('passConf', true),
    passHttpHeaders: flag('passHttpHeaders', false),
    passHttpCookies: flag('passHttpCookies', false),
    passSystemAuth: flag('passSystemAuth', false),
    maxConcurrent: readLimit(conf),
    capability: (method) => {
      const name = method.toLowerCase();
      // HEAD reveals as much as GET, so it needs the same capability.
      return rules.get(name === 'head' ? 'get' : name) ?? rules.get('');
    },
  };
}

function readMatch(conf: Stanza): string {
  const match = conf.match ?? '';
  if (!match.startsWith('/')) throw new Error(`match = ${match} does not begin with a slash`);
  return match.length > 1 ? match.replace(/(?<!\/)\/+$/, '') || '/' : match;
}

function expressionOf(match: string): RegExp {
  try {
    return new RegExp(`^(?:${match})`, 's');
  } catch (error) {
    throw new Error(`match = ${match} is not a regular expression: ${(error as Error).message}`);
  }
}

function readRules(conf: Stanza): Map<string, CapabilityExpression> {
  const rules = new Map<string, CapabilityExpression>();
  for (const [key, text] of Object.entries(conf)) {
    const name = /^capability(?:\.(get|post|put|delete))?$/.exec(key);
    if (name && text !== '') rules.set(name[1] ?? '', parseCapabilityExpression(text));
  }
  return rules;
}

function readLimit(conf: Stanza): number | undefined {
  const text = conf.maxConcurrent;
  if (text === undefined || text === '' || text === 'unlimited') return undefined;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 0) throw new Error(`maxConcurrent = ${text} is not a whole number`);
  return limit === 0 ? undefined : limit;
}

function driverEnv(conf: Stanza, expand: (text: string) => string): Record<string, string> {
  const prefix = 'driver.env.';
  return Object.fromEntries(
    Object.entries(conf)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, text]) => [key.slice(prefix.length), expand(text)]),
  );
}

/** Values of `<prefix>N`, in numeric order. */
function numbered(conf: Stanza, prefix: string): string[] {
  return Object.entries(conf)
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, text]) => {
      const number = Number(key.slice(prefix.length));
      if (!/^\d+$/.test(key.slice(prefix.length))) throw new Error(`${key}: what follows ${prefix} is not a number`);
      return { number, text };
    })
    .sort((a, b) => a.number - b.number)
    .map(({ text }) => text);
}
