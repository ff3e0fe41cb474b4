import { expect } from 'chai';
import { Fault } from '../../../src/contract/codes/faults.ts';
import type { InternalCalls } from '../../../src/contract/rows/internalCalls.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { NO_AUDIT } from '../../../src/domain/audit/audit.ts';
import { apply } from '../../../src/families/configuration/apply.ts';
import type { PlannedEntry } from '../../../src/families/configuration/planned.ts';
import { ManualClock } from '../../support/memory/clock.ts';

const planned = (name: string): PlannedEntry => ({
  result: { family: 'agents', name, action: 'create', changed: [], missing_secrets: [], problems: [] },
  request: { id: 'createAgent', call: { body: { name } } },
});

describe('applying a plan', () => {
  it('does not wait for a record that is unfinished at the deadline, and starts no other', async () => {
    const performed: unknown[] = [];
    const calls = {
      perform: async (_id, { body }) => {
        performed.push(body?.name);
        if (body?.name === 'quick') return { warnings: ['a warning'] };
        if (body?.name === 'refused') throw new Fault('upstream_error', 'The cloud said no');
        return new Promise<never>(() => {});
      },
    } as Pick<InternalCalls, 'perform'> as InternalCalls;
    const all = ['quick', 'refused', 'endless', 'never begun'].map(planned);
    const warnings: string[] = [];
    // Its end comes by the timer; until then there seems to be time enough.
    using deadline = startDeadline(100);
    const long = { signal: deadline.signal, remaining: () => (deadline.signal.aborted ? 0 : 25_000) };
    await apply(all, { calls, clock: new ManualClock(), audit: NO_AUDIT }, long, warnings);
    expect(performed).to.deep.equal(['quick', 'refused', 'endless']);
    expect(all.map(({ result }) => result.outcome)).to.deep.equal(['done', 'failed', 'not_reached', 'not_reached']);
    expect(all[1]?.result).to.deep.include({
      error_code: 'upstream_error',
      problems: [{ field: '$record', message: 'The cloud said no', error_code: 'upstream_error' }],
    });
    expect(all[2]?.result.problems[0]?.message).to.contain('not finished in time');
    expect(all[3]?.result.problems).to.deep.equal([]);
    expect(warnings).to.deep.equal(['agents/quick: a warning']);
  });
});
