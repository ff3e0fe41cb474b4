import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { HostedApp } from '../../apps/hostedApp.ts';
import { parseBoolean, type Stanza, substitute } from '../../confs/conf.ts';
import { PlatformError } from '../../http/reply.ts';
import type { CommandProgram } from './commandProcess.ts';

/** A custom search command of a hosted app. */
export interface CustomCommand {
  name: string;
  app: string;
  program: CommandProgram;
  /** Timeout for a reply in seconds, 0 = none. */
  maxwait: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const PLATFORM_FOLDER = process.platform === 'darwin' ? 'darwin_x86_64' : 'linux_x86_64';

/** Names that a stanza without `filename` may have. */
const EXTENSIONS = ['.py', '.pl', '.exe', '.bat', '.cmd', '.sh', '.js', ''];

function refused(text: string): PlatformError {
  return new PlatformError(400, text, 'FATAL');
}

export interface CatalogOptions {
  apps(): readonly HostedApp[];
  env: Environment;
}

/**
 * Finds a command as seen from an app: its own first, then exported ones, by app name. Undefined if there is none or
 * its access rule denies the caller.
 */
export function findCommand(
  options: CatalogOptions,
  context: string,
  name: string,
  mayRead: (app: HostedApp, objectPath: string) => boolean,
): CustomCommand | undefined {
  const path = `commands/${name}`;
  const apps = options.apps().filter((app) => app.conf('app').install?.state?.trim() !== 'disabled');
  const owned = apps.filter((app) => app.name === context);
  const others = apps.filter((app) => app.name !== context && app.isExported(path));
  for (const app of [...owned, ...others]) {
    const { default: defaults, [name]: stanza } = app.conf('commands');
    if (stanza === undefined || stanza === defaults) continue;
    const settings = { ...defaults, ...stanza };
    if (parseBoolean(settings.disabled) === true || !mayRead(app, path)) continue;
    return readCommand(app, name, settings, options.env);
  }
  return undefined;
}

function readCommand(app: HostedApp, name: string, stanza: Stanza, env: Environment): CustomCommand {
  if (parseBoolean(stanza.chunked) !== true)
    throw refused(
      `Error in '${name}' command: app ${app.name} does not say chunked = true, and the embedded platform runs only such commands.`,
    );
  const { filename } = stanza;
  const names = filename ? [filename] : EXTENSIONS.map((extension) => name + extension);
  const file = programFile(app, names);
  if (file === undefined) throw refused(`Error in '${name}' command: Could not locate its program in app ${app.name}.`);
  const args = Object.entries(stanza)
    .flatMap(([key, text]): [number, string][] => {
      const [, number] = /^command\.arg\.(\d+)$/.exec(key) ?? [];
      return number === undefined ? [] : [[Number(number), substitute(text, env)]];
    })
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text);
  const [path, ...first] = program(name, file, env);
  return {
    name,
    app: app.name,
    maxwait: wholeNumber(name, 'maxwait', stanza.maxwait),
    program: {
      path,
      args: [...first, ...args],
      cwd: join(app.dir, 'bin'),
      env,
      maxChunkBytes: wholeNumber(name, 'maxchunksize', stanza.maxchunksize),
    },
  };
}

/** The first file of these names in the folder for programs of this platform, else in `bin`; never one outside of them. */
export function programFile(app: HostedApp, names: readonly string[]): string | undefined {
  for (const folder of [join(app.dir, PLATFORM_FOLDER, 'bin'), join(app.dir, 'bin')]) {
    for (const candidate of names) {
      const file = join(folder, candidate);
      const inside = relative(folder, file);
      if (inside === '' || inside.split(sep)[0] === '..') continue;
      if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
    }
  }
  return undefined;
}

function program(name: string, file: string, env: Environment): [string, ...string[]] {
  if (file.endsWith('.js'))
    throw refused(`Error in '${name}' command: .js needs the Node of the platform, which release 10.2 removed.`);
  const words = programWords(file, env);
  if (words === undefined) throw refused(`Error in '${name}' command: ${file} names no program.`);
  return words;
}

/** The words that start a file: a `.path` names the program; undefined where it names none. */
export function programWords(file: string, env: Environment): [string, ...string[]] | undefined {
  if (file.endsWith('.path')) {
    const text = substitute(readFileSync(file, 'utf8'), env).trim();
    if (text === '') return undefined;
    return [text.startsWith('.') ? join(dirname(file), text) : text];
  }
  // The platform's own interpreter; here the one on the PATH.
  return file.endsWith('.py') ? ['python3', file] : [file];
}

function wholeNumber(command: string, key: string, text: string | undefined): number {
  if (text === undefined || text.trim() === '') return 0;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw refused(`Error in '${command}' command: ${key} = ${text} is not a whole number.`);
}
