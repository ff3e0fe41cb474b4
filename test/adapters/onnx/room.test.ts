import { expect } from 'chai';
import { onnxRuntime, type RunnerRoom } from '../../../src/adapters/onnx/model/runtime.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../src/domain/async/unmetered.ts';
import { unmasked } from '../../../src/masking/outgoing.ts';
import { onnxPredictors } from '../../../src/predictions/onnxPredictors.ts';
import { faultOf } from '../../support/fault.ts';
import { fixture } from '../../support/models/onnx.ts';
import { eventually } from '../../support/time.ts';
import { LONG_MS } from './predicting.ts';

const PROGRAM = new URL('../../../src/main/onnxRunner.ts', import.meta.url);
const NAMES = { features: ['a', 'b', 'c'], targets: ['y'] };

/** Room for so many runners, shared by several runtimes as by several processes. */
class FakeRoom implements RunnerRoom {
  taken = 0;
  readonly count: number;
  constructor(count: number) {
    this.count = count;
  }
  async take() {
    if (this.taken >= this.count) return undefined;
    this.taken += 1;
    const release = () => {
      this.taken -= 1;
    };
    return { release };
  }
}

describe('the memory of a machine for uploaded models', function () {
  this.timeout(LONG_MS * 2);

  it('has room for so many runners, and again once one has ended', async () => {
    const room = new FakeRoom(2);
    const [one, two] = [onnxRuntime(PROGRAM, 'process', room), onnxRuntime(PROGRAM, 'process', room)];
    const open = (runtime: typeof one) => runtime.open(fixture('linear'), NAMES, startDeadline(LONG_MS));
    const models = [await open(one), await open(two)];
    const fault = await faultOf(open(one));
    expect([fault.code, fault.extra]).to.deep.equal(['too_many_requests', { retry_after: 1 }]);
    models[0]?.close();
    await eventually(() => room.taken === 1);
    const again = await open(two);
    expect(room.taken).to.equal(2);
    for (const model of [...models, again]) model.close();
    await eventually(() => room.taken === 0);
    // A file that is no model leaves no runner.
    await faultOf(one.open(Buffer.from('none'), NAMES, startDeadline(LONG_MS)));
    await eventually(() => room.taken === 0);
  });

  it('is not held by a model that nobody uses while there is none left', async () => {
    const room = new FakeRoom(2);
    const predictors = onnxPredictors(onnxRuntime(PROGRAM, 'process', room));
    const predict = (version: string) =>
      predictors
        .of({ model: 'm', ...NAMES, version, read: async () => fixture('linear') })
        .predict(unmasked({ rows: [{ a: 0, b: 1, c: 0 }] }), unmetered(startDeadline(LONG_MS)), () => {});
    for (const version of ['1', '2', '3', '4']) {
      expect((await predict(version)).result).to.deep.equal([{ 'predicted(y)': 1 }]);
      // One stays loaded, the other gives its place back.
      await eventually(() => room.taken === 1);
    }
  });
});
