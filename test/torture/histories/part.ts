import { Random } from '../../support/random.ts';
import { check, type Finding } from '../history/checker.ts';
import type { Report } from '../report.ts';
import { type RecordingHost, startHost } from '../site/hosts.ts';
import { PEOPLE, Site, type SiteOptions } from '../site/site.ts';
import { aftermath } from './aftermath.ts';
import { unaudited } from './audited.ts';
import { FAMILIES } from './families.ts';
import type { Hosts } from './family.ts';
import { nemesesFor } from './nemeses.ts';
import { Recorder } from './recorder.ts';
import { Names, Workload } from './workload.ts';

interface HistoriesOptions extends SiteOptions {
  seed: number;
  harmMs: number;
  clients: number;
}

interface Run {
  findings: Finding[];
  figures: string[];
  /** Checks for leftovers after a minute, then disposes of the site. */
  after(): Promise<{ findings: Finding[]; figures: string[] }>;
}

/** Runs clients and fault injection, then checks the histories. */
async function runHistories(options: HistoriesOptions): Promise<Run> {
  const { seed, harmMs, clients } = options;
  const hosts: RecordingHost[] = [await startHost(), await startHost(), await startHost()];
  const lookup: Hosts = { hosts, url: (name) => `http://${name}` };
  const site = await Site.start(options);
  const recorder = new Recorder(site, lookup);
  const names = new Names();
  let isOver = false;
  const running = Array.from({ length: clients }, (_, index) => {
    const random = new Random(seed + 1000 * (index + 1));
    return new Workload(random, names, site, lookup, recorder, FAMILIES).run(`c${index + 1}`, () => isOver);
  });
  const done = await harm(site, new Random(seed), harmMs);
  isOver = true;
  await Promise.all(running);
  await site.settle();
  const audit = await unaudited(site, recorder.acknowledged);
  await lastLook(site, names, recorder);
  // A write that was stopped goes on when the site settles, and may open its journal entry only then.
  const quietSince = performance.now();
  const meetings = hosts.flatMap((host) => host.arrivals).filter(({ secret }) => secret !== '');
  const checked = check(PEOPLE, recorder.events, meetings);
  const findings = [...checked.findings, ...bugsOf(site, recorder), ...(audit.finding ? [audit.finding] : [])];
  if (checked.undecided > 0)
    findings.push({ what: `${checked.undecided} histories were too long to decide`, story: [] });
  const figures = [
    `${checked.events} events of ${checked.records} records, ${checked.unknown} of unknown outcome, ${meetings.length} secrets met`,
    audit.figure,
    `harm: ${[...done].map(([name, count]) => `${name} ${count}`).join(', ') || 'none'}`,
    `failed tests: ${[...recorder.failedTests].map(([code, count]) => `${code} ${count}`).join(', ') || 'none'}`,
  ];
  return {
    findings,
    figures,
    async after() {
      const sealed = FAMILIES.filter(({ name }) => name !== 'experiment');
      const { finding, atOnce, left } = await aftermath(site, sealed, lookup, quietSince);
      await site.dispose();
      return {
        findings: finding ? [finding] : [],
        figures: [`left over when all was quiet: ${atOnce}, a minute and a write later: ${left}`],
      };
    },
  };
}

/** Injects faults with pauses. @returns how often each was injected */
async function harm(site: Site, random: Random, ms: number): Promise<Map<string, number>> {
  const done = new Map<string, number>();
  const nemeses = await nemesesFor(site);
  if (nemeses.length === 0) return done;
  const end = performance.now() + ms;
  while (performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 300 + random.below(900)));
    // A longer pause now and then lets the site recover.
    if (random.chance(0.3)) await new Promise((resolve) => setTimeout(resolve, 1500));
    const nemesis = random.pick(nemeses);
    done.set(nemesis.name, (done.get(nemesis.name) ?? 0) + 1);
    await nemesis.harm(site, random);
  }
  return done;
}

/** Every record is read and tested once more, through every member. */
async function lastLook(site: Site, names: Names, recorder: Recorder): Promise<void> {
  for (const family of FAMILIES) {
    for (const key of names.used.get(family.name) ?? []) {
      const asked = { client: 'last look', user: 'admin', family, key };
      for (const via of site.bases.keys()) {
        await recorder.make({ ...asked, via, action: { kind: 'read' } });
        if (family.tests) await recorder.make({ ...asked, via, action: { kind: 'test' } });
      }
    }
  }
}

function bugsOf(site: Site, recorder: Recorder): Finding[] {
  const findings = recorder.bugs.map((text) => ({ what: `an answer that is not in the contract: ${text}`, story: [] }));
  for (const line of site.bugs().slice(0, 5)) findings.push({ what: `a bug in the log: ${line}`, story: [] });
  return findings;
}

export async function histories(
  report: Report,
  options: HistoriesOptions & { title: string },
): Promise<() => Promise<void>> {
  const run = await runHistories(options);
  report.part(options.title, run);
  return async () => report.part(`${options.title}, a minute later`, await run.after());
}
