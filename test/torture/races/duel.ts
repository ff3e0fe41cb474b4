import { Random } from '../../support/random.ts';
import type { Family, Hosts } from '../histories/family.ts';
import { Recorder } from '../histories/recorder.ts';
import { check, type Finding } from '../history/checker.ts';
import type { Action } from '../history/events.ts';
import { PEOPLE, type Site } from '../site/site.ts';

const WRITERS = 2;
const TESTERS = 4;
const CALLS_A_NAME = 60;
const SLOW_MS = 30;

export interface Duel {
  findings: Finding[];
  met: number;
}

/** Writers that carry one connection back and forth between two hosts, each with its own key, while others test it. */
export async function duel(site: Site, family: Family, hosts: Hosts, seed: number, ms: number): Promise<Duel> {
  const random = new Random(seed);
  const recorder = new Recorder(site, hosts);
  const until = performance.now() + ms;
  const before = new Map(hosts.hosts.map((host) => [host, host.arrivals.length]));
  let [serial, calls, generation] = [0, 0, 0];
  const key = () => `duel-${family.name}-${seed}-${generation}`;

  async function act(client: string, kind: 'write' | 'test', first = false): Promise<void> {
    serial += 1;
    calls += 1;
    const host = random.pick(hosts.hosts.slice(0, 2)).name;
    const fields = { mark: `m${serial}`, host, secret: `key-for-${host}-d${serial}` };
    const acl = { sharing: 'user', read: [], write: [] } as const;
    const writing = family.writes === 'save' ? 'save' : first ? 'create' : 'update';
    const action: Action =
      kind === 'test' ? { kind } : { kind: writing, fields: { ...fields, ...(family.hasAcl ? { acl } : {}) } };
    await recorder.make({ client, via: random.below(site.bases.length), user: 'admin', family, key: key(), action });
  }

  const half = performance.now() + ms / 2;
  let isSlow = false;
  while (performance.now() < until) {
    // A slow storage widens the gap between reading a record and reading its secret.
    if (!isSlow && performance.now() > half) {
      isSlow = true;
      for (const via of site.bases.keys()) await site.faults({ passwords: `slow:${SLOW_MS}` }, via);
    }
    generation += 1;
    calls = 0;
    await act('w0', 'write', true);
    const turn = () => performance.now() < until && calls < CALLS_A_NAME;
    const run = async (client: string, kind: 'write' | 'test') => {
      while (turn()) await act(client, kind);
    };
    await Promise.all([
      ...Array.from({ length: WRITERS }, (_, index) => run(`w${index + 1}`, 'write')),
      ...Array.from({ length: TESTERS }, (_, index) => run(`t${index + 1}`, 'test')),
    ]);
  }
  for (const via of site.bases.keys()) await site.faults({ passwords: 'ok' }, via);
  const meetings = hosts.hosts.flatMap((host) => host.arrivals.slice(before.get(host))).filter(({ secret }) => secret);
  const { findings } = check(PEOPLE, recorder.events, meetings);
  const bugs = recorder.bugs.map((text) => ({ what: `an answer that is not in the contract: ${text}`, story: [] }));
  return { findings: [...findings, ...bugs], met: meetings.length };
}
