import { Random } from '../../support/random.ts';
import { FAMILIES } from '../histories/families.ts';
import type { Family, Hosts } from '../histories/family.ts';
import type { Finding } from '../history/checker.ts';
import type { Report } from '../report.ts';
import { startHost } from '../site/hosts.ts';
import { Site, type SiteOptions } from '../site/site.ts';
import { raceToStart } from './containers.ts';
import { duel } from './duel.ts';
import { raceForName, raceToSave } from './names.ts';
import { raceToRefresh } from './refresh.ts';

export interface RacesOptions extends SiteOptions {
  seed: number;
  /** Of creates for each family, of refreshes, and of starts and stops. */
  rounds: number;
  duelMs: number;
}

const family = (name: string) => FAMILIES.find((one) => one.name === name) as Family;
/** A race that goes wrong at once goes wrong often: the first tells enough. */
const ENOUGH = 3;

export async function races(report: Report, { seed, rounds, duelMs, ...options }: RacesOptions): Promise<void> {
  const site = await Site.start({ drivers: 4, ...options });
  const started = [await startHost(), await startHost(), await startHost()];
  const hosts: Hosts = { hosts: started, url: (name) => `http://${name}` };
  for (const name of ['mcp', 'vector', 'container']) {
    const findings = await repeat(rounds, (round) => raceForName(site, family(name), hosts, round));
    report.part(`races for a name: ${name}`, { findings, figures: [`${rounds} rounds of 32 creates`] });
  }
  const saved = await repeat(rounds, (round) => raceToSave(site, family('llm'), hosts, round));
  report.part('races to save: llm', { findings: saved, figures: [`${rounds} rounds of 32 saves`] });
  for (const name of ['llm', 'mcp']) {
    const { findings, met } = await duel(site, family(name), hosts, seed, duelMs);
    const figures = [`${Math.round(duelMs / 1000)} s, ${met} secrets met`];
    report.part(`a connection carried between two hosts: ${name}`, { findings: findings.slice(0, ENOUGH), figures });
  }
  const { findings, refreshes } = await raceToRefresh(site, rounds * 2);
  report.part('races to refresh a rotating token', {
    findings,
    figures: [`${rounds * 2} rounds, ${refreshes} refreshes`],
  });
  const containers = await raceToStart(site, new Random(seed), rounds * 2);
  report.part('races of starts and stops', { findings: containers, figures: [`${rounds * 2} rounds of 6 calls`] });
  await site.dispose();
}

async function repeat(rounds: number, race: (round: number) => Promise<Finding[]>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let round = 1; round <= rounds && findings.length < ENOUGH; round++) findings.push(...(await race(round)));
  return findings;
}
