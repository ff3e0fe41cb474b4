import { histories } from './histories/part.ts';
import { HELP, type Options, type Part, readOptions } from './options.ts';
import { Report } from './report.ts';
import { endAll, endOnSignals } from './site/cleanup.ts';

const MINUTE = 60_000;
const HARM_MS = { short: 25_000, default: 2.5 * MINUTE, long: 60 * MINUTE };

/** Runs each part, then checks what each has left behind after a quiet minute. */
async function torture({ seed, length, parts, replaceOf }: Options, report: Report): Promise<void> {
  const named = parts.map((part) => `${part} (replacing a missing document: ${replaceOf[part]})`);
  report.line(`seed ${seed}, length ${length}, parts ${named.join(', ')}`);
  const leftOverChecks: (() => Promise<void>)[] = [];
  const options = { seed, harmMs: HARM_MS[length], clients: 8 };
  const run: Record<Part, () => Promise<void>> = {
    async histories() {
      const env = { ML_KV_REPLACE: replaceOf.histories };
      leftOverChecks.push(await histories(report, { ...options, title: 'histories', env }));
    },
    async members() {
      const clocks = { ML_CLOCK_SKEW_MS: '600000', ML_REPLICATION_MS: '1000', ML_MEMBER_RESTART_MS: '1000' };
      const env = { ...clocks, ML_KV_REPLACE: replaceOf.members };
      leftOverChecks.push(await histories(report, { ...options, title: 'two members', members: 2, env }));
    },
  };
  for (const part of parts) await runPart(report, part, run[part]);
  for (const check of leftOverChecks) await runPart(report, 'check for leftovers', check);
}

/** A part that breaks off is a finding; the others still run. */
async function runPart(report: Report, title: string, part: () => Promise<void>): Promise<void> {
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
