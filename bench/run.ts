import type { TestPlatform } from '../test/support/e2e/platform.ts';
import { Bench, onPlatform } from './bench.ts';
import { helpOf, type Options, readOptions } from './options.ts';
import { type Row, summary, table } from './report.ts';
import { alert } from './suites/alert.ts';
import { apis } from './suites/apis.ts';
import { audit } from './suites/audit.ts';
import { chat } from './suites/chat.ts';
import { cloud } from './suites/cloud.ts';
import { commands } from './suites/commands.ts';
import { console } from './suites/console.ts';
import { containers } from './suites/containers.ts';
import { cost } from './suites/cost.ts';
import { driver, driverAgainst } from './suites/driver.ts';
import { evidence } from './suites/evidence.ts';
import { experiments } from './suites/experiments.ts';
import { gateway } from './suites/gateway.ts';
import { indexing } from './suites/indexing.ts';
import { knowledge } from './suites/knowledge.ts';
import { lists } from './suites/lists.ts';
import { llm } from './suites/llm.ts';
import { masking } from './suites/masking.ts';
import { memory } from './suites/memory.ts';
import { predict } from './suites/predict.ts';
import { probes } from './suites/probes.ts';
import { reads } from './suites/reads.ts';
import { runs } from './suites/runs.ts';
import { search } from './suites/search.ts';
import { tools } from './suites/tools.ts';
import { writes } from './suites/writes.ts';

/** `npm run bench`. Times depend on the machine; ratios are comparable. */
const SUITES = {
  driver: onItsOwn(driver),
  memory,
  reads,
  writes,
  probes,
  lists,
  experiments,
  llm: onItsOwn(llm),
  gateway,
  indexing,
  chat,
  apis,
  cost,
  tools,
  search,
  runs,
  alert,
  evidence,
  masking,
  cloud,
  knowledge,
  commands: onItsOwn(commands),
  predict: onItsOwn(predict),
  audit,
  containers: onItsOwn(containers),
  console,
};

function onItsOwn(suite: (bench: Bench, platform: TestPlatform) => Promise<void>) {
  return (bench: Bench) => onPlatform((platform) => suite(bench, platform));
}

/** Suites without stable rows: browsers, engines, deadlines, long runs. */
const UNSTABLE: readonly Suite[] = [
  'probes',
  'llm',
  'gateway',
  'chat',
  'cost',
  'tools',
  'search',
  'runs',
  'alert',
  'evidence',
  'masking',
  'cloud',
  'knowledge',
  'predict',
  'containers',
  'console',
];

type Suite = keyof typeof SUITES;
const NAMES = Object.keys(SUITES) as Suite[];

interface Found {
  rows: readonly Row[];
  broken: readonly string[];
}

/** A crashed suite is a failure, but the others continue. */
async function measured(name: Suite, short: boolean): Promise<Found> {
  const bench = new Bench(short);
  try {
    await SUITES[name](bench);
    return { rows: bench.rows, broken: [] };
  } catch (error) {
    return { rows: bench.rows, broken: [`broke off: ${name}: ${(error as Error).stack}`] };
  }
}

/** With --short a miss counts only if a second run confirms it, since the machine may be busy. */
async function measureTwiceIfMissed(name: Suite): Promise<Found> {
  const found = await measured(name, true);
  const { missed } = summary(found.rows, 'keep');
  if (missed.length === 0) return found;
  process.stderr.write(`bench: ${name} once more, for ${missed.join('; ')}\n`);
  return measured(name, true);
}

async function comparedWith(against: string): Promise<Found> {
  const bench = new Bench(false);
  await onPlatform((platform) => driverAgainst(bench, platform, against));
  return { rows: bench.rows, broken: [] };
}

async function main(): Promise<number> {
  let options: Options<Suite>;
  try {
    options = readOptions(process.argv.slice(2), NAMES);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nTry --help.\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(helpOf(NAMES));
    return 0;
  }
  const { against, suites, short, strict } = options;
  const found: Found[] = [];
  if (against !== undefined) found.push(await comparedWith(against));
  else if (short)
    for (const name of suites.filter((one) => !UNSTABLE.includes(one))) found.push(await measureTwiceIfMissed(name));
  else for (const name of suites) found.push(await measured(name, false));
  const rows = found.flatMap((one) => one.rows);
  const broken = found.flatMap((one) => one.broken);
  const held = short ? 'keep' : 'aim';
  const { missed, passed } = summary(rows, held);
  const failures = [...missed, ...broken];
  const sections = [table(rows, held), failures.join('\n'), `${passed} passed, ${failures.length} failed`];
  process.stdout.write(`${sections.filter(Boolean).join('\n\n')}\n`);
  return broken.length > 0 || (strict && missed.length > 0) ? 1 : 0;
}

process.exit(await main());
