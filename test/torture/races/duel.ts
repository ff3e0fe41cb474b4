import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../support/random.ts';
import type { Family, Hosts } from '../histories/family.ts';
import { Recorder } from '../histories/recorder.ts';
import { check, type Finding } from '../history/checker.ts';
import type { Action } from '../history/events.ts';
import { PEOPLE, type Site } from '../site/site.ts';

const CALLS_A_NAME = 60;
const SLOW_MS = 60;
/** How long the store is slow, and then quick, before it changes again. */
const FLICKER_MS = 20;
/** Of the time; the rest is for races that speed makes. */
const SLOW_PART = 0.7;

export interface Duellists {
  writers: number;
  testers: number;
  /** The store whose calls take now long, now short, for most of the time. */
  slow: 'kvstore' | 'passwords';
}
/** Two who write and many who look. */
const USUAL: Duellists = { writers: 2, testers: 6, slow: 'passwords' };

export interface Duel {
  findings: Finding[];
  met: number;
}

/** Writers that carry one connection back and forth between two hosts, each with its own key, while others test it. */
export async function duel(
  site: Site,
  family: Family,
  hosts: Hosts,
  seed: number,
  ms: number,
  { writers, testers, slow } = USUAL,
): Promise<Duel> {
  const random = new Random(seed);
  const recorder = new Recorder(site, hosts);
  const until = performance.now() + ms;
  const before = new Map(hosts.hosts.map((host) => [host, host.arrivals.length]));
  let [serial, calls, generation, writes] = [0, 0, 0, 0];
  const key = () => `duel-${family.name}-${seed}-${generation}`;

  async function act(client: string, kind: 'write' | 'test', first = false): Promise<void> {
    serial += 1;
    calls += 1;
    // Back and forth: every second write goes to the other host.
    if (kind === 'write') writes += 1;
    const host = hosts.hosts[writes % 2]?.name ?? '';
    const fields = { mark: `m${serial}`, host, secret: `key-for-${host}-d${serial}` };
    const acl = { sharing: 'user', read: [], write: [] } as const;
    const writing = family.writes === 'save' ? 'save' : first ? 'create' : 'update';
    const action: Action =
      kind === 'test' ? { kind } : { kind: writing, fields: { ...fields, ...(family.hasAcl ? { acl } : {}) } };
    await recorder.make({ client, via: random.below(site.bases.length), user: 'admin', family, key: key(), action });
  }

  // What one reads slowly another has changed quickly: a store that is slow for all of them keeps all calls in step, and
  // nothing comes between reading a record and reading its secret, or writing it again.
  const slowUntil = performance.now() + ms * SLOW_PART;
  const setStore = async (mode: string) => {
    for (const via of site.bases.keys()) await site.faults({ [slow]: mode }, via);
  };
  const flicker = async () => {
    while (performance.now() < slowUntil) {
      await setStore(`slow:${SLOW_MS}`);
      await sleep(FLICKER_MS);
      await setStore('ok');
      await sleep(FLICKER_MS);
    }
  };
  const flickering = flicker();
  while (performance.now() < until) {
    generation += 1;
    calls = 0;
    await act('w0', 'write', true);
    const turn = () => performance.now() < until && calls < CALLS_A_NAME;
    const run = async (client: string, kind: 'write' | 'test') => {
      while (turn()) await act(client, kind);
    };
    await Promise.all([
      ...Array.from({ length: writers }, (_, index) => run(`w${index + 1}`, 'write')),
      ...Array.from({ length: testers }, (_, index) => run(`t${index + 1}`, 'test')),
    ]);
  }
  await flickering;
  await setStore('ok');
  const meetings = hosts.hosts.flatMap((host) => host.arrivals.slice(before.get(host))).filter(({ secret }) => secret);
  const { findings } = check(PEOPLE, recorder.events, meetings);
  const bugs = recorder.bugs.map((text) => ({ what: `an answer that is not in the contract: ${text}`, story: [] }));
  return { findings: [...findings, ...bugs], met: meetings.length };
}
