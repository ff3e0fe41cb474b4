import { histories } from './histories/part.ts';
import { hostile } from './hostile/part.ts';
import { HELP, type Options, type Part, readOptions } from './options.ts';
import { planted } from './planted/part.ts';
import { races } from './races/part.ts';
import { Report } from './report.ts';
import { endAll, endOnSignals } from './site/cleanup.ts';
import { soak } from './soak/part.ts';
import { upstreams } from './upstreams/part.ts';

const MINUTE = 60_000;

/** `npm run torture`: part after part; what needs a minute of quiet is looked at when the next part has run. */
async function torture({ seed, length, parts }: Options, report: Report): Promise<void> {
  report.line(`seed ${seed}, length ${length}, parts ${parts.join(', ')}`);
  const later: (() => Promise<void>)[] = [];
  const of = <T>(short: T, usual: T, long: T): T => ({ short, default: usual, long })[length];
  const run: Record<Part, () => Promise<void>> = {
    async histories() {
      const harmMs = of(30_000, 2.5 * MINUTE, 60 * MINUTE);
      later.push(await histories(report, { title: 'histories', seed, harmMs, clients: 8 }));
    },
    async members() {
      const harmMs = of(20_000, 2 * MINUTE, 60 * MINUTE);
      const env = { ML_CLOCK_SKEW_MS: '600000', ML_REPLICATION_MS: '1000', ML_MEMBER_RESTART_MS: '1000' };
      later.push(await histories(report, { title: 'two members', seed, harmMs, clients: 8, members: 2, env }));
    },
    races: () => races(report, { seed, rounds: of(3, 40, 600), duelMs: of(5000, 20_000, 300_000) }),
    hostile: () => hostile(report, { seed, requests: of(2_000, 50_000, 500_000) }),
    upstreams: () => upstreams(report, { cutEvery: of(23, 3, 1), isShort: length === 'short' }),
    soak: () => soak(report, { seed, rate: 100, ...of(SOAKS.short, SOAKS.default, SOAKS.long) }),
    planted: () => planted(report, { seed, most: of(1, 100, 100) }),
  };
  for (const part of parts) await guarded(report, part, run[part]);
  for (const last of later) await guarded(report, 'what comes a minute later', last);
}

const SOAKS = {
  short: { ms: 20_000, warmMs: 8000, growth: 0.5 },
  default: { ms: 3 * MINUTE, warmMs: MINUTE, growth: 0.1 },
  long: { ms: 30 * MINUTE, warmMs: 3 * MINUTE, growth: 0.1 },
};

/** A part that breaks off is a finding, and no reason to leave the others out. */
async function guarded(report: Report, title: string, part: () => Promise<void>): Promise<void> {
  try {
    await part();
  } catch (error) {
    report.part(title, { figures: [], findings: [{ what: `broke off: ${(error as Error).stack}`, story: [] }] });
  }
}

async function main(): Promise<number> {
  let options: Options;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nTry --help.\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  endOnSignals();
  const report = new Report();
  try {
    await torture(options, report);
  } finally {
    await endAll();
  }
  return report.close() ? 0 : 1;
}

process.exit(await main());
