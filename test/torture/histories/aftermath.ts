import type { Finding } from '../history/checker.ts';
import { isAnswer } from '../site/client.ts';
import type { Site } from '../site/site.ts';
import type { Family, Hosts } from './family.ts';

/** Age at which leftovers of dead writers may be swept. */
const GRACE_MS = 60_000;
/** Leftovers that one sweep, limited to a second, removes even on a busy machine. */
const MUCH = 10;
const COLLECTIONS: Record<string, string> = {
  mcp: 'ml_mcp_connections',
  llm: 'ml_llm_connections',
  vector: 'ml_vector_stores',
  container: 'ml_container_connections',
};

/** Writes a new record with a secret. */
async function writeOnce(site: Site, family: Family, hosts: Hosts, via: number): Promise<void> {
  const host = family.places(hosts)[0] ?? '';
  const key = `after-${family.name}-${via}-${Math.trunc(performance.now())}`;
  const fields = { mark: 'after', host, ...(host === '' ? {} : { secret: `key-for-${host}-after` }) };
  const kind = family.writes === 'save' ? 'save' : 'create';
  const reply = await site.ml(via, 'admin', family.call({ kind, fields }, key, hosts));
  if (!isAnswer(reply) || reply.status !== 200)
    throw new Error(`a write after all harm has ended failed: ${JSON.stringify(reply).slice(0, 400)}`);
}

/** Orphaned secrets, leases and journal entries. */
async function leftOver(site: Site): Promise<string[]> {
  const { platform } = site;
  const used = new Set<string>();
  const broken: string[] = [];
  const names = new Set(await platform.secretNames());
  for (const collection of Object.values(COLLECTIONS)) {
    for (const record of await platform.documents(collection)) {
      const ref = record.secret_ref as string | null;
      if (ref === null) continue;
      const [base = '', count = '0'] = ref.split('~');
      used.add(base);
      const parts = Array.from({ length: Number(count) }, (_, index) => `${base}.${index + 1}`);
      if (!parts.every((part) => names.has(part))) broken.push(`${collection}/${record._key}: its secret is not whole`);
    }
  }
  const refs = [...names]
    .filter((name) => /^[a-z-]+\.[0-9a-f-]{36}\.\d+$/.test(name))
    .map((name) => name.replace(/\.\d+$/, ''));
  const orphans = [...new Set(refs)].filter((ref) => !used.has(ref)).map((ref) => `password entry ${ref}`);
  // Watch documents of living hosts are no leases; there is at most one for each host.
  const isNote = ({ _key }: Record<string, unknown>) => String(_key).startsWith('remote_clocks.');
  const leases = await platform.documents('ml_leases');
  if (leases.filter(isNote).length > site.members) broken.push(`${leases.filter(isNote).length} notes of hosts`);
  const documents = async (collection: string) =>
    (await platform.documents(collection))
      .filter((doc) => !isNote(doc))
      .map((doc) => `${collection}/${doc._key} ${JSON.stringify(doc)}`);
  return [...broken, ...orphans, ...(await documents('ml_journal')), ...(await documents('ml_leases'))];
}

/**
 * After a minute of quiet and one write of each family nothing is left over; at no time is a secret half there. Where much is
 * left a write sweeps for a second and leaves the rest to the next: then each has to get somewhere.
 */
export async function aftermath(site: Site, families: readonly Family[], hosts: Hosts, quietSince: number) {
  const before = await leftOver(site);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, quietSince + GRACE_MS + 1500 - performance.now())));
  // A member sweeps only documents that it has seen.
  const sweep = async () => {
    for (const via of site.bases.keys()) for (const family of families) await writeOnce(site, family, hosts, via);
    return waitForSweeps(site);
  };
  let left = await sweep();
  let last = before.length > MUCH ? Number.POSITIVE_INFINITY : 0;
  while (left.length > 0 && left.length < last) {
    last = left.length;
    left = await sweep();
  }
  const what = `${left.length} things are left over after a minute of quiet and one write of each family`;
  return { finding: findingOf(left, what), atOnce: before.length, left: left.length };
}

/** A sweep runs after the reply of its write, and replication to the other members takes a while. */
async function waitForSweeps(site: Site): Promise<string[]> {
  let left = await leftOver(site);
  for (let tries = 0; left.length > 0 && tries < 10; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    left = await leftOver(site);
  }
  return left;
}

function findingOf(lines: string[], what: string): Finding | undefined {
  return lines.length > 0 ? { what, story: lines.slice(0, 12) } : undefined;
}
