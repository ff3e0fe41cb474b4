import { expect } from 'chai';
import { Fault } from '../../../src/contract/codes/faults.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { FaultPlan } from '../../support/memory/faults.ts';

const file = (model: string, extension = 'mlmodel') => `__mlspl_${model}.${extension}`;

describe('models of experiments', () => {
  let app: MemoryApp;
  let id: string;

  beforeEach(async () => {
    app = new MemoryApp();
    app.user('ann');
    app.user('ben');
    id = (await app.call('ann', 'POST', '/experiments', { title: 'Sales', type: 'smart_forecast' })).json.experiment_id;
  });

  const clone = (body?: Json, user = 'ann') => app.call(user, 'POST', `/experiments/${id}/clone_models`, body);
  const statuses = (json: Json) =>
    (json.result as Json[]).map(({ status, error_code }) => (error_code ? `${status} ${error_code}` : status));

  it('ends a clone of many models at its deadline with 503 and keeps the copied ones', async () => {
    app.lookups.put('ann', file('a'), 'one');
    const request = (prefix: string) => {
      const models = Array.from({ length: 5 }, (_, at) => ({ source: 'a', destination: `${prefix}${at}` }));
      const body = Buffer.from(JSON.stringify({ models }));
      return { method: 'POST', path: `/ml/experiments/${id}/clone_models`, body, sessionToken: 'ann' };
    };
    const trial = new FaultPlan();
    expect((await app.request(request('trial'), trial)).status).to.equal(200);
    const late = new FaultPlan(Math.floor(trial.calls / 2), async () => app.site.clock.advance(26_000));
    const { status, json } = await app.request(request('b'), late);
    expect([status, json.error_code]).to.deep.equal([503, 'store_unavailable']);
    expect(json.message).to.match(/only [1-4] of 5 models/);
    expect(app.lookups.names()).to.include(`ann/${file('b0')}`);
  });

  it('copies every draft of the experiment to its final name', async () => {
    app.lookups.put('ann', file(`_exp_draft_${id}_fit`), 'one');
    app.lookups.put('ann', file(`_exp_draft_${id}`, 'onnx'), 'two');
    app.lookups.put('ann', file(`_exp_draft_${'0'.repeat(32)}_other`), 'other');
    app.lookups.put('ben', file(`_exp_draft_${id}_hidden`), 'hidden');
    const { status, json } = await clone();
    expect(status).to.equal(200);
    expect(json.result).to.deep.equal([
      { source: `_exp_draft_${id}`, destination: `_exp_${id}`, status: 'cloned' },
      { source: `_exp_draft_${id}_fit`, destination: `_exp_${id}_fit`, status: 'cloned' },
    ]);
    expect(app.lookups.text('ann', file(`_exp_${id}_fit`))).to.equal('one');
    expect(app.lookups.text('ann', file(`_exp_${id}`, 'onnx'))).to.equal('two');
    expect((await clone({})).json.error_code).to.equal('already_exists');
  });

  it('answers an experiment without drafts with an empty result', async () => {
    expect((await clone()).json).to.deep.include({ status: 'success', result: [] });
  });

  it('reports the outcome of each item and undoes nothing', async () => {
    app.lookups.put('ann', file('a'), 'A');
    app.lookups.put('ann', file('taken'), 'old');
    app.lookups.put('ben', file('hidden'));
    app.lookups.beforeWrite = (_what, name) => {
      if (name === file('broken')) throw new Fault('store_unavailable', 'The platform is not ready (503)');
    };
    const models = [
      { source: 'a', destination: 'b' },
      { source: 'a', destination: 'taken' },
      { source: 'hidden', destination: 'c' },
      { source: 'missing', destination: 'd' },
      { source: 'a', destination: 'broken' },
      { source: 'app:a', destination: 'e' },
    ];
    const { json } = await clone({ models });
    expect(statuses(json)).to.deep.equal([
      'cloned',
      'skipped already_exists',
      'failed not_found',
      'failed not_found',
      'failed store_unavailable',
      'cloned',
    ]);
    expect(app.lookups.text('ann', file('taken'))).to.equal('old');
    expect(app.lookups.names()).to.include.members([`ann/${file('b')}`, `ann/${file('e')}`]);
    const [entry] = (await app.call('ann', 'GET', `/experiments/${id}/history`)).json.result;
    expect(entry).to.deep.include({ action: 'clone_models', models: ['b', 'e'], status: 'fail' });
  });

  it('replaces only with overwrite and refuses when everything exists', async () => {
    app.lookups.put('ann', file('a'), 'A');
    app.lookups.put('ann', file('b'), 'B');
    const models = [{ source: 'a', destination: 'b' }];
    const refused = await clone({ models });
    expect(refused.status).to.equal(409);
    expect(refused.json).to.include({ error_code: 'already_exists' });
    expect(refused.json.result).to.deep.equal([{ ...models[0], status: 'skipped', error_code: 'already_exists' }]);
    expect(statuses((await clone({ models, overwrite: true })).json)).to.deep.equal(['cloned']);
    expect(app.lookups.text('ann', file('b'))).to.equal('A');
    expect(app.lookups.names().filter((name) => name.endsWith(file('b')))).to.have.length(1);
  });

  it('does not replace a destination created meanwhile', async () => {
    app.lookups.put('ann', file('a'));
    app.lookups.beforeWrite = () => {
      app.lookups.beforeWrite = () => {};
      app.lookups.put('ann', file('b'), 'theirs');
    };
    expect((await clone({ models: [{ source: 'a', destination: 'b' }] })).status).to.equal(409);
    expect(app.lookups.text('ann', file('b'))).to.equal('theirs');
  });

  it('reads and writes with the rights of the caller', async () => {
    app.lookups.put('nobody', file('shared'), 'S');
    const models = [{ source: 'shared', destination: 'mine' }];
    expect(statuses((await clone({ models, sharing: 'app' })).json)).to.deep.equal(['failed acl_denied']);
    expect(statuses((await clone({ models })).json)).to.deep.equal(['cloned']);
    expect(app.lookups.names()).to.include(`ann/${file('mine')}`);
    expect(
      statuses((await clone({ models: [{ source: 'shared', destination: 'all' }], sharing: 'app' }, 'root')).json),
    ).to.deep.equal(['cloned']);
    expect(app.lookups.names()).to.include(`nobody/${file('all')}`);
  });

  it("prefers the caller's model of two with one name", async () => {
    app.lookups.put('nobody', file('m'), 'shared');
    app.lookups.put('ann', file('m'), 'own');
    await clone({ models: [{ source: 'm', destination: 'copy' }] });
    expect(app.lookups.text('ann', file('copy'))).to.equal('own');
  });

  it('refuses two items with one destination, and invalid model names', async () => {
    app.lookups.put('ann', file('a'));
    const twice = await clone({
      models: [
        { source: 'a', destination: 'b' },
        { source: 'a', destination: 'B' },
      ],
    });
    expect(twice.status).to.equal(400);
    expect(twice.json.errors[0].field).to.equal('models.1.destination');
    for (const destination of ['', '../x', 'a b', 'a.b', '1a', 'x'.repeat(129)]) {
      expect((await clone({ models: [{ source: 'a', destination }] })).status, destination).to.equal(400);
    }
    for (const body of [{ models: [] }, { sharing: 'global' }, { overwrite: 'yes' }, { models: [{ source: 'a' }] }]) {
      expect((await clone(body)).status, JSON.stringify(body)).to.equal(400);
    }
    expect(app.lookups.names()).to.deep.equal([`ann/${file('a')}`]);
  });

  describe('when the experiment is deleted', () => {
    beforeEach(() => {
      for (const model of [`_exp_${id}_a`, `_exp_draft_${id}`, 'shared_model', `_exp_${'0'.repeat(32)}`]) {
        app.lookups.put('ann', file(model));
      }
      app.lookups.put('nobody', file(`_exp_${id}_b`));
    });
    const remaining = [`ann/${file(`_exp_${'0'.repeat(32)}`)}`, `ann/${file('shared_model')}`];

    it('deletes those that have its id and that the caller may write', async () => {
      const { json } = await app.call('ann', 'DELETE', `/experiments/${id}`);
      expect(json.deleted_models).to.have.members([`_exp_${id}_a`, `_exp_draft_${id}`]);
      expect(json.warnings).to.deep.equal([`The model _exp_${id}_b was not deleted: you lack write access`]);
      expect(app.lookups.names()).to.deep.equal([...remaining, `nobody/${file(`_exp_${id}_b`)}`].sort());
    });

    it('deletes all for an administrator', async () => {
      const { json } = await app.call('root', 'DELETE', `/experiments/${id}`);
      expect(json.deleted_models).to.have.length(3);
      expect(app.lookups.names()).to.deep.equal(remaining);
    });

    it('keeps them with keep_models=true', async () => {
      const { json } = await app.call('ann', 'DELETE', `/experiments/${id}?keep_models=true`);
      expect(json.deleted_models).to.deep.equal([]);
      expect(app.lookups.names()).to.have.length(5);
    });

    it('keeps them if the deletion is refused', async () => {
      const { status } = await app.call('ann', 'DELETE', `/experiments/${id}`, undefined, { 'If-Match': '7' });
      expect(status).to.equal(409);
      expect((await app.call('ben', 'DELETE', `/experiments/${id}`)).status).to.equal(404);
      expect(app.lookups.names()).to.have.length(5);
    });

    it('reports a failed deletion as a warning', async () => {
      app.lookups.beforeWrite = () => {
        throw new Fault('store_unavailable', 'The platform is not ready (503)');
      };
      const { status, json } = await app.call('ann', 'DELETE', `/experiments/${id}`);
      expect(status).to.equal(200);
      expect(json.deleted_models).to.deep.equal([]);
      expect(json.warnings).to.have.length(3);
    });

    it('reports models that cannot be listed and a history that cannot be removed as warnings', async () => {
      app.lookups.beforeList = () => {
        throw new Fault('store_unavailable', 'The platform is not ready (503)');
      };
      const { status, json } = await app.call('ann', 'DELETE', `/experiments/${id}`);
      expect(status).to.equal(200);
      expect(json).to.deep.include({ deleted_models: [], deleted_history: 1 });
      expect(json.warnings).to.have.length(1);
      app.lookups.beforeList = () => {};

      const removal = async (faults: FaultPlan) => {
        const made = (await app.call('ann', 'POST', '/experiments', { title: 'x', type: 'smart_forecast' })).json;
        const path = `/ml/experiments/${made.experiment_id}`;
        return app.request({ method: 'DELETE', path, sessionToken: 'ann' }, faults);
      };
      const baseline = new FaultPlan();
      await removal(baseline);
      const counted = baseline.trace.indexOf('count ml_experiment_history') + 1;
      expect(counted).to.be.greaterThan(0);
      const reply = await removal(new FaultPlan(counted, 'refused'));
      expect(reply.status).to.equal(200);
      expect(reply.json).to.deep.include({ deleted_history: 0 });
      expect(reply.json.warnings).to.deep.equal(['The history of the experiment could not be removed']);
    });
  });
});
