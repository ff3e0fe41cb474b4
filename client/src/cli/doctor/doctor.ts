import { baseOf } from '../../session.ts';
import { credentials, DEFAULT_URL, trustOf } from '../connect.ts';
import { nodeFetch } from '../nodeFetch.ts';
import { plain, type Style, type Terminal } from '../terminal.ts';
import { type Arguments, UsageError } from '../usage.ts';
import { ACCESS_CHECKS } from './access.ts';
import { APP_CHECKS } from './app.ts';
import { type Finding, findingOf } from './check.ts';
import { END_CHECKS, RECORD_CHECKS, removeLeftovers } from './records.ts';
import { Site } from './site.ts';
import { COLLECTION, STORE_CHECKS } from './store.ts';
import { Visit } from './visit.ts';
import { WEB_CHECKS } from './web.ts';

/** In order of execution. */
export const CHECKS = [
  ...ACCESS_CHECKS,
  ...APP_CHECKS,
  ...STORE_CHECKS,
  ...RECORD_CHECKS,
  ...WEB_CHECKS,
  ...END_CHECKS,
];
const TIMEOUT_S = 20;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const WORDS: Readonly<Record<Finding['state'], readonly [string, Style]>> = {
  holds: ['holds', 'green'],
  fails: ['FAILS', 'red'],
  not_asked: ['not asked', 'yellow'],
};
const INDENT = ' '.repeat(32);

/** Checks a site; changes only its own test records. @returns the exit code */
export async function doctor(args: Arguments, terminal: Terminal, client: string): Promise<number> {
  const visit = await begin(args, terminal, client);
  const hide = (text: string) => visit.hide(text, args['with-names'] === true);
  const interrupt = () => {
    visit.isStopped = true;
    terminal.note('Interrupted: removing test records');
  };
  // A second signal terminates at once.
  for (const signal of SIGNALS) process.once(signal, interrupt);
  const findings: Finding[] = [];
  const holding = new Set<string>();
  let [left, isInterrupted]: [string[], boolean] = [[], false];
  try {
    for (const check of CHECKS) {
      if (visit.isStopped) break;
      const isPossible = check.needs === undefined || holding.has(check.needs);
      const finding: Finding = isPossible
        ? await findingOf(check, visit)
        : { check: check.code, state: 'not_asked', says: `${check.needs} does not hold` };
      // Checks of an app of another version are still useful.
      if (finding.state === 'holds' || (check.code === 'app' && visit.appVersion !== '')) holding.add(check.code);
      findings.push(finding);
      if (!args.json) for (const line of linesOf(finding, terminal)) terminal.out(hide(line));
    }
  } finally {
    isInterrupted = visit.isStopped;
    visit.isStopped = false;
    left = await removeLeftovers(visit);
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  }
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  const totals = { holds: count('holds'), fails: count('fails'), not_asked: count('not_asked') };
  const versions = { mlx: client, app: visit.appVersion || null, platform: visit.platformVersion || null };
  if (args.json) {
    const result = { versions, totals, is_interrupted: isInterrupted, left_behind: left, checks: findings };
    const replacer = (_: string, value: unknown) => (typeof value === 'string' ? hide(value) : value);
    terminal.out(JSON.stringify({ result }, replacer, 2));
  } else {
    const { holds, fails, not_asked } = totals;
    const about = `mlx ${client}, app ${versions.app ?? 'unknown'}, platform ${versions.platform ?? 'unknown'}`;
    const verb = (total: number, word: string) => `${total} ${word}${total === 1 ? 's' : ''}`;
    terminal.out(`\n${verb(holds, 'hold')}, ${verb(fails, 'fail')}, ${not_asked} not asked (${about})`);
  }
  for (const name of left) terminal.note(`Left behind: the MCP connection ${name}. Delete it by hand.`);
  if (visit.hasDocuments) terminal.note(`Left behind: documents in the collection ${COLLECTION}. Empty it by hand.`);
  return totals.fails > 0 || isInterrupted || left.length > 0 || visit.hasDocuments ? 1 : 0;
}

async function begin(args: Arguments, terminal: Terminal, client: string): Promise<Visit> {
  const logIn = await credentials(args, terminal);
  if ('sessionKey' in logIn) throw new UsageError('Give a token, or a user name and a password');
  const seconds = args.timeout === undefined ? TIMEOUT_S : Number(args.timeout);
  if (!(seconds > 0 && seconds <= 600)) throw new UsageError('--timeout takes seconds, up to 600');
  const send = nodeFetch(trustOf(args));
  return new Visit({
    logIn,
    address: addressOf(args.url ?? (process.env.ML_URL || DEFAULT_URL), '--url'),
    web: args.web === undefined ? undefined : addressOf(args.web, '--web'),
    client,
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

function linesOf(finding: Finding, { paint }: Terminal): string[] {
  const [word, style] = WORDS[finding.state];
  const first = `  ${paint(style, word.padEnd(9))}  ${finding.check.padEnd(18)} ${plain(finding.says)}`;
  if (finding.state !== 'fails') return [first];
  const { cause, remedy } = finding;
  return [first, ...(cause ? [`${INDENT}Cause:  ${plain(cause)}`] : []), `${INDENT}Remedy: ${plain(remedy)}`];
}
