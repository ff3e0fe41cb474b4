import type { People } from './access.ts';
import { type Event, isWrite } from './events.ts';
import { linearize } from './linearize.ts';
import { show, showEvent } from './show.ts';

/** A request that a recording host got with a secret. */
export interface Meeting {
  host: string;
  secret: string;
  at: number;
}

export interface Finding {
  what: string;
  story: string[];
}

export interface Checked {
  findings: Finding[];
  records: number;
  events: number;
  unknown: number;
  undecided: number;
}

/** Every promise of the contract that a history can break. */
export function check(people: People, history: readonly Event[], meetings: readonly Meeting[]): Checked {
  const byRecord = Map.groupBy(history, ({ family, key }) => `${family} ${key}`);
  const findings: Finding[] = [];
  let undecided = 0;
  for (const [record, events] of byRecord) {
    const verdict = linearize(people, events);
    if (verdict === 'undecided') undecided += 1;
    if (verdict !== 'impossible') continue;
    const story = show(upToContradiction(people, events));
    findings.push({ what: `the answers about ${record} contradict one another`, story });
  }
  findings.push(...misled(history, meetings));
  return {
    findings,
    records: byRecord.size,
    events: history.length,
    unknown: history.filter(({ outcome }) => outcome.kind === 'unknown').length,
    undecided,
  };
}

/** The events up to the first answer that cannot be; calls that were under way then have an unknown outcome. */
function upToContradiction(people: People, history: readonly Event[]): Event[] {
  const ends = [...new Set(history.map(({ to }) => to).filter(Number.isFinite))].sort((a, b) => a - b);
  const upTo = (end = Number.POSITIVE_INFINITY): Event[] =>
    history.filter(({ from }) => from <= end).map((event) => (event.to <= end ? event : openEnded(event)));
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (linearize(people, upTo(ends[middle])) === 'impossible') high = middle;
    else low = middle + 1;
  }
  return upTo(ends[low]);
}

const openEnded = (event: Event): Event => ({
  ...event,
  to: Number.POSITIVE_INFINITY,
  outcome: { kind: 'unknown', because: 'not answered yet' },
});

/** Each secret meets only the host that it was given for, and none that was refused or not sent yet meets any. */
function misled(history: readonly Event[], meetings: readonly Meeting[]): Finding[] {
  const writes = new Map<string, Event>();
  for (const event of history) {
    const secret = 'fields' in event.action ? event.action.fields.secret : undefined;
    if (secret) writes.set(secret, event);
  }
  const findings = new Map<string, Finding>();
  for (const { host, secret, at } of meetings) {
    const write = writes.get(secret);
    const meant = write && 'fields' in write.action ? write.action.fields.host : undefined;
    const what =
      write === undefined
        ? `${host} met a secret that nobody sent: ${secret}`
        : meant !== undefined && meant !== host
          ? `${host} met ${secret}, which was given for ${meant}`
          : write.outcome.kind === 'fail'
            ? `${host} met ${secret}, whose write was refused`
            : at < write.from
              ? `${host} met ${secret} before it was sent`
              : undefined;
    if (what === undefined || findings.has(what)) continue;
    findings.set(what, { what, story: write ? around(history, write, at) : [] });
  }
  return [...findings.values()];
}

/** Writes and tests of the record at that moment or just before it. */
function around(history: readonly Event[], write: Event, at: number): string[] {
  const same = history.filter((event) => event.key === write.key && event.family === write.family);
  const writes = same.filter((event) => isWrite(event) && event.from <= at);
  const near = writes.filter((event) => event.to >= at - 50).concat(writes.sort((a, b) => a.from - b.from).slice(-3));
  const tests = same.filter(({ action, from, to }) => action.kind === 'test' && from <= at && to >= at);
  const events = [...new Set([write, ...near, ...tests])].sort((a, b) => a.from - b.from);
  const start = events[0]?.from ?? 0;
  return [...events.map((event) => showEvent(event, start)), `${((at - start) / 1000).toFixed(3)} the secret arrived`];
}
