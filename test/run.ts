import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import mocharc from '../.mocharc.json' with { type: 'json' };
import { type Durations, filesOf, type Group, keepDurations, lastDurations, longestFirst } from './runner/files.ts';
import { Progress } from './runner/progress.ts';
import { scratchFolder } from './runner/scratch.ts';
import { builtApp, project } from './support/e2e/build.ts';

const HELP = `Runs test files side by side.

usage: npm test [-- [--jobs <n>] [<part of a file's path> …]]
       npm run test:peers …

  --peers      the tests that need foreign programs: Python packages, a Docker engine, a cluster
  --all        both
  --jobs <n>   files at a time (two more than the machine has cores)

One file, in full: npx mocha <file>
`;

/** Much of a test is waiting for a process or a clock. */
const JOBS = availableParallelism() + 2;

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
  const { timeout } = mocharc;
  const mocha = new Mocha({
    parallel: true,
    jobs,
    timeout,
    reporter: Progress as unknown as Mocha.ReporterConstructor,
    reporterOptions: { files, jobs, durations },
  });
  for (const file of files) mocha.addFile(join(project, file));
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  keepDurations(durations);
  return failures > 0 ? 1 : 0;
}

process.exit(await main());
