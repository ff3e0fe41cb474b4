import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import mocharc from '../.mocharc.json' with { type: 'json' };
import { type Durations, filesOf, type Group, keepDurations, lastDurations, longestFirst } from './runner/files.ts';
import { type Options, type Outcome, Progress } from './runner/progress.ts';
import { scratchFolder } from './runner/scratch.ts';
import { builtApp, project } from './support/e2e/build.ts';

const HELP = `Runs test files side by side.

usage: npm test [-- [--jobs <n>] [<part of a file's path> …]]
       npm run test:peers …

  --peers      the tests that need foreign programs: Python packages, a Docker engine, a cluster
  --all        both
  --jobs <n>   files at a time (two more than the machine has cores)

Up to three files that failed are run again, one at a time; what passes then is reported as UNSTABLE.
One file, in full: npx mocha <file>
`;

/** Much of a test is waiting for a process or a clock. */
const JOBS = availableParallelism() + 2;

/**
 * So many failed files are run again by themselves: on a busy machine one of thousands of tests can be late without a fault. More
 * are a fault.
 */
const MOST_REPEATED = 3;

const { values, positionals } = parseArgs({
  options: {
    peers: { type: 'boolean' },
    all: { type: 'boolean' },
    jobs: { type: 'string' },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
});

async function main(): Promise<number> {
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const group: Group = values.all ? 'all' : values.peers ? 'peers' : 'own';
  const wanted = (file: string) => positionals.length === 0 || positionals.some((part) => file.includes(part));
  const files = longestFirst(filesOf(group).filter(wanted), lastDurations());
  const jobs = Math.min(Number(values.jobs ?? JOBS), files.length);
  if (files.length === 0 || !(jobs >= 1)) {
    process.stderr.write(files.length === 0 ? 'No test file has such a path.\n' : '--jobs must be a number from 1.\n');
    return 2;
  }
  const durations: Durations = {};
  // Hundreds of processes load the same TypeScript: each strips its types where nothing keeps the result.
  process.env.NODE_COMPILE_CACHE ??= join(project, 'node_modules/.cache/compiled');
  // Foreign programs may run elsewhere, and would not find it.
  if (group === 'own') process.env.TMPDIR = scratchFolder() ?? tmpdir();
  // One copy of the app for all processes.
  process.env.E2E_APP ??= builtApp();
  const outcomes = new Map<string, Outcome>();
  let lost = await run({ files, jobs, durations, outcomes });
  const failed = [...outcomes].filter(([, outcome]) => outcome.failed > 0).map(([file]) => file);
  if (lost === 0 && failed.length > 0 && failed.length <= MOST_REPEATED && files.length > failed.length) {
    console.log('\nOnce more, one file at a time, with nothing beside it:\n');
    for (const file of failed) {
      // With one job mocha would run the file in this process.
      lost += await run({ files: [file], jobs: 2, durations: {}, outcomes });
      if (outcomes.get(file)?.failed === 0)
        console.log(
          `\nUNSTABLE: ${file} failed beside other files and passed by itself; its first failure is above.\n`,
        );
    }
  }
  keepDurations(durations);
  const sum = (key: keyof Outcome) => [...outcomes.values()].reduce((total, outcome) => total + outcome[key], 0);
  const failures = sum('failed') + lost;
  console.log(`\n${sum('passed')} passed, ${failures} failed, ${sum('skipped')} skipped`);
  return failures > 0 ? 1 : 0;
}

/** @returns the number of failures that no file accounts for, such as that of a worker that ended */
async function run(options: Options): Promise<number> {
  const mocha = new Mocha({
    parallel: true,
    jobs: options.jobs,
    timeout: mocharc.timeout,
    reporter: Progress as unknown as Mocha.ReporterConstructor,
    reporterOptions: options,
  });
  for (const file of options.files) mocha.addFile(join(project, file));
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  const known = options.files.reduce((total, file) => total + (options.outcomes.get(file)?.failed ?? 0), 0);
  return Math.max(0, failures - known);
}

process.exit(await main());
