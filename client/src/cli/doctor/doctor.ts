import { baseOf } from '../../session.ts';
import { credentials, DEFAULT_URL, trustOf } from '../connect.ts';
import { nodeFetch } from '../nodeFetch.ts';
import { plain, type Style, type Terminal } from '../terminal.ts';
import { type Arguments, UsageError } from '../usage.ts';
import { closed, login, platform, reach, rights, tree } from './access.ts';
import { clock } from './clocks.ts';
import { app, largeReply, requests, runtime, upload } from './driver.ts';
import { hidden } from './hidden.ts';
import { kvStore, removal, removeLeftovers, secrets } from './records.ts';
import { agentStatus, mlHealth } from './search.ts';
import { Site } from './site.ts';
import { type Finding, notAsked } from './verdict.ts';
import { type Check, conclusion, Visit } from './visit.ts';
import { web } from './web.ts';

/** In order of execution. */
const CHECKS: readonly Check[] = [
  reach,
  login,
  platform,
  app,
  runtime,
  rights,
  closed,
  tree,
  requests,
  largeReply,
  upload,
  kvStore,
  secrets,
  mlHealth,
  agentStatus,
  removal,
  clock,
  web,
];
const TIMEOUT_S = 20;

/** Checks a site; changes only its own test records. @returns the exit code */
export async function doctor(args: Arguments, terminal: Terminal, client: string): Promise<number> {
  const visit = await begin(args, terminal, client);
  const interrupt = () => {
    visit.isStopped = true;
    terminal.note('Interrupted: removing test records');
  };
  // A second signal terminates at once.
  for (const signal of SIGNALS) process.once(signal, interrupt);
  const findings: Finding[] = [];
  let [left, isInterrupted]: [string[], boolean] = [[], false];
  const tell = (finding: Finding) => {
    findings.push(finding);
    if (!args.json) for (const line of lines(finding, terminal)) terminal.out(hide(line));
  };
  const hide = (text: string) => hidden(text, visit, args['with-names'] === true);
  try {
    for (const check of CHECKS) {
      if (!visit.isStopped) tell({ check: check.name, ...(await verdictOf(check, visit, findings)) });
    }
  } finally {
    isInterrupted = visit.isStopped;
    visit.isStopped = false;
    left = await removeLeftovers(visit);
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  }
  return summary({ findings, left, isInterrupted, visit, hide }, args, terminal);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function begin(args: Arguments, terminal: Terminal, client: string): Promise<Visit> {
  const logIn = await credentials(args, terminal);
  if ('sessionKey' in logIn) throw new UsageError('Give a token, or a user name and a password');
  const seconds = args.timeout === undefined ? TIMEOUT_S : Number(args.timeout);
  if (!(seconds > 0 && seconds <= 600)) throw new UsageError('--timeout takes seconds, up to 600');
  const send = nodeFetch(trustOf(args));
  return new Visit({
    logIn,
    client,
    address: addressOf(args.url ?? (process.env.ML_URL || DEFAULT_URL), '--url'),
    web: args.web === undefined ? undefined : addressOf(args.web, '--web'),
    open: (base) => new Site(base, send, seconds * 1000),
  });
}

function addressOf(text: string, option: string): URL {
  try {
    const { origin, prefix } = baseOf({ baseUrl: text, auth: { token: '-' } });
    return new URL(`${origin}/${prefix}`);
  } catch (error) {
    throw new UsageError((error as Error).message.replace('baseUrl', option));
  }
}

async function verdictOf(check: Check, visit: Visit, findings: readonly Finding[]) {
  const isThere = (name: string) =>
    // Checks of an app of another version are still useful.
    name === app.name ? visit.appVersion !== '' : findings.some((one) => one.check === name && one.state === 'holds');
  const lacking = check.needs.find((name) => !isThere(name));
  return lacking === undefined ? conclusion(check, visit) : notAsked(`${lacking} does not hold`);
}

const WORDS: Readonly<Record<Finding['state'], readonly [string, Style]>> = {
  holds: ['holds', 'green'],
  fails: ['FAILS', 'red'],
  not_asked: ['not asked', 'yellow'],
};
const INDENT = ' '.repeat(32);

function lines(finding: Finding, { paint }: Terminal): string[] {
  const [word, style] = WORDS[finding.state];
  const first = `  ${paint(style, word.padEnd(9))}  ${finding.check.padEnd(18)} ${plain(finding.says)}`;
  if (finding.state !== 'fails') return [first];
  const { cause, remedy } = finding;
  return [first, ...(cause ? [`${INDENT}Cause:  ${plain(cause)}`] : []), `${INDENT}Remedy: ${plain(remedy)}`];
}

interface Outcome {
  findings: readonly Finding[];
  left: readonly string[];
  isInterrupted: boolean;
  visit: Visit;
  hide: (text: string) => string;
}

function summary(
  { findings, left, isInterrupted, visit, hide }: Outcome,
  { json }: Arguments,
  terminal: Terminal,
): number {
  const count = (state: Finding['state']) => findings.filter((one) => one.state === state).length;
  const totals = { holds: count('holds'), fails: count('fails'), not_asked: count('not_asked') };
  if (json) {
    const versions = { mlx: visit.client, app: visit.appVersion || null, platform: visit.platformVersion || null };
    const result = { versions, totals, is_interrupted: isInterrupted, left_behind: left, checks: findings };
    const replacer = (_: string, value: unknown) => (typeof value === 'string' ? hide(value) : value);
    terminal.out(JSON.stringify({ result }, replacer, 2));
  } else {
    const { holds, fails, not_asked } = totals;
    const about = `mlx ${visit.client}, app ${visit.appVersion || 'unknown'}, platform ${visit.platformVersion || 'unknown'}`;
    terminal.out(
      `\n${holds} ${holds === 1 ? 'holds' : 'hold'}, ${fails} ${fails === 1 ? 'fails' : 'fail'}, ${not_asked} not asked (${about})`,
    );
  }
  for (const name of left) terminal.note(`Left behind: the MCP connection ${name}. Delete it by hand.`);
  return totals.fails > 0 || isInterrupted || left.length > 0 ? 1 : 0;
}
