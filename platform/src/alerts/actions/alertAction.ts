import { mayAccess } from '../../apps/access.ts';
import { type HostedApp, SYSTEM_APP } from '../../apps/hostedApp.ts';
import { objectPath } from '../../apps/metadata.ts';
import { parseBoolean, type Stanza, substitute } from '../../confs/conf.ts';
import type { PlatformCaller } from '../../http/request.ts';
import { programFile, programWords } from '../../search/commands/catalog.ts';
import { durationSeconds } from '../saved/savedSearch.ts';

/** Why an action did not run or failed, in splunkd's words. */
export class ActionError extends Error {}

/** An alert action as alert_actions.conf describes it. */
export interface AlertAction {
  name: string;
  app: HostedApp;
  /** Over the defaults of its app and of the system. */
  settings: Stanza;
  format: 'json' | 'xml';
  /** Seconds until its process is ended. */
  maxTime: number;
  /** Rows in the results file, at most. */
  maxResults: number;
}

const CONF = 'alert_actions';
/** `max_action_results` of limits.conf. */
const MOST_RESULTS = 50_000;
const USUAL_RESULTS = 10_000;
const USUAL_SECONDS = 300;
const EXTENSIONS = ['.sh', '.py', ''];

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds an action as seen from an app: its own first, then those that others export. @throws ActionError */
export function findAction(
  apps: readonly HostedApp[],
  context: string,
  caller: PlatformCaller,
  name: string,
): AlertAction {
  const path = objectPath(CONF, name);
  const enabled = apps.filter((app) => app.conf('app').install?.state?.trim() !== 'disabled');
  const own = enabled.filter((app) => app.name === context);
  const others = enabled.filter((app) => app.name !== context && app.isExported(path));
  const system = apps.find((app) => app.name === SYSTEM_APP)?.conf(CONF).default;
  for (const app of [...own, ...others]) {
    const { default: defaults, [name]: stanza } = app.conf(CONF);
    if (stanza === undefined || stanza === defaults || !mayAccess(caller, app.access(path), 'read')) continue;
    const settings = { ...system, ...defaults, ...stanza };
    if (parseBoolean(settings.disabled) !== true) return actionOf(name, app, settings);
  }
  throw new ActionError(`Alert action "${name}" not found.`);
}

function actionOf(name: string, app: HostedApp, settings: Stanza): AlertAction {
  if (!/^sendalert\b/.test(settings.command?.trim() ?? 'sendalert'))
    throw new ActionError('The embedded platform runs no action whose command is not sendalert.');
  const format = settings.payload_format?.trim() ?? 'xml';
  if (format !== 'json' && format !== 'xml')
    throw new ActionError(`Invalid 'payload_format' specified ('${format}'), expecing 'json' or 'xml'.`);
  const results = Number(settings.maxresults ?? USUAL_RESULTS);
  return {
    name,
    app,
    settings,
    format,
    maxTime: durationSeconds(settings.maxtime) ?? USUAL_SECONDS,
    maxResults: Number.isSafeInteger(results) && results > 0 ? Math.min(results, MOST_RESULTS) : USUAL_RESULTS,
  };
}

/** The program and its arguments: `alert.execute.cmd`, else the file of the action's name with `--execute`. @throws ActionError */
export function programOf({ name, app, settings }: AlertAction, env: Environment): [string, ...string[]] {
  const command = settings['alert.execute.cmd']?.trim();
  const file = programFile(app, command ? [command] : EXTENSIONS.map((extension) => name + extension));
  const words = file === undefined ? undefined : programWords(file, env);
  if (words === undefined) throw new ActionError(`Alert action script for action "${name}" not found.`);
  return command ? [...words, ...argumentsOf(settings, env)] : [...words, '--execute'];
}

function argumentsOf(settings: Stanza, env: Environment): string[] {
  return Object.entries(settings)
    .flatMap(([key, text]): [number, string][] => {
      const [, number] = /^alert\.execute\.cmd\.arg\.(\d+)$/.exec(key) ?? [];
      return number === undefined ? [] : [[Number(number), substitute(text, env)]];
    })
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text);
}

/** The parameters of an action: those of its stanza, with others over them. @param prefix of the keys, such as `param.` */
export function parametersOf(keys: Readonly<Record<string, string>>, prefix: string): Record<string, string> {
  const own = Object.entries(keys).filter(([key]) => key.startsWith(prefix) && key.length > prefix.length);
  return Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value]));
}
