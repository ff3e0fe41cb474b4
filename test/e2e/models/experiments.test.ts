import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ctsmSuite } from '../../suites/ctsm.ts';
import { experimentSuite } from '../../suites/experiments.ts';
import { type Reply, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { overHttp } from '../../support/worlds/overHttp.ts';

const NAME = (model: string, extension = 'mlmodel') => `__mlspl_${model}.${extension}`;

describe('experiments over HTTP', () => {
  let platform: TestPlatform;

  before(async () => {
    platform = await startPlatform();
    await platform.createRole('analyst', ['user']);
    await platform.createUser('ann', ['user']);
    await platform.createUser('ben', ['analyst']);
    await platform.createUser('eve', ['user']);
  });
  after(() => platform.dispose());

  const ok = (reply: Reply): Reply => {
    expect(reply.status, reply.text).to.equal(200);
    return reply;
  };
  const create = async (user: string, more: object = {}) =>
    ok(await platform.ml(user, 'POST', '/experiments', { title: 'Sales', type: 'smart_forecast', ...more })).json;
  const titles = async (user: string) =>
    ok(await platform.ml(user, 'GET', '/experiments?count=0')).json.result.map(({ title }: { title: string }) => title);
  const privateFolder = (user: string) => join(platform.home, 'etc/users', user, 'ml_extension/lookups');
  function put(user: string, model: string, text: string): void {
    mkdirSync(privateFolder(user), { recursive: true });
    writeFileSync(join(privateFolder(user), NAME(model)), text);
  }

  it('all eight rows, one after the other', async () => {
    const stage = {
      role: 'fit',
      search: '| fit X y from x into m1',
      model_name: 'm1',
      parameters: { $k: { 'a.b': 1 } },
    };
    const { experiment_id: id, config } = await create('ann', { search_stages: [stage], statistics: { 'R^2': 0.5 } });
    expect(ok(await platform.ml('ann', 'GET', `/experiments/${id}`)).json.config).to.deep.equal(config);
    expect(config.models).to.deep.equal(['m1']);
    const updated = ok(
      await platform.ml('ann', 'POST', `/experiments/${id}`, { statistics: { rmse: 1 } }, { 'If-Match': '"1"' }),
    );
    expect(updated.json.config.statistics).to.deep.equal({ 'R^2': 0.5, rmse: 1 });
    expect((await platform.ml('ann', 'POST', `/experiments/${id}`, { title: 'x', version: 1 })).json).to.include({
      error_code: 'version_conflict',
      current_version: 2,
    });
    const added = ok(
      await platform.ml('ann', 'POST', `/experiments/${id}/history`, { action: 'train', sid: '1.2' }),
    ).json;
    const history = ok(await platform.ml('ann', 'GET', `/experiments/${id}/history`)).json;
    expect(history.result.map(({ action }: { action: string }) => action)).to.deep.equal(['train', 'update', 'create']);
    expect(history.result[0]).to.deep.equal(added.config);
    const [listed] = ok(await platform.ml('ann', 'GET', '/experiments')).json.result;
    expect(listed).to.include({ experiment_id: id });
    expect(listed).to.not.have.property('search_stages');

    put('ann', `_exp_draft_${id}_a`, 'weights');
    const cloned = ok(await platform.ml('ann', 'POST', `/experiments/${id}/clone_models`)).json;
    expect(cloned.result).to.deep.equal([
      { source: `_exp_draft_${id}_a`, destination: `_exp_${id}_a`, status: 'cloned' },
    ]);
    const copy = join(privateFolder('ann'), NAME(`_exp_${id}_a`));
    expect(readFileSync(copy, 'utf8')).to.equal('weights');
    expect(readdirSync(join(platform.home, 'var/run/splunk/lookup_tmp'))).to.deep.equal([]);

    put('ann', 'shared_model', 'stays');
    const deleted = ok(await platform.ml('ann', 'DELETE', `/experiments/${id}`)).json;
    expect(deleted).to.deep.include({
      experiment_id: id,
      deleted_models: [`_exp_${id}_a`, `_exp_draft_${id}_a`].sort(),
      deleted_history: 4,
    });
    expect(existsSync(copy)).to.equal(false);
    expect(readdirSync(privateFolder('ann'))).to.deep.equal([NAME('shared_model')]);
    expect((await platform.ml('ann', 'GET', `/experiments/${id}`)).json.error_code).to.equal('not_found');
    expect(await platform.documents('ml_experiment_history')).to.deep.equal([]);
  });

  it('no ordinary user can bypass the access list of a record', async () => {
    for (const collection of ['ml_experiments', 'ml_experiment_history', 'ml_ctsm']) {
      const path = `/servicesNS/nobody/ml_extension/storage/collections/data/${collection}`;
      expect((await platform.call('ben', 'GET', path)).status, collection).to.equal(403);
    }
  });

  it('clones with the rights of the caller only', async () => {
    const acl = { sharing: 'app', perms: { write: ['analyst'] } };
    const { experiment_id: id } = await create('ann', { title: 'clones', acl });
    put('ann', 'private_of_ann', 'secret');
    put('ben', 'own', 'mine');
    const models = [
      { source: 'private_of_ann', destination: 'stolen' },
      { source: 'own', destination: 'copy' },
    ];
    const { result } = ok(await platform.ml('ben', 'POST', `/experiments/${id}/clone_models`, { models })).json;
    expect(result.map(({ status, error_code }: Record<string, string>) => error_code ?? status)).to.deep.equal([
      'not_found',
      'cloned',
    ]);
    expect(readdirSync(privateFolder('ben')).sort()).to.deep.equal([NAME('copy'), NAME('own')]);
    const body = { models: [models[1]], overwrite: true, sharing: 'app' };
    const shared = ok(await platform.ml('ben', 'POST', `/experiments/${id}/clone_models`, body)).json;
    expect(shared.result[0].error_code).to.equal('acl_denied');
    const byAdmin = { models: [{ source: 'own', destination: 'for_all' }], sharing: 'app' };
    ok(await platform.ml('admin', 'POST', `/experiments/${id}/clone_models`, byAdmin));
    const app = join(platform.home, 'etc/apps/ml_extension/lookups', NAME('for_all'));
    expect(readFileSync(app, 'utf8')).to.equal('mine');
  });

  it('CTSM of each user, over a restart', async () => {
    await create('ann', { title: 'kept', acl: { sharing: 'app', perms: { read: ['*'] } } });
    ok(await platform.ml('ann', 'POST', '/ctsm_feature', { ctsm_opt_out: true }));
    const { acknowledged_at } = ok(await platform.ml('ann', 'POST', '/ctsm_acknowledge')).json;
    await platform.restart();
    const { json } = ok(await platform.ml('ann', 'GET', '/ctsm_feature'));
    expect(json).to.include({ ctsm_opt_out: true, ctsm_acknowledge: true, acknowledged_at, status: 'success' });
    expect(ok(await platform.ml('eve', 'GET', '/ctsm_feature')).json).to.include({
      ctsm_opt_out: false,
      ctsm_acknowledge: false,
    });
    expect(await titles('eve')).to.include('kept');
  });

  it('answers 503 while the store is down, and changes nothing', async () => {
    const { experiment_id: id } = await create('ann', { title: 'down' });
    await platform.faults({ kvstore: 'down' });
    try {
      for (const [method, path] of [
        ['GET', '/experiments'],
        ['POST', `/experiments/${id}`],
        ['DELETE', `/experiments/${id}`],
        ['GET', `/experiments/${id}/history`],
      ] as const) {
        const reply = await platform.ml('ann', method, path, method === 'POST' ? { title: 'changed' } : undefined);
        expect(reply.json.error_code, `${method} ${path}`).to.equal('store_unavailable');
      }
    } finally {
      await platform.faults({ kvstore: 'ok' });
    }
    expect(ok(await platform.ml('ann', 'GET', `/experiments/${id}`)).json.config).to.include({
      title: 'down',
      version: 1,
    });
  });
});

describe('experiments and CTSM over HTTP', () => {
  describe('experiments', () => experimentSuite(overHttp));
  describe('CTSM', () => ctsmSuite(overHttp));
});
