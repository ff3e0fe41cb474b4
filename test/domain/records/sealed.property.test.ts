import { expect } from 'chai';
import fc from 'fast-check';
import { Fault } from '../../../src/contract/codes/faults.ts';
import type { SubmittedSecrets } from '../../../src/domain/secrets/secrets.ts';
import { Crashed, FaultPlan } from '../../support/memory/faults.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';
import { holdsAsync } from '../../support/property.ts';
import { COLLECTION, change, type Thing, thing, things } from './things.ts';

const HOSTS = ['https://a.example', 'https://b.example'];
const MINUTE = 61_000;

interface Step {
  kind: 'create' | 'update' | 'move' | 'remove' | 'refresh';
  host: number;
  /** The call to the stores that fails, and how. */
  at: number;
  mode: 'crash' | 'refused' | 'lost' | 'none';
}
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('create', 'update', 'update', 'move', 'move', 'remove', 'refresh'),
  host: fc.nat(1),
  at: fc.integer({ min: 1, max: 14 }),
  mode: fc.constantFrom('none', 'none', 'crash', 'refused', 'lost'),
});

/** A secret that names the host that it is for. */
const keyFor = (host: number, index: number) => `key-for-${HOSTS[host]}-${index}`;

function perform(site: MemoryPlatform, { kind, host, at, mode }: Step, index: number): Promise<unknown> {
  const plan = mode === 'none' ? new FaultPlan() : new FaultPlan(at, mode);
  const sealed = things(site.process(plan));
  const given: SubmittedSecrets = { token: keyFor(host, index) };
  const url = HOSTS[host] as string;
  switch (kind) {
    case 'create':
      return sealed.create({ ...thing('a', `m${index}`), url }, given, 'ann');
    case 'update':
      return sealed.update('a', change({ mark: `m${index}` }));
    case 'move':
      return sealed.update('a', change({ mark: `m${index}`, url }, given));
    case 'remove':
      return sealed.remove('a', { condition: undefined, guard: () => undefined });
    default:
      return sealed.amend('a', async (record) => ({
        open: {},
        secrets: { token: keyFor(HOSTS.indexOf(record.url), index) },
      }));
  }
}

/** Nothing but a fault of the stores, the crash itself, or a refusal that is due. */
function assertExplained(error: unknown): void {
  if (error instanceof Crashed) return;
  expect(error).to.be.instanceOf(Fault);
  expect((error as Fault).code).to.be.oneOf(['store_unavailable', 'not_found', 'duplicate_name']);
}

async function whole(site: MemoryPlatform): Promise<Thing | undefined> {
  const sealed = things(site.process());
  const [record] = (await sealed.find({ query: { _key: 'a' } })) as Thing[];
  if (!record) return undefined;
  const { record: same, secrets } = await sealed.unseal(record);
  expect(Object.keys(secrets)).to.deep.equal(same.secret_fields);
  for (const secret of Object.values(secrets)) expect(secret).to.contain(`key-for-${same.url}-`);
  return same;
}

/** The address and the secret as a test of the connection would use them. */
async function read(site: MemoryPlatform, turns: number): Promise<{ url: string; secret: string } | undefined> {
  const sealed = things(site.process());
  try {
    const seen = await sealed.get('a');
    // A slow reader: others get so many turns between its two looks.
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    const { record, secrets } = await sealed.unseal(seen);
    return { url: record.url, secret: secrets.token ?? '' };
  } catch (error) {
    expect((error as Fault).code).to.equal('not_found');
    return undefined;
  }
}

describe('sealed records, for any calls and any failures of the stores', () => {
  it('a record and its secret are always of one state, versions never go back, and nothing is left over', async () => {
    await holdsAsync(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
        const site = new MemoryPlatform();
        let version = 0;
        for (const [index, one] of steps.entries()) {
          const [result] = await Promise.allSettled([perform(site, one, index)]);
          await site.afterReplies();
          if (result.status === 'rejected') assertExplained(result.reason);
          const record = await whole(site);
          if (one.kind !== 'remove' && one.kind !== 'create')
            expect(record?.version ?? version).to.be.at.least(version);
          version = record?.version ?? 0;
        }
        site.clock.advance(MINUTE);
        await things(site.process()).create(thing('sweeper'), { token: 'x' }, 'ann');
        await site.afterReplies();
        expect(site.orphans(COLLECTION)).to.deep.equal([]);
        expect(site.records.all('ml_journal')).to.deep.equal([]);
        await whole(site);
      }),
      120,
    );
  });

  it('each of several concurrent calls takes effect once or fails', async () => {
    await holdsAsync(
      fc.asyncProperty(
        fc.array(fc.nat(1), { minLength: 2, maxLength: 6 }),
        fc.boolean(),
        fc.nat(40),
        async (hosts, withRemove, turns) => {
          const site = new MemoryPlatform();
          await things(site.process()).create(thing('a'), { token: keyFor(0, 0) }, 'ann');
          const moves = hosts.map((host, index) => perform(site, { kind: 'move', host, at: 0, mode: 'none' }, index));
          if (withRemove) moves.push(perform(site, { kind: 'remove', host: 0, at: 0, mode: 'none' }, 99));
          const readers = hosts.map((_, index) => read(site, turns * (index + 1)));
          const results = await Promise.allSettled(moves);
          // Who reads meanwhile has the address and the secret of one moment.
          for (const reading of await Promise.all(readers)) {
            if (reading) expect(reading.secret).to.contain(`key-for-${reading.url}-`);
          }
          for (const result of results) if (result.status === 'rejected') assertExplained(result.reason);
          const record = await whole(site);
          if (withRemove) expect(record).to.equal(undefined);
          else {
            const done = results.filter(({ status }) => status === 'fulfilled').length;
            expect(record?.version).to.equal(1 + done);
          }
          expect(site.orphans(COLLECTION)).to.deep.equal([]);
        },
      ),
      60,
    );
  });
});
