import { audit } from './audit.ts';
import { Bench } from './bench.ts';
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
  driver,
  memory,
  reads,
  writes,
  probes,
  lists,
  experiments,
  llm,
  cloud,
  commands,
  audit,
  containers,
  console,
};

/** Suites without a row that `--short` could keep: browsers, engines and their deadlines, and what takes long. */
const UNSTABLE: readonly Suite[] = ['probes', 'llm', 'containers', 'console'];

type Suite = keyof typeof SUITES;
const NAMES = Object.keys(SUITES) as Suite[];

/** A suite that breaks off is a failure, and no reason to leave the others out. */
async function completes(name: Suite, suite: () => Promise<void>): Promise<boolean> {
  try {
    await suite();
    return true;
  } catch (error) {
    process.stderr.write(`bench: ${name} broke off: ${(error as Error).stack}\n`);
    return false;
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
  let broken = 0;
  try {
    if (against !== undefined) await driverAgainst(bench, against);
    else
      for (const name of suites.filter((one) => !short || !UNSTABLE.includes(one)))
        if (!(await completes(name, () => SUITES[name](bench)))) broken += 1;
  } finally {
    await bench.close();
  }
  const held = short ? 'keep' : 'aim';
  const { text, passed, failed } = summary(bench.rows, held);
  process.stdout.write(
    `${table(bench.rows, held)}\n\n${text ? `${text}\n\n` : ''}${passed} passed, ${failed + broken} failed\n`,
  );
  return broken > 0 || (strict && failed > 0) ? 1 : 0;
}

process.exit(await main());
