import { expect } from 'chai';
import { fixture, retrained } from '../support/models/onnx.ts';
import type { OpenWorld } from '../support/worlds/world.ts';

type Json = Record<string, unknown>;

const LINEAR = fixture('linear');
const RETRAINED = retrained();
const [ABC, XYZ] = [
  ['a', 'b', 'c'],
  ['x', 'y', 'z'],
];

/** The list of models, in any world. */
export function modelListSuite(open: OpenWorld): void {
  const world = open({
    users: { ann: ['user', 'uploader'], ben: ['user', 'uploader'], root: ['admin'] },
    roles: { uploader: ['upload_ml_models'] },
    collections: ['ml_uploaded_models', 'ml_registered_models', 'ml_experiments'],
  });

  const upload = async (model_name: string, bytes = LINEAR, features = ABC, more: Json = {}, user = 'ann') => {
    const model_file = bytes.toString('base64');
    const body = { model_name, features, targets: [`${features[0]}_out`], model_file, ...more };
    const { status, json } = await world.call(user, 'POST', '/upload_model', body);
    expect(status, JSON.stringify(json)).to.equal(200);
  };
  const list = async (user = 'ann', query = '') => (await world.call(user, 'GET', `/list_models${query}`)).json;
  const names = async (user: string, query = '') => (await list(user, query)).result.map(({ name }: Json) => name);

  describe('list', () => {
    beforeEach(async () => {
      world.lookups.put('ann', '__mlspl_forecast.mlmodel', 'algo,model,options\nStateSpaceForecast,"x","{}"\n');
      world.lookups.put('nobody', '__mlspl_Alpha.csv', '"algo","model"\n"PCA","x"\n', 'search');
      world.lookups.put('ben', '__mlspl_hidden.mlmodel', 'x');
      world.lookups.put('ann', 'plain.csv', 'a,b\n1,2\n');
      await upload('churn');
      const acl = (owner: string) => ({ owner, sharing: 'user', perms: { read: [], write: [] } });
      const maps = { input_feature_map: '{"tenure":"$.t","plan":"$.p"}', output_prediction_map: '{"$.s":"score"}' };
      const common = { endpoint_name: 'ep-1', last_updated_at: 5, ...maps };
      await world.store('ml_registered_models', { _key: 'cloudy', model_name: 'Cloudy', acl: acl('ann'), ...common });
      await world.store('ml_registered_models', { _key: 'other', model_name: 'other', acl: acl('ben'), ...common });
    });

    it('shows what the caller may see, each kind with what is known of it', async () => {
      const { result, pagination } = await list();
      expect(pagination.total).to.equal(4);
      for (const { type, updated_at } of result) {
        if (type !== 'cloud') expect(updated_at).to.be.within(world.now() - 100, world.now());
      }
      expect(result.map(({ updated_at, ...model }: Json) => model)).to.deep.equal([
        {
          name: 'Alpha',
          type: 'lookup',
          algorithm: 'PCA',
          features: [],
          targets: [],
          owner: 'nobody',
          app: 'search',
          sharing: 'app',
          size_bytes: 25,
        },
        {
          name: 'churn',
          type: 'onnx',
          features: ABC,
          targets: ['a_out'],
          inputs: [{ name: 'X', type: 'float32', shape: [null, 3] }],
          outputs: [{ name: 'Y', type: 'float32', shape: [null, 1] }],
          owner: 'ann',
          app: 'ml_extension',
          sharing: 'user',
          size_bytes: 143,
        },
        {
          name: 'Cloudy',
          type: 'cloud',
          features: ['tenure', 'plan'],
          targets: ['score'],
          endpoint_name: 'ep-1',
          owner: 'ann',
          app: 'ml_extension',
          sharing: 'user',
        },
        {
          name: 'forecast',
          type: 'lookup',
          algorithm: 'StateSpaceForecast',
          features: [],
          targets: [],
          owner: 'ann',
          app: 'ml_extension',
          sharing: 'user',
          size_bytes: 47,
        },
      ]);
      expect(result[2].updated_at).to.equal(5);
      expect(await names('ben')).to.deep.equal(['Alpha', 'hidden', 'other']);
      expect(await names('root')).to.deep.equal(['Alpha', 'churn', 'Cloudy', 'forecast', 'hidden', 'other']);
    });

    it('filters, searches, sorts and pages', async () => {
      expect(await names('ann', '?type=lookup')).to.deep.equal(['Alpha', 'forecast']);
      expect(await names('root', '?owner=ben')).to.deep.equal(['hidden', 'other']);
      expect(await names('ann', '?search=C')).to.deep.equal(['churn', 'Cloudy', 'forecast']);
      expect(await names('ben', '?search=forecast')).to.deep.equal([]);
      expect(await names('ann', '?sort_dir=desc&count=2')).to.deep.equal(['forecast', 'Cloudy']);
      expect((await names('ann', '?sort_key=updated_at'))[0]).to.equal('Cloudy');
      const { pagination } = await list('ann', '?count=1&offset=1');
      expect(pagination).to.deep.equal({ offset: 1, count: 1, total: 4, returned: 1, has_more: true, next_offset: 2 });
      for (const query of ['type=x', 'sort_key=size', 'count=x']) {
        expect((await world.call('ann', 'GET', `/list_models?${query}`)).status, query).to.equal(400);
      }
    });
  });

  describe('fields and targets', () => {
    const begun = async (user = 'ann'): Promise<string> => {
      const body = { title: 'Sales', type: 'smart_forecast' };
      return (await world.call(user, 'POST', '/experiments', body)).json.experiment_id;
    };
    const clone = async (id: string, source: string, destination: string, more: Json = {}, user = 'ann') => {
      const body = { models: [{ source, destination }], ...more };
      const { json } = await world.call(user, 'POST', `/experiments/${id}/clone_models`, body);
      expect(json.result.map(({ status }: Json) => status)).to.deep.equal(['cloned']);
    };
    const findInList = async (name: string, user = 'ann') =>
      (await list(user)).result.find((model: Json) => model.name === name);
    const keys = async () => (await world.records('ml_uploaded_models')).map(({ _key }) => _key);

    it('go along with a copy', async () => {
      const id = await begun();
      await upload('draft');
      await clone(id, 'draft', 'final');
      expect(await findInList('final')).to.deep.include({ features: ABC, targets: ['a_out'] });
      await upload('shared', LINEAR, XYZ, {}, 'root');
      await clone(await begun('root'), 'shared', 'for_all', { sharing: 'app' }, 'root');
      expect(await findInList('for_all', 'ben')).to.deep.include({ features: XYZ, sharing: 'app' });
      expect((await world.records('ml_uploaded_models')).every((record) => !('pending' in record))).to.equal(true);
    });

    it('of what is replaced go, also where nobody knows those of the new one', async () => {
      const id = await begun();
      await upload('draft', RETRAINED, XYZ);
      await upload('final');
      await clone(id, 'draft', 'final', { overwrite: true });
      expect(await findInList('final')).to.deep.include({ features: XYZ, targets: ['x_out'] });
      world.lookups.put('ann', '__mlspl_unknown.onnx', LINEAR);
      await clone(id, 'unknown', 'final', { overwrite: true });
      expect(await findInList('final')).to.deep.include({ features: [], targets: [] });
      expect(await keys()).to.deep.equal(['ann.draft']);
      await upload('final', LINEAR, ABC, { overwrite: true });
      expect(await findInList('final')).to.deep.include({ features: ABC });
    });

    it('go with the models of an experiment', async () => {
      const id = await begun();
      await upload(`_exp_draft_${id}`);
      await clone(id, `_exp_draft_${id}`, `_exp_${id}`);
      await upload('another');
      expect(await keys()).to.have.length(3);
      const { json } = await world.call('ann', 'DELETE', `/experiments/${id}`);
      expect(json.deleted_models).to.have.length(2);
      expect(await keys()).to.deep.equal(['ann.another']);
    });

    it('belong to our own file only, not to files of other apps or replaced files', async () => {
      await upload('churn');
      world.lookups.put('ann', '__mlspl_churn.onnx', 'x', 'search');
      expect((await list()).result.map(({ app, features }: Json) => [app, features])).to.deep.equal([
        ['ml_extension', ABC],
        ['search', []],
      ]);
      world.lookups.put('ann', '__mlspl_churn.onnx', 'something else');
      expect((await findInList('churn')).features).to.deep.equal([]);
    });

    it('of records that know neither size nor digest are shown as before', async () => {
      world.lookups.put('ann', '__mlspl_old.onnx', 'x');
      const doc = { _key: 'ann.old', model_name: 'old', place: 'ann', features: ABC, targets: [], uploaded_at: 1 };
      await world.store('ml_uploaded_models', { ...doc, uploaded_by: 'ann' });
      expect((await findInList('old')).features).to.deep.equal(ABC);
      await clone(await begun(), 'old', 'copy');
      expect((await findInList('copy')).features).to.deep.equal(ABC);
    });
  });
}
