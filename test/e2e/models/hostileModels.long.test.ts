import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  deep,
  endless,
  hugeConstant,
  hugeOutput,
  unknownOperator,
  wideOutput,
} from '../../adapters/onnx/hostileModels.ts';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { fixture } from '../../support/models/onnx.ts';
import { patience } from '../../support/time.ts';
import { MOUNT } from '../gateway/gatewayPlatform.ts';

describe('models that would take the driver down', function () {
  // One that does not end is given 20 seconds.
  this.timeout(patience(60_000));
  let platform: TestPlatform;
  const upload = (bytes: Buffer) =>
    platform.ml('ann', 'POST', '/upload_model', {
      ...{ model_name: 'hostile', features: ['a', 'b', 'c'], targets: ['y'], overwrite: true },
      model_file: bytes.toString('base64'),
    });
  before(async () => {
    platform = await startPlatform({ env: { ML_DRIVERS: '1' } });
    await platform.createUser('ann', ['ml_admin']);
    await platform.ml('ann', 'GET', '/list_models');
  });
  after(() => platform.dispose());

  for (const [what, bytes, said] of [
    ['an endless loop', endless, /did not load, or did not answer/],
    ['500,000 operators in a row', deep, /did not load, or did not answer/],
    ['a huge constant', hugeConstant, /more memory/],
    ['a huge output', hugeOutput, /more memory/],
    ['an unknown operator', unknownOperator, /Unheard/],
  ] as const) {
    it(`refuses ${what}, and lives`, async () => {
      const [driver] = platform.drivers();
      const { status, json, text } = await upload(bytes());
      expect([status, json.error_code], text).to.deep.equal([400, 'model_not_runnable']);
      expect(json.message).to.match(said);
      expect(platform.drivers()).to.deep.equal([driver]);
      expect((await platform.ml('ann', 'GET', '/list_models')).json.result).to.deep.equal([]);
    });
  }

  for (const [what, bytes, said] of [
    ['30 MB of noise', () => Buffer.alloc(31_457_280, 'noise'), /not an ONNX model/],
    ['data outside the file', () => fixture('bad_external'), /outside the file/],
  ] as const) {
    it(`refuses ${what}, and lives`, async () => {
      const [driver] = platform.drivers();
      const { status, json, text } = await upload(bytes());
      expect([status, json.error_code, json.errors?.[0].field], text).to.deep.equal([
        ...[400, 'validation_failed', 'model_file'],
      ]);
      expect(json.errors[0].message).to.match(said);
      expect(platform.drivers()).to.deep.equal([driver]);
    });
  }

  it('takes the first values of a very wide output, and lives', async () => {
    const [driver] = platform.drivers();
    const { status, text } = await upload(wideOutput());
    expect(status, text).to.equal(200);
    expect(platform.drivers()).to.deep.equal([driver]);
    const body = { model: 'hostile', rows: [{ a: 1, b: 2, c: 3 }] };
    const { json } = await platform.call('ann', 'POST', `${MOUNT}/predict`, body);
    expect(json.result).to.deep.equal([{ 'predicted(y)': 1 }]);
    expect((await platform.ml('ann', 'DELETE', '/list_models/hostile')).status).to.equal(200);
  });

  it('refuses a model without an output that is a tensor', async () => {
    const { status, json } = await upload(fixture('sequence'));
    expect([status, json.errors[0].field]).to.deep.equal([400, 'model_file']);
    expect(existsSync(join(platform.home, 'etc/users/ann/ml_extension/lookups/__mlspl_hostile.onnx'))).to.equal(false);
  });
});
