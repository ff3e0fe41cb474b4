import { expect } from 'chai';
import { AGENT_STATES, RUNTIME_TYPES } from '../../src/contract/agents.ts';
import type { Caller } from '../../src/contract/caller.ts';
import type { Acl } from '../../src/contract/common.ts';
import { recordKey } from '../../src/domain/keys.ts';
import type { Listed } from '../../src/domain/listFields.ts';
import type { ListQueryValues } from '../../src/domain/lists.ts';
import type { SealSpec } from '../../src/domain/sealed.ts';
import { SlimRows } from '../../src/domain/slimRows.ts';
import { SORT_KEYS as AGENT_SORT_KEYS, LISTED as AGENTS_LISTED, agentSpec } from '../../src/families/agents/records.ts';
import { CONNECTIONS, LISTED as CONNECTIONS_LISTED } from '../../src/families/containers/connections/records.ts';
import { CONNECTION_SORT_KEYS } from '../../src/families/containers/connections/sortKeys.ts';
import {
  MCP_CONNECTIONS,
  LISTED as MCP_LISTED,
  SORT_KEYS as MCP_SORT_KEYS,
} from '../../src/families/mcp-connections/records.ts';
import {
  SORT_KEYS as STORE_SORT_KEYS,
  LISTED as STORES_LISTED,
  VECTOR_STORES,
} from '../../src/families/vector-stores/records.ts';
import type { Query } from '../../src/ports/recordStore.ts';
import { type Access, BY_GATE, BY_LIST } from '../../src/resources/access.ts';
import { type Resource, ResourceRecords } from '../../src/resources/records.ts';
import { type FaultMode, FaultPlan } from '../support/memory/faults.ts';
import { caller, MemoryPlatform } from '../support/memory/platform.ts';
import { Random } from '../support/random.ts';

type Stored = { _key: string } & Record<string, unknown>;

interface Family {
  name: string;
  collection: string;
  spec: SealSpec<Resource>;
  access: Access<Resource>;
  /** The field that names a record. */
  nameField: string;
  sortKeys: readonly string[];
  /** What a record has beside name, metadata and access list. */
  more(random: Random): Record<string, unknown>;
  keyOf(name: string, more: Record<string, unknown>): string;
  /** Which of them a list is about. */
  about?(random: Random): Query | undefined;
}

interface Own extends Omit<Family, 'spec' | 'access'> {
  listed: Listed;
}
const family = ({ listed, ...own }: Own, access: object): Family => ({
  ...own,
  spec: {
    family: 'listed',
    label: 'record',
    collection: own.collection,
    addresses: () => ({}),
    audited: () => ({}),
    listed,
  },
  access: access as Access<Resource>,
});

const FAMILIES: Family[] = [
  family(
    {
      name: 'MCP connections',
      collection: MCP_CONNECTIONS,
      listed: MCP_LISTED,
      nameField: 'name',
      sortKeys: MCP_SORT_KEYS,
      keyOf: recordKey,
      more: (random) => ({
        type: random.pick(['PLATFORM', 'ISSUE_TRACKER']),
        auth_state: random.pick(['ok', 'unknown', 'reauth_required']),
      }),
    },
    BY_LIST,
  ),
  family(
    {
      name: 'vector stores',
      collection: VECTOR_STORES,
      listed: STORES_LISTED,
      nameField: 'name',
      sortKeys: STORE_SORT_KEYS,
      keyOf: recordKey,
      more: () => ({ type: 'CLOUD_KB' }),
    },
    BY_LIST,
  ),
  family(
    {
      name: 'agents',
      collection: agentSpec.collection,
      listed: AGENTS_LISTED,
      nameField: 'name',
      sortKeys: AGENT_SORT_KEYS,
      keyOf: recordKey,
      more: (random) => ({ state: random.pick(AGENT_STATES), runtime_type: random.pick(RUNTIME_TYPES) }),
    },
    BY_LIST,
  ),
  family(
    {
      name: 'container connections',
      collection: CONNECTIONS,
      listed: CONNECTIONS_LISTED,
      nameField: 'connection_name',
      sortKeys: CONNECTION_SORT_KEYS,
      // Names are unique within a type.
      keyOf: (name, { container_type }) => `${container_type}.${recordKey(name)}`,
      more: (random) => ({ container_type: random.pick(['docker', 'kubernetes']) }),
      about: (random) => random.pick([undefined, { container_type: 'docker' }, { container_type: 'kubernetes' }]),
    },
    BY_GATE,
  ),
];

