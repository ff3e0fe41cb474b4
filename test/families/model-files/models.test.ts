import { expect } from 'chai';
import { Fault } from '../../../src/contract/codes/faults.ts';
import { modelListSuite } from '../../suites/modelLists.ts';
import { modelSuite } from '../../suites/models.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { fixture } from '../../support/models/onnx.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

const BODY = {
  model_name: 'churn',
  features: ['a', 'b', 'c'],
  targets: ['y'],
  model_file: fixture('linear').toString('base64'),
};

describe('uploaded models', () => modelSuite(inMemory));
describe('models and what is known of them', () => modelListSuite(inMemory));

describe('uploaded models where something fails or is switched off', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    for (const user of ['ann', 'ben']) app.user(user, { capabilities: ['upload_ml_models'] });
  });
  const upload = () => app.call('ann', 'POST', '/upload_model', BODY);
  const list = async (user: string) => (await app.call(user, 'GET', '/list_models')).json.result;

  it('leave nothing behind when their fields cannot be saved', async () => {
    const request = (faults: FaultPlan) =>
      app.request(
        { method: 'POST', path: '/ml/upload_model', body: Buffer.from(JSON.stringify(BODY)), sessionToken: 'ann' },
        faults,
      );
    const baseline = new FaultPlan();
    await request(baseline);
    await app.call('ann', 'DELETE', '/list_models/churn');
    const written = baseline.trace.indexOf('create lookup') + 1;
    for (let call = 1; call < written; call += 1) {
      const reply = await request(new FaultPlan(call, 'refused'));
      expect(reply.json.error_code, baseline.trace[call - 1]).to.equal('store_unavailable');
      expect(app.lookups.names()).to.deep.equal([]);
      expect(app.site.records.all('ml_uploaded_models')).to.deep.equal([]);
    }
  });

  it('the list knows no fields of a model that was shared since', async () => {
    await upload();
    const [file] = app.lookups.files;
    if (!file) throw new Error('no file');
    file.place = 'nobody';
    // The platform keeps the owner; this twin does not.
    expect((await list('ben')).map(({ name, features }: Json) => [name, features])).to.deep.equal([['churn', []]]);
  });

  it('what the platform refuses is not in the list', async () => {
    await upload();
    app.lookups.beforeWrite = () => {
      throw new Fault('store_unavailable', 'The platform is not ready (503)');
    };
    const other = await app.call('ann', 'POST', '/upload_model', { ...BODY, model_name: 'other_one' });
    expect(other.json.error_code).to.equal('store_unavailable');
    expect((await list('ann')).map(({ name }: Json) => name)).to.deep.equal(['churn']);
  });
});
