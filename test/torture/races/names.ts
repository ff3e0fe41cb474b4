import type { Family, Hosts } from '../histories/family.ts';
import type { Finding } from '../history/checker.ts';
import { isAnswer } from '../site/client.ts';
import type { Site } from '../site/site.ts';

const AT_ONCE = 32;

/** One name, 32 creates at once through every member: one winner, and it is wholly there. */
export async function raceForName(site: Site, family: Family, hosts: Hosts, round: number): Promise<Finding[]> {
  const key = `race-${family.name}-${round}`;
  const places = family.places(hosts);
  const calls = Array.from({ length: AT_ONCE }, (_, index) => {
    const host = places[index % places.length] ?? '';
    const fields = { mark: `m${index}`, host, secret: `key-for-${host}-r${round}-${index}` };
    const call = family.call({ kind: 'create', fields }, index % 2 ? key : key.toUpperCase(), hosts);
    return site.ml(index, 'admin', call);
  });
  const replies = await Promise.all(calls);
  const story = replies.map((reply, index) =>
    isAnswer(reply) ? `${index}: ${reply.status} ${reply.json?.error_code ?? ''}` : `${index}: ${reply.because}`,
  );
  const winners = replies.flatMap((reply, index) => (isAnswer(reply) && reply.status === 200 ? [index] : []));
  const losers = replies.filter((reply) => isAnswer(reply) && reply.json?.error_code === 'duplicate_name');
  const wrong = (what: string): Finding[] => [{ what: `${what}, of ${AT_ONCE} creates of ${key}`, story }];
  if (winners.length !== 1 || losers.length !== AT_ONCE - 1) {
    return wrong(`${winners.length} winners and ${losers.length} told that the name is taken`);
  }
  const read = await site.ml(round, 'admin', family.call({ kind: 'read' }, key, hosts));
  const mark = isAnswer(read) && read.status === 200 ? family.shown(read)?.mark : undefined;
  if (mark !== `m${winners[0]}`) return wrong(`the record shows ${mark}, the winner was m${winners[0]}`);
  await site.ml(round, 'admin', family.call({ kind: 'delete' }, key, hosts));
  return [];
}

/** One configuration saved by 32 at once: each has a version of its own. */
export async function raceToSave(site: Site, family: Family, hosts: Hosts, round: number): Promise<Finding[]> {
  const key = `race-${family.name}-${round}`;
  const places = family.places(hosts);
  const replies = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => {
      const host = places[index % places.length] ?? '';
      const fields = { mark: `m${index}`, host, secret: `key-for-${host}-r${round}-${index}` };
      return site.ml(index, 'admin', family.call({ kind: 'save', fields }, key, hosts));
    }),
  );
  const versions = replies.map((reply) =>
    isAnswer(reply) && reply.status === 200 ? family.shown(reply)?.version : -1,
  );
  await site.ml(round, 'admin', family.call({ kind: 'delete' }, key, hosts));
  const expected = Array.from({ length: AT_ONCE }, (_, index) => index + 1);
  const isWell = versions.toSorted((a, b) => Number(a) - Number(b)).join() === expected.join();
  const story = replies.map((reply) =>
    isAnswer(reply) ? `${reply.status} ${reply.text.slice(0, 150)}` : reply.because,
  );
  return isWell ? [] : [{ what: `${AT_ONCE} saves at once gave versions ${versions.join(', ')}`, story }];
}
