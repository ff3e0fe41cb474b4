import { expect } from 'chai';
import type { Secrets } from '../../../src/domain/secrets/secrets.ts';
import { type FaultMode, FaultPlan } from '../../support/memory/faults.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';
import { COLLECTION, change, thing, things } from './things.ts';

type Sealed = ReturnType<typeof things>;
/** What a reader sees: the record's mark and its secrets; undefined when there is no record. */
type State = { mark: string | undefined; secrets: Secrets } | undefined;

interface Operation {
  before: State;
  after: State;
  run(sealed: Sealed): Promise<unknown>;
}

const OLD: State = { mark: 'old', secrets: { token: 'old-token', refresh: 'old-refresh' } };
const BARE: State = { mark: 'old', secrets: {} };
const anyone = { condition: undefined, guard: () => undefined };

const OPERATIONS: Record<string, Operation> = {
  'create with secrets': {
    before: undefined,
    after: { mark: 'new', secrets: { token: 'new-token' } },
    run: (sealed) => sealed.create(thing('a', 'new'), { token: 'new-token' }, 'ann'),
  },
  'create without secrets': {
    before: undefined,
    after: { mark: 'new', secrets: {} },
    run: (sealed) => sealed.create(thing('a', 'new'), {}, 'ann'),
  },
  'update of a field': {
    before: OLD,
    after: { mark: 'new', secrets: { token: 'old-token', refresh: 'old-refresh' } },
    run: (sealed) => sealed.update('a', change({ mark: 'new' })),
  },
  'update of one secret': {
    before: OLD,
    after: { mark: 'new', secrets: { token: 'new-token', refresh: 'old-refresh' } },
    run: (sealed) => sealed.update('a', change({ mark: 'new' }, { token: 'new-token' })),
  },
  'removal of all secrets': {
    before: OLD,
    after: { mark: 'new', secrets: {} },
    run: (sealed) => sealed.update('a', change({ mark: 'new' }, { token: null, refresh: null })),
  },
  'first secrets of a record': {
    before: BARE,
    after: { mark: 'new', secrets: { token: 'new-token' } },
    run: (sealed) => sealed.update('a', change({ mark: 'new' }, { token: 'new-token' })),
  },
  'token refresh': {
    before: OLD,
    after: { mark: 'refreshed', secrets: { token: 'new-token', refresh: 'new-refresh' } },
    run: (sealed) =>
      sealed.amend('a', async () => ({
        open: { mark: 'refreshed' },
        secrets: { token: 'new-token', refresh: 'new-refresh' },
      })),
  },
  'delete with secrets': { before: OLD, after: undefined, run: (sealed) => sealed.remove('a', anyone) },
  'delete without secrets': { before: BARE, after: undefined, run: (sealed) => sealed.remove('a', anyone) },
};

async function read(site: MemoryPlatform): Promise<State> {
  const sealed = things(site.process());
  const [record] = await sealed.find({ query: { _key: 'a' } });
  return record && { mark: record.mark, secrets: (await sealed.unseal(record)).secrets };
}

/** Any write of the family by a process in good health sweeps: here an update and a create of other records. */
const update = async (site: MemoryPlatform) => {
  await things(site.process()).update('other', change({ mark: 'new' }, { token: 'new' }));
  await site.afterReplies();
};
const create = async (site: MemoryPlatform) => {
  await things(site.process()).create(thing('third'), { token: 'third' }, 'ann');
  await site.afterReplies();
};

async function prepared(operation: Operation): Promise<MemoryPlatform> {
  const site = new MemoryPlatform();
  const sealed = things(site.process());
  await sealed.create(thing('other'), { token: 'other' }, 'ann');
  if (operation.before) await sealed.create(thing('a'), { ...operation.before.secrets }, 'ann');
  return site;
}

async function check(
  operation: Operation,
  at: number,
  mode: FaultMode,
  writeAnother = at % 2 ? update : create,
): Promise<FaultPlan> {
  const site = await prepared(operation);
  const faults = new FaultPlan(at, mode);
  const [result] = await Promise.allSettled([operation.run(things(site.process(faults)))]);
  await site.afterReplies();
  const where = `${mode} at call ${at} (${faults.trace.slice(0, at).join(', ')})`;

  const state = await read(site);
  expect([operation.before, operation.after], where).to.deep.include(state);
  if (result?.status === 'fulfilled') expect(state, `${where}, reported as done`).to.deep.equal(operation.after);

  const left = site.orphans(COLLECTION);
  site.clock.advance(59_000);
  await update(site);
  expect(site.orphans(COLLECTION), `${where}: younger than 60 s`).to.deep.equal(left);

  site.clock.advance(1_100);
  await writeAnother(site);
  expect(site.orphans(COLLECTION), `${where}: left over`).to.deep.equal([]);
  expect(site.records.all('ml_journal'), `${where}: journal`).to.deep.equal([]);
  expect(await read(site), `${where}: after sweeping`).to.deep.equal(state);

  // The lease of the dead has run out: the record can be written as ever, and nothing of it stays behind.
  const sealed = things(site.process());
  if (state) await sealed.update('a', change({ mark: 'again' }, { token: 'again' }));
  else await sealed.create(thing('a', 'again'), { token: 'again' }, 'ann');
  expect((await read(site))?.mark).to.equal('again');
  await sealed.remove('a', anyone);
  expect(site.records.all('ml_leases'), `${where}: leases`).to.deep.equal([]);
  expect(site.secrets.values.size, `${where}: secrets`).to.equal(site.records.all(COLLECTION).length);
  return faults;
}

describe('sealed records, when a call to the stores goes wrong', () => {
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    for (const mode of ['crash', 'refused', 'lost'] as const) {
      it(`${name}: ${mode} at every call`, async () => {
        let points = 0;
        for (;;) {
          const faults = await check(operation, points + 1, mode);
          if (faults.calls <= points) break;
          points += 1;
          expect(points).to.be.lessThan(100);
        }
        // As many as the operation makes: fewer would mean that the loop tested nothing.
        const whole = new FaultPlan();
        await operation.run(things((await prepared(operation)).process(whole)));
        expect(points).to.be.at.least(whole.calls);
        expect(points).to.be.at.least(3);
      });
    }
  }
});
