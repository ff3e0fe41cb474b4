import type { TestPlatform } from '../test/support/e2e/platform.ts';
import { audit } from './audit.ts';
import { Bench, onPlatform } from './bench.ts';
import { cloud } from './cloud.ts';
import { commands } from './commands.ts';
import { console } from './console.ts';
import { containers } from './containers.ts';
import { driver, driverAgainst } from './driver.ts';
import { experiments } from './experiments.ts';
import { lists } from './lists.ts';
import { llm } from './llm.ts';
import { memory } from './memory.ts';
import { helpOf, type Options, readOptions } from './options.ts';
import { probes } from './probes.ts';
import { reads } from './reads.ts';
import { summary, table } from './report.ts';
import { writes } from './writes.ts';

/** `npm run bench`: every comparison of the product, side by side. Times are of this machine; ratios travel. */
const SUITES = {
  driver: onItsOwn(driver),
  memory,
  reads,
  writes,
  probes,
  lists,
  experiments,
  llm: onItsOwn(llm),
  cloud,
  commands: onItsOwn(commands),
  audit,
  containers: onItsOwn(containers),
  console,
};

function onItsOwn(suite: (bench: Bench, platform: TestPlatform) => Promise<void>) {
  return (bench: Bench) => onPlatform((platform) => suite(bench, platform));
}

/** Suites without a row that `--short` could keep: browsers, engines and their deadlines, and what takes long. */
const UNSTABLE: readonly Suite[] = ['probes', 'llm', 'containers', 'console'];

type Suite = keyof typeof SUITES;
const NAMES = Object.keys(SUITES) as Suite[];

/** A suite that breaks off is a failure, and no reason to leave the others out. @returns what is to be said of it */
async function brokenOff(name: Suite, bench: Bench): Promise<string[]> {
  try {
    await SUITES[name](bench);
    return [];
  } catch (error) {
    return [`broke off: ${name}: ${(error as Error).stack}`];
  }
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
  const bench = new Bench(short);
  const broken: string[] = [];
  if (against !== undefined) await onPlatform((platform) => driverAgainst(bench, platform, against));
  else
    for (const name of suites) if (!short || !UNSTABLE.includes(name)) broken.push(...(await brokenOff(name, bench)));
  const held = short ? 'keep' : 'aim';
  const { missed, passed } = summary(bench.rows, held);
  const failures = [...missed, ...broken];
  const said = [table(bench.rows, held), failures.join('\n'), `${passed} passed, ${failures.length} failed`];
  process.stdout.write(`${said.filter(Boolean).join('\n\n')}\n`);
  return broken.length > 0 || (strict && missed.length > 0) ? 1 : 0;
}

process.exit(await main());
