import { Random } from '../../support/random.ts';
import type { Finding } from '../history/checker.ts';
import type { Report } from '../report.ts';
import { startHost } from '../site/hosts.ts';
import { usageOf } from '../site/processes.ts';
import { Site } from '../site/site.ts';
import { Load, type Sample } from './load.ts';

export interface SoakOptions {
  seed: number;
  ms: number;
  warmMs: number;
  rate: number;
  /** How much more memory the last third may need than the first; short runs see the heap still grow to its size. */
  growth: number;
}

const DRIVERS = 4;
const AT_ONCE = 16;
/** p99 of the last third against the first, and against what the machine did to the platform's own endpoint meanwhile. */
const MOST_SLOWDOWN = 2.5;
/** Below this a few sockets more are ten per cent. */
const SPARE_DESCRIPTORS = 10;
/** Below this it is a page cache or two. */
const SPARE_MIB = 16;

interface Usage {
  at: number;
  /** Calls under way. */
  busy: number;
  platform: { rss: number; descriptors: number };
  drivers: { rss: number; descriptors: number };
}

/** A steady load of every kind: no error, no growth, no slowing down. */
export async function soak(report: Report, { seed, ms, warmMs, rate, growth }: SoakOptions): Promise<void> {
  const host = await startHost();
  const site = await Site.start({ drivers: DRIVERS, env: { ML_DRIVER_IDLE_S: '3600' } });
  const load = new Load(site, new Random(seed), host);
  await load.prepare();
  await load.run(rate, warmMs, AT_ONCE);
  host.arrivals.length = 0;
  load.samples.length = 0;
  load.skipped = 0;
  const usages: Usage[] = [];
  const watch = setInterval(() => {
    usages.push(look(site, load.busy));
    // Nobody reads them here, and a soak of hours would fill this process.
    host.arrivals.length = 0;
  }, 500);
  const started = performance.now();
  await load.run(rate, ms, AT_ONCE);
  clearInterval(watch);
  const third = ms / 3;
  const [first, last] = [[started, started + third] as const, [started + 2 * third, started + ms] as const];
  const findings: Finding[] = [];
  if (load.errors.length > 0)
    findings.push({ what: `${load.errors.length} errors or more`, story: load.errors.slice(0, 10) });
  const figures = [
    `${load.samples.length} requests in ${Math.round(ms / 1000)} s, ${Math.round((load.samples.length / ms) * 1000)} a second (wanted ${rate}; ${load.skipped} left out, the machine was behind)`,
  ];
  const busyIn = (span: readonly [number, number]) => within(usages, span).map(({ busy }) => busy);
  for (const who of ['platform', 'drivers'] as const) {
    for (const what of ['rss', 'descriptors'] as const) {
      const [before, after] = [first, last].map((span) =>
        median(within(usages, span).map((usage) => usage[who][what])),
      );
      const line = `${who} ${what}: ${Math.round(before ?? 0)} -> ${Math.round(after ?? 0)}`;
      figures.push(line);
      // A machine that is behind has more calls under way, each with a connection on either side of the platform.
      const [calm, peak] = [median(busyIn(first)), Math.max(0, ...busyIn(last))];
      const more = 2 * Math.max(0, peak - calm);
      const spare = what === 'rss' ? SPARE_MIB : SPARE_DESCRIPTORS + more;
      const limit = Math.max((before ?? 0) * (what === 'rss' ? 1 + growth : 1.1), (before ?? 0) + spare);
      if ((after ?? 0) > limit) findings.push({ what: `growth: ${line}`, story: [] });
    }
  }
  const slowdown = (isControl: boolean) => {
    const [before, after] = [first, last].map((span) => p99(within(load.samples, span), isControl));
    return { before: before ?? 0, after: after ?? 0, ratio: (after ?? 0) / Math.max(before ?? 0, 1) };
  };
  const [app, control] = [slowdown(false), slowdown(true)];
  const line = `p99 ${app.before.toFixed(0)} -> ${app.after.toFixed(0)} ms (the platform's own endpoint ${control.before.toFixed(0)} -> ${control.after.toFixed(0)} ms)`;
  figures.push(line);
  if (app.ratio / Math.max(1, control.ratio) > MOST_SLOWDOWN)
    findings.push({ what: `slower and slower: ${line}`, story: [] });
  report.part('soak', { findings, figures });
  await site.dispose();
}

function look(site: Site, busy: number): Usage {
  const drivers = site.driverPids().map(usageOf);
  const sum = (of: (usage: { rss: number; descriptors: number }) => number) =>
    drivers.reduce((all, one) => all + of(one), 0);
  return {
    at: performance.now(),
    busy,
    platform: usageOf(site.platform.pid),
    drivers: { rss: sum(({ rss }) => rss), descriptors: sum(({ descriptors }) => descriptors) },
  };
}

const within = <T extends { at: number }>(items: readonly T[], [from, to]: readonly [number, number]) =>
  items.filter(({ at }) => at >= from && at < to);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

function p99(samples: readonly Sample[], isControl: boolean): number {
  const sorted = samples
    .filter((sample) => sample.isControl === isControl)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0;
}
