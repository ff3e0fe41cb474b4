import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ctsmSuite } from '../../suites/ctsm.ts';
import { experimentSuite } from '../../suites/experiments.ts';
import { type Reply, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { overHttp } from '../../support/worlds/overHttp.ts';

const NAME = (model: string) => `__mlspl_${model}.mlmodel`;

describe('experiments over HTTP', () => {
  let platform: TestPlatform;

  before(async () => {
    platform = await startPlatform();
    await platform.createRole('analyst', ['user']);
    await platform.createUser('ann', ['user']);
    await platform.createUser('ben', ['analyst']);
  });
  after(() => platform.dispose());

  const ok = (reply: Reply): Reply => {
    expect(reply.status, reply.text).to.equal(200);
    return reply;
  };
  const create = async (user: string, more: object = {}) =>
    ok(await platform.ml(user, 'POST', '/experiments', { title: 'Sales', type: 'smart_forecast', ...more })).json;
  const privateFolder = (user: string) => join(platform.home, 'etc/users', user, 'ml_extension/lookups');
  function put(user: string, model: string, text: string): void {
    mkdirSync(privateFolder(user), { recursive: true });
    writeFileSync(join(privateFolder(user), NAME(model)), text);
  }

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
});

describe('experiments and CTSM over HTTP', () => {
  describe('experiments', () => experimentSuite(overHttp));
  describe('CTSM', () => ctsmSuite(overHttp));
});
