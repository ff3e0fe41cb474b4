import { expect } from 'chai';
import { type OutboundCode, OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../src/domain/async/unmetered.ts';
import { inSlices, type SliceAnswer } from '../../../src/predictions/rows/slices.ts';
import { rejection } from '../../support/fault.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const answered = (slice: readonly number[]): SliceAnswer => ({
  kind: 'answered',
  values: slice.map((p) => ({ p })),
});
const refused = (message: string, code: OutboundCode = 'bad_request'): SliceAnswer => ({
  kind: 'refused',
  error: new OutboundError(code, message),
});
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('rows in slices', () => {
  let sent: (readonly number[])[];
  let said: string[];
  beforeEach(() => {
    sent = [];
    said = [];
  });

  /** @param answer to a slice, after a turn of the event loop */
  async function slice(
    count: number,
    answer: (slice: readonly number[]) => SliceAnswer,
    { size = 100, ms = 20_000 } = {},
  ) {
    using deadline = startDeadline(ms);
    const onRefused = ({ message }: OutboundError) => void said.push(message);
    const slicing = { size, calls: 4, upstream: unmetered(deadline), onRefused };
    const rows = await inSlices(numbers(count), slicing, async (some) => {
      sent.push(some);
      await tick();
      return answer(some);
    });
    return rows.map((one) => ('value' in one ? one.value.p : one.error.message));
  }

  it('are halved down to the rows that are refused', async () => {
    const bad = [3, 250, 251];
    const rows = await slice(400, (some) =>
      some.some((one) => bad.includes(one)) ? refused(`not ${some.length}`) : answered(some),
    );
    expect(rows).to.deep.equal(numbers(400).map((one) => (bad.includes(one) ? 'not 1' : one)));
    expect(said).to.include('not 100').and.to.include('not 1');
  });

  it('are not reached once no more requests may begin, also those that are being halved', async () => {
    for (const most of [0, 1, 7]) {
      sent = [];
      using deadline = startDeadline(20_000);
      const upstream = { ...unmetered(deadline), mayBegin: () => sent.length < most };
      const found = await inSlices(
        numbers(400),
        { size: 10, calls: 4, upstream, onRefused: () => {} },
        async (some) => {
          sent.push(some);
          await tick();
          return some.includes(3) ? refused('no') : answered(some);
        },
      );
      // The first request begins all the same.
      expect(sent.length).to.equal(Math.max(1, most));
      const done = new Set(sent.filter((some) => !some.includes(3)).flat());
      for (const [row, one] of found.entries()) {
        if (done.has(row)) expect(one).to.deep.equal({ value: { p: row } });
        else expect('error' in one && one.error.code, `${row}`).to.be.oneOf(['not_reached', 'bad_request']);
      }
      expect(found).to.have.length(400);
    }
  });

  it('are not sent any more once one slice has failed, also those that are being halved', async () => {
    const work = slice(400, (some) => {
      if (some[0] === 0 && some.length === 50) throw new OutboundError('permission_denied', 'no');
      return refused('no');
    });
    expect((await rejection(work, OutboundError)).code).to.equal('permission_denied');
    for (let turns = 0; turns < 20; turns += 1) await tick();
    // Four slices, and a half of each at most.
    expect(sent.length).to.be.at.most(8);
  });

  it('are not sent any more after the deadline', async () => {
    let isOver = false;
    using deadline = startDeadline(60_000);
    const ending = {
      ...deadline,
      signal: {
        ...deadline.signal,
        get aborted() {
          return isOver;
        },
      } as AbortSignal,
    };
    const work = inSlices(
      numbers(400),
      { size: 100, calls: 4, upstream: unmetered(ending), onRefused: () => {} },
      async (some) => {
        sent.push(some);
        isOver = true;
        return refused('no');
      },
    );
    expect((await rejection(work, OutboundError)).code).to.equal('timeout');
    expect(sent.length).to.be.at.most(4);
  });

  it('that are all refused are all asked alone, but a model that only fails is not asked for many', async () => {
    for (const [count, code] of [
      [100, 'upstream_error'],
      [400, 'bad_request'],
    ] as const) {
      const rows = await slice(count, (some) => refused(`no ${some[0]}`, code));
      expect(rows).to.deep.equal(numbers(count).map((one) => `no ${one}`));
    }
    sent = [];
    const failing = slice(10_000, () => refused('There is no model', 'upstream_error'), { size: 1000 });
    const error = await rejection(failing, OutboundError);
    expect([error.code, error.message]).to.deep.equal(['upstream_error', 'There is no model']);
    expect(sent.length).to.be.below(500);
  });

  it('of which some are taken, wherever they are, are all asked', async () => {
    for (const isGood of [
      (one: number) => one >= 200,
      (one: number) => one < 200,
      (one: number) => one === 399,
      (one: number) => one % 7 === 0,
    ]) {
      const rows = await slice(400, (some) => (some.every(isGood) ? answered(some) : refused('no', 'upstream_error')));
      expect(rows).to.deep.equal(numbers(400).map((one) => (isGood(one) ? one : 'no')));
    }
    const mixed = await slice(400, (some) => refused('no', some[0] === 399 ? 'bad_request' : 'upstream_error'));
    expect(new Set(mixed)).to.deep.equal(new Set(['no']));
  });

  it('have predictions that a reply can hold', async () => {
    const work = slice(40, (some) => ({ kind: 'answered', values: some.map(() => ({ p: 'x'.repeat(1_000_000) })) }), {
      size: 1,
    });
    const { code, message } = await rejection(work, OutboundError);
    expect([code, message]).to.deep.equal([
      'upstream_error',
      'The model answers more than 32000000 characters: send fewer rows',
    ]);
    const named = slice(40, (some) => ({ kind: 'answered', values: some.map(() => ({ ['n'.repeat(1_000_000)]: 1 })) }));
    expect((await rejection(named, OutboundError)).code).to.equal('upstream_error');
  });
});
