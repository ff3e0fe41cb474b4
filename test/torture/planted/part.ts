import { FAMILIES } from '../histories/families.ts';
import type { Family, Hosts } from '../histories/family.ts';
import { runHistories } from '../histories/part.ts';
import { Recorder } from '../histories/recorder.ts';
import { check, type Finding } from '../history/checker.ts';
import { duel } from '../races/duel.ts';
import { raceForName } from '../races/names.ts';
import type { Report } from '../report.ts';
import { startHost } from '../site/hosts.ts';
import { PEOPLE, Site } from '../site/site.ts';
import { buildWith } from './build.ts';
import { type Exercise, FAULTS, type PlantedFault } from './faults.ts';

/** A fault shows by chance: one that does not in so many tries is one that the suite cannot see. */
const TRIES = 6;
const DUEL_MS = 6000;
const CREATES = 25;
const LOST_PERCENT = 20;
/** Records without an access list: what lists get wrong must not be taken for the fault. */
const SEALED_FAMILIES = FAMILIES.filter(({ name }) => ['llm', 'container'].includes(name));
const family = (name: string) => FAMILIES.find((one) => one.name === name) as Family;

/** Each fault is put back into a build of its own, and has to be found. */
export async function planted(report: Report, { seed, most }: { seed: number; most: number }) {
  // Without a fault the same exercises find nothing, or what they find with one proves nothing.
  const faults = FAULTS.slice(0, most);
  for (const kind of new Set(faults.map((fault) => fault.exercise))) {
    const findings = await exercise(kind, undefined, seed);
    if (findings === 'not possible here') continue;
    report.part(`planted: nothing, ${kind}`, { findings, figures: [] });
  }
  for (const fault of faults) {
    const app = buildWith(fault);
    const result = await find(fault, app, seed);
    if (result === 'not possible here') {
      report.line(`    skipped, this platform cannot show it: ${fault.name}`);
      continue;
    }
    const { found, tries } = result;
    const findings = found ? [] : [{ what: `the suite does not see it in ${TRIES} tries`, story: [] }];
    const how = found ? `found in try ${tries}: ${found.what.slice(0, 150)}` : 'not found';
    report.part(`planted: ${fault.name}`, { findings, figures: [how, ...(found?.story.slice(0, 6) ?? [])] });
  }
}

async function find(fault: PlantedFault, app: string, seed: number) {
  for (let tries = 1; tries <= TRIES; tries++) {
    const findings = await exercise(fault.exercise, app, seed + tries);
    if (findings === 'not possible here') return findings;
    const text = ({ what, story }: Finding) => `${what}\n${story.join('\n')}`;
    const found = findings.find((finding) => fault.seen.test(text(finding)));
    if (found) return { found, tries };
  }
  return { found: undefined, tries: TRIES };
}

async function exercise(
  kind: Exercise,
  app: string | undefined,
  seed: number,
): Promise<Finding[] | 'not possible here'> {
  if (kind === 'duel') return duels(await Site.start({ ...(app ? { app } : {}), drivers: 4 }), seed);
  if (kind === 'skew') {
    const site = await Site.start({
      ...(app ? { app } : {}),
      members: 2,
      env: { ML_CLOCK_SKEW_MS: '600000', ML_REPLICATION_MS: '100' },
    });
    if (site.bases.length > 1) return writersOf(site, seed);
    await site.dispose();
    return 'not possible here';
  }
  if (kind === 'resets') return creates(await Site.start({ ...(app ? { app } : {}), drivers: 4 }));
  const run = await runHistories({
    ...(app ? { app } : {}),
    seed,
    clients: 8,
    families: SEALED_FAMILIES,
    ...EXERCISES[kind],
  });
  if (run.isWithoutHarm && kind !== 'calm') {
    await run.after(false);
    return 'not possible here';
  }
  const { findings } = await run.after(kind === 'aftermath');
  return [...run.findings, ...findings];
}

const EXERCISES: Record<
  Exclude<Exercise, 'duel' | 'skew' | 'resets'>,
  { harmMs: number; calm?: boolean; only?: RegExp }
> = {
  calm: { harmMs: 8000, calm: true },
  kills: { harmMs: 20_000, only: /driver killed|passwords slow/ },
  aftermath: { harmMs: 10_000, only: /driver killed|passwords slow/ },
};

async function duels(site: Site, seed: number): Promise<Finding[]> {
  const started = [await startHost(), await startHost()];
  const hosts: Hosts = { hosts: started, url: (name) => `http://${name}` };
  const first = await duel(site, family('llm'), hosts, seed, DUEL_MS);
  const second = await duel(site, family('mcp'), hosts, seed, DUEL_MS);
  const third = await raceForName(site, family('mcp'), hosts, seed);
  await site.dispose();
  return [...first.findings, ...second.findings, ...third];
}

/** Writers alone, through all members: each reads, and writes what it read. */
async function writersOf(site: Site, seed: number): Promise<Finding[]> {
  const hosts: Hosts = { hosts: [await startHost(), await startHost()], url: (name) => `http://${name}` };
  const crowd = { writers: 6, testers: 0, slow: 'kvstore' } as const;
  const { findings } = await duel(site, family('llm'), hosts, seed, 2 * DUEL_MS, crowd);
  await site.dispose();
  return findings;
}

/** One name after the other, while answers of the KV store are lost: each create is read again. */
async function creates(site: Site): Promise<Finding[] | 'not possible here'> {
  const host = await startHost();
  const hosts: Hosts = { hosts: [host], url: (name) => `http://${name}` };
  const recorder = new Recorder(site, hosts);
  if (!(await site.faults({ kvstore: `reset_after:${LOST_PERCENT}` }))) {
    await site.dispose();
    return 'not possible here';
  }
  const client = async (label: string) => {
    for (let index = 0; index < CREATES; index++) {
      const asked = { client: label, via: 0, user: 'admin', family: family('container'), key: `${label}-${index}` };
      const fields = { mark: `m${index}`, host: host.name, secret: `key-for-${host.name}-${label}-${index}` };
      await recorder.make({ ...asked, action: { kind: 'create', fields } });
      await recorder.make({ ...asked, action: { kind: 'read' } });
    }
  };
  await Promise.all(['a', 'b', 'c', 'd'].map(client));
  await site.settle();
  const { findings } = check(PEOPLE, recorder.events, []);
  await site.dispose();
  return findings;
}
