import { expect } from 'chai';
import { expectStatus, startPlatform, type TestPlatform } from '../../../support/e2e/platform.ts';
import { fixture } from '../../../support/models/onnx.ts';
import { until } from '../../../support/time.ts';
import { dispatch, finished, searched } from '../../agents/agentSupport.ts';

const ROWS = '| makeresults count=3 | streamstats count as n | eval a=0, b=n, c=if(n=2, "x", "0.5")';

describe('searches that apply models', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  const upload = (user: string, model_name: string, more: object = {}) =>
    platform.ml(user, 'POST', '/upload_model', {
      ...{ model_name, features: ['a', 'b', 'c'], targets: ['y'], model_file: fixture('linear').toString('base64') },
      ...more,
    });
  before(async () => {
    platform = await startPlatform();
    for (const user of ['ann', 'ben']) await platform.createUser(user, ['ml_admin']);
    await platform.createUser('reader', ['ml_user']);
    for (const made of [await upload('admin', 'shared', { sharing: 'app' }), await upload('ann', 'own')]) {
      expectStatus(made, 200, 'an upload');
    }
  });
  after(() => platform.dispose());

  it('adds predictions of models that their owner may read', async () => {
    const rows = [
      { n: '1', 'predicted(y)': '2', prediction_error: '' },
      { n: '2', 'predicted(y)': '', prediction_error: 'unreadable_value' },
      { n: '3', 'predicted(y)': '4', prediction_error: '' },
    ];
    for (const [user, model] of [
      ['reader', 'shared'],
      ['ann', 'shared'],
      ['ann', 'own'],
    ] as const) {
      const text = `${ROWS} | mlpredict model=${model} | table n "predicted(y)" prediction_error`;
      expect((await searched(platform, user, text)).rows, `${user} ${model}`).to.deep.equal(rows);
    }
  });

  it('refuses what they may not read', async () => {
    const { json } = await dispatch(platform, 'ben', `${ROWS} | mlpredict model=own`);
    const { isFailed, messages } = await finished(platform, 'ben', json.sid);
    expect(isFailed).to.equal(true);
    expect(JSON.stringify(messages)).to.contain('The model does not exist, or you may not read it');
  });

  it('is one use for a search', async () => {
    const usage = await until(
      async () => (await platform.ml('reader', 'GET', '/usage?by=model,operation')).json.result,
      (result: { model: string }[]) => result.some(({ model }) => model === 'shared'),
    );
    expect(usage).to.have.length(1);
    expect(usage[0]).to.include({ model: 'shared', operation: 'predict', requests: 1, failed: 0 });
  });
});