const ROLES = ['user', 'power', 'analyst', '*', '-', '--'];
const USERS = ['ann', 'Ben', 'cléo'];
const CALLERS = [
  caller('ann', { roles: ['user'] }),
  caller('Ben', { roles: ['analyst', '-'] }),
  caller('cléo', { roles: [] }),
  caller('dan', { roles: ['power', 'user'] }),
  caller('root', { roles: ['admin'], capabilities: ['admin_all_objects'] }),
];

const some = <T>(random: Random, all: readonly T[]): T[] => all.filter(() => random.chance(0.25));

const aclOf = (random: Random): Acl => ({
  owner: random.pick(USERS),
  sharing: random.pick(['user', 'app', 'global'] as const),
  perms: { read: some(random, ROLES), write: some(random, ROLES) },
});

/** Names of any case, with everything that a name may have. */
const nameOf = (random: Random, index: number): string => {
  const head = random.pick(['A', 'b', 'C', '9', 'Z', 'prod-', 'Prod_', 'x@', 'x(', 'm+']);
  return `${head}${random.pick(['', ' ', '.', 'QA', 'qa'])}${(index * 7919) % 290}`;
};

for (const family of FAMILIES) {
  describe(`lists of ${family.name}, by the store`, () => {
    const hasAcl = family.access.fields.length > 0;
    const { listed: _, ...unlisted } = family.spec;

    /** What a process keeps, of each site. */
    const kept = new WeakMap<MemoryPlatform, SlimRows>();
    const open = (site: MemoryPlatform, faults?: FaultPlan) => {
      const rows = kept.get(site) ?? new SlimRows();
      kept.set(site, rows);
      return new ResourceRecords<Resource>(family.spec, family.access, { ...site.process(faults), rows });
    };
    /** As lists were answered before there were fields for it: all records are read. */
    const reading = (site: MemoryPlatform) =>
      new ResourceRecords<Resource>(unlisted as SealSpec<Resource>, family.access, site.process());
    const page = async (records: ResourceRecords<Resource>, who: Caller, asked: ListQueryValues, about?: Query) => {
      const listing = { keys: family.sortKeys, name: family.nameField, query: about };
      const { records: found, pagination } = await records.page(who, asked, listing);
      return { keys: found.map(({ _key }) => _key), pagination };
    };
    const docs = (site: MemoryPlatform) => site.records.collection(family.collection);
    const docOf = (site: MemoryPlatform, key: string) => JSON.parse(docs(site).get(key) ?? '{}') as Stored;

    async function filled(seed: number, count: number): Promise<{ site: MemoryPlatform; random: Random }> {
      const site = new MemoryPlatform();
      const random = new Random(seed);
      const records = open(site);
      for (let index = 0; index < count; index += 1) {
        site.clock.advance(random.pick([0, 0, 7, 1000]));
        const name = nameOf(random, index);
        const more = family.more(random);
        if (docs(site).has(family.keyOf(name, more))) continue;
        const own = { _key: family.keyOf(name, more), [family.nameField]: name, ...more };
        const description = random.pick(['', 'Text', 'more text', 'QA']);
        const record = { ...own, description, ...(hasAcl ? { acl: aclOf(random) } : {}) };
        await records.sealed.create(record as never, {}, random.pick(USERS));
      }
      return { site, random };
    }

    /** What a change by 0.2.0 leaves: its own fields new, list fields as they were, no form. */
    function changedBy020(site: MemoryPlatform, random: Random, key: string): void {
      const { form: _form, ...doc } = docOf(site, key);
      const version = Number(doc.version) + 1;
      const changed = { version, last_updated_at: site.clock.now() / 1000, description: 'by an older app' };
      docs(site).set(key, JSON.stringify({ ...doc, ...changed, ...(hasAcl ? { acl: aclOf(random) } : {}) }));
    }

    /** What a creation by an older app leaves. */
    function createdBy020(site: MemoryPlatform, key: string): void {
      const { form: _form, list_name, list_owner, list_audience, ...doc } = docOf(site, key);
      docs(site).set(key, JSON.stringify(doc));
    }

    const older = (site: MemoryPlatform) => site.records.all(family.collection).filter(({ form }) => form !== 1);

    async function assertSame(site: MemoryPlatform, random: Random, rounds: number): Promise<void> {
      for (let round = 0; round < rounds; round += 1) {
        const query: ListQueryValues = {
          ...(random.chance(0.8) ? { sort_key: random.pick(family.sortKeys) } : {}),
          ...(random.chance(0.7) ? { sort_dir: random.pick(['asc', 'desc'] as const) } : {}),
          ...(random.chance(0.7) ? { count: random.pick([0, 1, 7, 30, 1000]) } : {}),
          ...(random.chance(0.5) ? { offset: random.pick([0, 5, 50, 290, 400]) } : {}),
          ...(random.chance(0.3) ? { search: random.pick(['qa', ' TEXT', 'prod', 'nowhere', '  ']) } : {}),
        };
        const who = random.pick(CALLERS);
        const about = family.about?.(random);
        const asked = `${who.user} ${JSON.stringify({ query, about })}`;
        // The other one writes nothing: what it reads is what the first has read.
        const expected = await page(reading(site), who, query, about);
        expect(await page(open(site), who, query, about), asked).to.deep.equal(expected);
      }
    }

    it('are those that reading all records gives, whoever asks, however sorted, cut and searched', async () => {
      const { site, random } = await filled(18, 300);
      expect(older(site)).to.deep.equal([]);
      await assertSame(site, random, 100);
    });

    it('are the same while older apps write, and records get their fields again', async () => {
      const { site, random } = await filled(19, 260);
      const keys = [...docs(site).keys()];
      for (let round = 0; round < 40; round += 1) {
        for (const key of some(random, keys.slice(0, 20))) changedBy020(site, random, key);
        createdBy020(site, random.pick(keys));
        await assertSame(site, random, 2);
      }
      for (let round = 0; older(site).length > 0; round += 1) {
        expect(round, 'lists until all records have their fields').to.be.below(20);
        await page(open(site), random.pick(CALLERS), {});
      }
      await assertSame(site, random, 50);
    });

    it('give a record nothing but its fields: neither version nor times change', async () => {
      const { site } = await filled(20, 5);
      const [key = ''] = docs(site).keys();
      const before = docOf(site, key);
      createdBy020(site, key);
      await page(open(site), CALLERS[0] as Caller, {});
      expect(docOf(site, key)).to.deep.equal(before);
      expect(site.records.all('ml_leases')).to.deep.equal([]);
    });

    it('read a page, a total and whether an older or a newer app has written, however many there are', async () => {
      const { site } = await filled(21, 300);
      const faults = new FaultPlan();
      await page(open(site, faults), CALLERS[0] as Caller, {});
      const find = `find ${family.collection}`;
      expect(faults.trace).to.have.members([find, `count ${family.collection}`, find, find]);
    });

    it('take a bounded step at a time', async () => {
      const { site } = await filled(22, 300);
      for (const key of docs(site).keys()) createdBy020(site, key);
      const { clock } = site;
      const records = site.process();
      // Every write takes 20 ms.
      const replace: typeof records.records.replace = async (...call) => {
        clock.advance(20);
        return site.process().records.replace(...call);
      };
      const slow = { ...records, records: Object.assign(records.records, { replace }) };
      const lists = new ResourceRecords<Resource>(family.spec, family.access, slow);
      const done: number[] = [];
      while (older(site).length > 0) {
        const before = older(site).length;
        await page(lists, CALLERS[4] as Caller, {});
        done.push(before - older(site).length);
        expect(done.length).to.be.below(100);
      }
      expect(Math.max(...done)).to.be.below(60);
    });

    for (const mode of ['crash', 'refused', 'lost'] as FaultMode[]) {
      it(`${mode} at any call: a list is whole or fails, and records get their fields`, async () => {
        const broken = async () => {
          const { site, random } = await filled(23, 12);
          for (const key of [...docs(site).keys()].slice(0, 3)) changedBy020(site, random, key);
          return site;
        };
        const who = CALLERS[1] as Caller;
        const counting = new FaultPlan();
        await page(open(await broken(), counting), who, {});
        expect(counting.calls).to.be.greaterThan(10);
        for (let at = 1; at <= counting.calls; at += 1) {
          const site = await broken();
          const expected = await page(reading(site), who, {});
          const where = `${mode} at ${at}: ${counting.trace[at - 1]}`;
          const answer = await page(open(site, new FaultPlan(at, mode)), who, {}).catch(() => undefined);
          if (answer) expect(answer, where).to.deep.equal(expected);
          expect(await page(open(site), who, {}), where).to.deep.equal(expected);
          for (let round = 0; older(site).length > 0; round += 1) {
            expect(round, where).to.be.below(20);
            site.clock.advance(20_000);
            await page(open(site), who, {});
          }
          expect(await page(open(site), who, {}), where).to.deep.equal(expected);
        }
      });
    }

    /** As somebody leaves them who copies a document in the store under other names: today's form, and the fields of the other. */
    const copiedFrom = (site: MemoryPlatform, template: string | undefined, keys: readonly string[]) => {
      const { nameField } = family;
      const original = docOf(site, template ?? '');
      for (const key of keys)
        docs(site).set(key, JSON.stringify({ ...original, _key: key, [nameField]: docOf(site, key)[nameField] }));
    };
    const shownRight = async (site: MemoryPlatform, random: Random) => {
      for (const query of [{}, { count: 5 }, { count: 5, offset: 40 }, { sort_dir: 'desc' as const, count: 7 }]) {
        const who = random.pick(CALLERS);
        expect(await page(open(site), who, query)).to.deep.equal(await page(reading(site), who, query));
      }
    };

    it('are right with many copies in the store, which are left as they are', async () => {
      const { site, random } = await filled(25, 60);
      const [template, ...copies] = docs(site).keys();
      copiedFrom(site, template, copies);
      const before = copies.map((key) => docs(site).get(key));
      for (let round = 0; round < 10; round += 1) await shownRight(site, random);
      expect(copies.map((key) => docs(site).get(key))).to.deep.equal(before);
    });

    it('put a few right, wherever they are, with the first page that shows one', async () => {
      const { site, random } = await filled(26, 60);
      const keys = [...docs(site).keys()];
      const copies = keys.slice(10, 30);
      copiedFrom(site, keys[0], copies);
      await page(open(site), CALLERS[4] as Caller, { count: 0 });
      for (const doc of copies.map((key) => docOf(site, key)))
        expect(doc.list_name).to.equal(String(doc[family.nameField]).toLowerCase());
      await shownRight(site, random);
    });

    if (hasAcl) {
      it('are those of whoever may not read what no app has written', async () => {
        const { site } = await filled(25, 300);
        const acl = { owner: 'somebody', sharing: 'user', perms: { read: [], write: [] } };
        const who = CALLERS[3] as Caller;
        const asked = { search: 'qa' };
        const expected = await page(open(site), who, asked);
        docs(site).set('foreign', JSON.stringify({ _key: 'foreign', acl, form: 1 }));
        for (const _ of [1, 2]) expect(await page(open(site), who, asked)).to.deep.equal(expected);
      });

      it('show nobody what a wrong field would let them see, and put it right', async () => {
        const { site } = await filled(24, 10);
        const [key = ''] = docs(site).keys();
        const acl = { owner: 'somebody', sharing: 'app', perms: { read: ['admin'], write: [] } };
        // Not even an older app does this.
        docs(site).set(key, JSON.stringify({ ...docOf(site, key), acl, list_audience: ['*'] }));
        const expected = await page(reading(site), CALLERS[3] as Caller, {});
        expect(expected.keys).to.not.include(key);
        expect(await page(open(site), CALLERS[3] as Caller, {})).to.deep.equal(expected);
        expect(docOf(site, key).list_audience).to.deep.equal(['admin']);
      });
    }
  });
}
