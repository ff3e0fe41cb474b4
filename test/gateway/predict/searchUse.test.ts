import { expect } from 'chai';
import { Fault } from '../../../src/contract/codes/faults.ts';
import { PREDICTOR_KINDS } from '../../../src/gateway/predict/kinds.ts';
import type { PredictDependencies } from '../../../src/gateway/predict/openers.ts';
import { beginUse, endUse } from '../../../src/gateway/predict/searchUse.ts';
import { useLimits } from '../../../src/metering/limits/limitedUses.ts';
import type { UseSite } from '../../../src/metering/meteredUse.ts';
import type { UseContent, UseRecord } from '../../../src/metering/usage/useRecord.ts';
import { LimitSite, limit } from '../../metering/limits/limitSite.ts';
import { faultOf, fieldsOf } from '../../support/fault.ts';
import { caller } from '../../support/memory/platform.ts';

const DAY_MS = 86_400_000;
const LISTED = {
  name: 'forest',
  type: 'onnx',
  features: ['a', 'b'],
  targets: ['y'],
  owner: 'anna',
  app: 'ml_extension',
  sharing: 'app',
  size_bytes: 121,
  updated_at: 0,
} as const;

describe('uses of models that searches run', () => {
  let site: LimitSite;
  let kept: [UseRecord, UseContent][];
  let isThere: boolean;
  let isDown: boolean;
  let failsToRemove: boolean;

  beforeEach(() => {
    site = new LimitSite();
    kept = [];
    isThere = true;
    isDown = false;
    failsToRemove = false;
  });

  /** A process in which `forest` runs in searches, and `churn` does not. */
  function process(user = 'anna') {
    const { stores, counters } = site.process();
    const useSite: UseSite = {
      caller: caller(user),
      origin: { via: 'search', sid: 'sid-1', requestId: 'r-1' },
      limits: useLimits({ stores, counters, reached: () => {} }),
      newId: stores.newId,
      now: stores.clock.now,
      keep: (record, content) => kept.push([record, content]),
    };
    const records = Object.assign(Object.create(stores.records), {
      async insert(collection: string, doc: { _key: string; kind?: string }) {
        if (isDown && doc.kind === 'prediction') throw new Fault('store_unavailable', 'down');
        return stores.records.insert(collection, doc);
      },
      async remove(collection: string, key: string) {
        if (failsToRemove) throw new Fault('store_unavailable', 'down');
        return stores.records.remove(collection, key);
      },
    });
    const kind = PREDICTOR_KINDS.cloud;
    if (!kind) throw new Error('no kind');
    const runs = { ...kind, provider: 'onnx', runsInSearches: true as const };
    const deps = {
      listing: { describe: async () => (isThere ? LISTED : undefined) },
      findModel: async (_caller: unknown, name: string) => ({
        type: name === 'forest' ? 'onnx' : 'cloud',
        name,
        reference: name,
        kind: name === 'forest' ? runs : kind,
        entry: {} as never,
      }),
    } as unknown as PredictDependencies;
    return {
      begin: (name = 'forest') => beginUse(deps, records, useSite, name, async () => expect.fail('needs no slot')),
      end: (use_id: string, more: object = {}) =>
        endUse({ records, log: stores.log }, useSite, { use_id, rows: 1000, failed: 2, duration_ms: 12.34, ...more }),
    };
  }

  it('begin with what the model is, and end with one record', async () => {
    const { response, warnings } = await process().begin();
    const { type: _, name, updated_at: __, ...where } = LISTED;
    expect(response).to.deep.equal({ use_id: response.use_id, model: name, type: 'onnx', ...where });
    expect(warnings).to.deep.equal([]);
    expect(kept).to.deep.equal([]);
    // By another process, as on another member.
    expect(await process().end(response.use_id)).to.deep.equal({ use_id: response.use_id });
    expect(kept).to.have.length(1);
    expect(kept[0]?.[0]).to.include({
      user: 'anna',
      via: 'search',
      sid: 'sid-1',
      operation: 'predict',
      provider: 'onnx',
      connection: 'onnx',
      model: 'forest',
      outcome: 'success',
      attempts: 1,
      upstream_ms: 12.3,
      request_id: 'r-1',
    });
    expect(kept[0]?.[1]).to.deep.equal({ input: { rows: 1000, failed: 2 }, output: null });
  });

  it('end once, also of two ends at a time, and by their user alone', async () => {
    const { use_id } = (await process().begin()).response;
    expect((await faultOf(process('bert').end(use_id))).code).to.equal('not_found');
    const ends = await Promise.allSettled([process().end(use_id), process().end(use_id), process().end(use_id)]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect((await faultOf(process().end(use_id))).code).to.equal('not_found');
    for (const other of ['nothing', `${use_id}.ended`]) {
      expect((await faultOf(process().end(other))).code, other).to.equal('not_found');
    }
    expect(kept).to.have.length(1);
  });

  it('end within seven days', async () => {
    const [late, early] = [await process().begin(), await process().begin()];
    site.platform.clock.advance(6 * DAY_MS);
    await process().end(early.response.use_id);
    site.platform.clock.advance(2 * DAY_MS);
    expect((await faultOf(process().end(late.response.use_id))).code).to.equal('not_found');
    expect(kept).to.have.length(1);
  });

  it('are at most 100 of a user that are not ended', async () => {
    const begun = [];
    for (let count = 0; count < 98; count += 1) begun.push((await process().begin()).response.use_id);
    const several = await Promise.allSettled(Array.from({ length: 6 }, () => process().begin()));
    const stored = () =>
      site.platform.records.all('ml_usage_counters').filter(({ kind }) => kind === 'prediction').length;
    expect(several.filter(({ status }) => status === 'rejected').length).to.be.at.least(4);
    while (stored() < 100) await process().begin();
    expect(stored()).to.equal(100);
    const fault = await faultOf(process().begin());
    expect([fault.code, fault.headers]).to.deep.equal(['too_many_records', { 'x-should-retry': 'false' }]);
    expect(stored()).to.equal(100);
    await process('bert').begin();
    await process().end(begun[0] as string);
    await process().begin();
    expect((await faultOf(process().begin())).code).to.equal('too_many_records');
    site.platform.clock.advance(8 * DAY_MS);
    await process().begin();
  });

  it('take no longer than the time since they began', async () => {
    const { use_id } = (await process().begin()).response;
    site.platform.clock.advance(10_000);
    await process().end(use_id, { duration_ms: 5 * DAY_MS });
    // Clocks of members may differ.
    expect(kept[0]?.[0].upstream_ms).to.be.within(10_000, 100_000);
  });

  it('are recorded once they are ended, also where the store fails then', async () => {
    const { use_id } = (await process().begin()).response;
    failsToRemove = true;
    expect(await process().end(use_id)).to.deep.equal({ use_id });
    expect(kept).to.have.length(1);
    expect(site.platform.log.lines.map(({ event }) => event)).to.include('ended_prediction_not_removed');
    failsToRemove = false;
    expect((await faultOf(process().end(use_id))).code).to.equal('not_found');
    expect(kept).to.have.length(1);
  });

  it('say why they failed, and are nothing without rows', async () => {
    for (const [more, outcome] of [
      [{ rows: 0, failed: 0 }, undefined],
      [
        { rows: 3, failed: 3 },
        { outcome: 'fail', error_code: 'all_rows_failed' },
      ],
      [
        { rows: 3, failed: 0, error_code: 'timeout' },
        { outcome: 'fail', error_code: 'timeout' },
      ],
      [{ rows: 3, failed: 2 }, { outcome: 'success' }],
    ] as const) {
      kept = [];
      await process().end((await process().begin()).response.use_id, more);
      if (outcome) expect(kept[0]?.[0]).to.include(outcome);
      else expect(kept).to.deep.equal([]);
    }
    const { use_id } = (await process().begin()).response;
    const fault = await faultOf(process().end(use_id, { rows: 1, failed: 2 }));
    expect(fieldsOf(fault)).to.deep.equal(['failed']);
    await process().end(use_id);
  });

  it('take one request of the limits when they begin, whether or not they end', async () => {
    site.store(limit('few', { requests: 2, applies_to: { operations: ['predict'] } }));
    await process().begin();
    await process().end((await process().begin()).response.use_id);
    const fault = await faultOf(process().begin());
    expect([fault.code, fault.extra.limit]).to.deep.include('limit_exceeded');
    expect((await process('bert').begin()).response.model).to.equal('forest');
    site.platform.clock.advance(DAY_MS);
    await process().begin();
  });

  it('give the request back if they cannot begin', async () => {
    site.store(limit('one', { requests: 1 }));
    isThere = false;
    expect((await faultOf(process().begin())).code).to.equal('not_found');
    isThere = true;
    isDown = true;
    expect((await faultOf(process().begin())).code).to.equal('store_unavailable');
    isDown = false;
    await process().begin();
    expect((await faultOf(process().begin())).code).to.equal('limit_exceeded');
  });

  it('take and record nothing where each prediction is a use of its own', async () => {
    site.store(limit('none', { requests: 0 }));
    const { response } = await process().begin('churn');
    expect(response).to.include({ model: 'churn', type: 'cloud' });
    await process().end(response.use_id);
    expect((await faultOf(process().end(response.use_id))).code).to.equal('not_found');
    expect(kept).to.deep.equal([]);
  });

  it('leave nothing behind for ever', async () => {
    for (let index = 0; index < 30; index++) await process().begin();
    await process().end((await process().begin()).response.use_id);
    expect(site.counters()).to.have.length(31);
    site.platform.clock.advance(8 * DAY_MS);
    await process().begin();
    expect(site.counters()).to.have.length(7);
    const { use_id } = (await process().begin()).response;
    expect(site.counters().map(({ _key }) => _key)).to.include(use_id);
    expect(site.counters()).to.have.length(2);
  });
});
