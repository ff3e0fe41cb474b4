import { expect } from 'chai';
import { Fault } from '../../../src/contract/codes/faults.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { type FaultMode, FaultPlan } from '../../support/memory/faults.ts';
import { fixture, retrained } from '../../support/models/onnx.ts';

const FILE = (model: string) => `__mlspl_${model}.onnx`;
const LINEAR = fixture('linear');
const RETRAINED = retrained();

const [ABC, XYZ] = [
  ['a', 'b', 'c'],
  ['x', 'y', 'z'],
];

describe('fields and targets of models that fail or are written at once', () => {
  let app: MemoryApp;
  let id: string;

  beforeEach(async () => {
    app = new MemoryApp();
    for (const user of ['ann', 'ben']) app.user(user, { capabilities: ['upload_ml_models'] });
    id = (await app.call('ann', 'POST', '/experiments', { title: 'Sales', type: 'smart_forecast' })).json.experiment_id;
  });

  const uploadOf = (model_name: string, bytes = LINEAR, features = ABC, more: Json = {}) => ({
    ...{ model_name, features, targets: [`${features[0]}_out`], model_file: bytes.toString('base64') },
    ...more,
  });
  const upload = async (...args: Parameters<typeof uploadOf>) => {
    const { status, json } = await app.call('ann', 'POST', '/upload_model', uploadOf(...args));
    expect(status, JSON.stringify(json)).to.equal(200);
  };
  const clone = (source: string, destination: string, more: Json = {}) =>
    app.call('ann', 'POST', `/experiments/${id}/clone_models`, { models: [{ source, destination }], ...more });
  const findInList = async (name: string, user = 'ann') =>
    (await app.call(user, 'GET', '/list_models')).json.result.find((model: Json) => model.name === name);
  const records = () => app.site.records.all('ml_uploaded_models') as unknown as Json[];

  it('are not left by a copy that fails, and not taken from what it should have replaced', async () => {
    await upload('draft', RETRAINED, XYZ);
    await upload('final');
    const before = JSON.stringify(records());
    app.lookups.beforeWrite = () => {
      throw new Fault('store_unavailable', 'The platform is not ready (503)');
    };
    for (const [destination, overwrite] of [
      ['other', false],
      ['final', true],
    ] as const) {
      const { json } = await clone('draft', destination, { overwrite });
      expect(json.result[0]).to.include({ status: 'failed', error_code: 'store_unavailable' });
    }
    expect((await clone('draft', 'all', { sharing: 'app' })).json.result[0].status).to.equal('failed');
    expect(JSON.stringify(records())).to.equal(before);
    app.lookups.beforeWrite = () => {};
    expect((await clone('draft', 'all', { sharing: 'app' })).json.result[0].error_code).to.equal('acl_denied');
    expect(JSON.stringify(records())).to.equal(before);
    expect(await findInList('final')).to.deep.include({ features: ABC });
  });

  it('belong to the file that is there when two write at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const over = { overwrite: true };
      await upload('retrained', RETRAINED, XYZ, over);
      await Promise.all([
        upload('m', LINEAR, ABC, over),
        clone('retrained', 'm', over),
        upload('m', RETRAINED, XYZ, over),
        clone('retrained', 'm', over),
      ]);
      const isNew = app.lookups.text('ann', FILE('m')) === RETRAINED.toString();
      expect((await findInList('m')).features).to.deep.equal(isNew ? XYZ : ABC);
      expect((await app.call('ann', 'DELETE', '/list_models/m')).status).to.equal(200);
    }
  });

  const post = (path: string, body: Json, faults: FaultPlan) =>
    app.request(
      { method: 'POST', path: `/ml${path}`, body: Buffer.from(JSON.stringify(body)), sessionToken: 'ann' },
      faults,
    );
  const copying = (body: Json, faults: FaultPlan) => post(`/experiments/${id}/clone_models`, body, faults);
  const WRITES: Record<string, { before: Buffer | undefined; run(faults: FaultPlan): Promise<unknown> }> = {
    upload: { before: undefined, run: (faults) => post('/upload_model', uploadOf('m', RETRAINED, XYZ), faults) },
    'upload over another': {
      before: LINEAR,
      run: (faults) => post('/upload_model', uploadOf('m', RETRAINED, XYZ, { overwrite: true }), faults),
    },
    copy: {
      before: undefined,
      run: (faults) => copying({ models: [{ source: 'retrained', destination: 'm' }] }, faults),
    },
    'copy over another': {
      before: LINEAR,
      run: (faults) => copying({ models: [{ source: 'retrained', destination: 'm' }], overwrite: true }, faults),
    },
    'copy of an unknown one over another': {
      before: LINEAR,
      run: (faults) => copying({ models: [{ source: 'unknown', destination: 'm' }], overwrite: true }, faults),
    },
  };

  for (const [what, { before, run }] of Object.entries(WRITES)) {
    for (const mode of ['crash', 'refused', 'lost'] satisfies FaultMode[]) {
      it(`are never those of another file, wherever it ends: ${what} (${mode})`, async () => {
        let calls = 1;
        for (let call = 0; call <= calls; call += 1) {
          app = new MemoryApp();
          for (const user of ['ann', 'ben']) app.user(user, { capabilities: ['upload_ml_models'] });
          id = (await app.call('ann', 'POST', '/experiments', { title: 'S', type: 'smart_forecast' })).json
            .experiment_id;
          await upload('retrained', RETRAINED, XYZ);
          app.lookups.files.push({ name: FILE('unknown'), app: 'ml_extension', place: 'ann', bytes: RETRAINED });
          if (before) await upload('m', before, ABC);
          const faults = call === 0 ? new FaultPlan() : new FaultPlan(call, mode);
          await run(faults);
          if (call === 0) calls = faults.trace.length;
          const where = `at ${call}: ${faults.trace[call - 1]}`;
          const bytes = app.lookups.text('ann', FILE('m'));
          const model = await findInList('m');
          expect(model === undefined, where).to.equal(bytes === undefined);
          if (!model) continue;
          const isNew = bytes === RETRAINED.toString();
          const known = isNew ? (what.includes('unknown') ? [] : XYZ) : ABC;
          expect(model.features, where).to.deep.equal(known);
          // What was left open does not stand in the way of the next write.
          await upload('m', LINEAR, ABC, { overwrite: true });
          expect((await findInList('m')).features, where).to.deep.equal(ABC);
        }
        expect(calls).to.be.greaterThan(6);
      });
    }
  }
});
