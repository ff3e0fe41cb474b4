import { expect } from 'chai';
import { faultOf } from '../../support/fault.ts';
import { fixture } from '../../support/models/onnx.ts';
import {
  deep,
  endless,
  heavy,
  hugeConstant,
  hugeOutput,
  picking,
  slowWhereLarge,
  unknownOperator,
  wideOutput,
} from './hostileModels.ts';
import { LONG_MS, Predicting } from './predicting.ts';

const SHORT_MS = 1500;

describe('limits of uploaded models in their process', function () {
  this.timeout(LONG_MS * 2);
  const predicting = new Predicting();
  const predict = predicting.predict.bind(predicting);

  for (const [what, bytes, code, message] of [
    ['that does not end', endless, 'timeout', /did not answer in time/],
    ['with 500,000 operators in a row', deep, 'timeout', /did not answer in time/],
    ['with a huge constant', hugeConstant, 'model_not_runnable', /more memory than it may have/],
    ['with a constant beyond all memory', () => hugeConstant(2n ** 62n), 'model_not_runnable', /cannot run: /],
    ['with a huge output', hugeOutput, 'model_not_runnable', /more memory than it may have/],
    ['with an unknown operator', unknownOperator, 'model_not_runnable', /cannot run: .*Unheard/],
    ['of noise', () => Buffer.alloc(31_457_280, 'noise'), 'model_not_runnable', /cannot run: /],
  ] as const) {
    it(`one ${what} is stopped`, async () => {
      const limit = code === 'timeout' ? SHORT_MS : LONG_MS;
      const fault = await faultOf(predict(bytes(), [{ a: 1, b: 2, c: 3 }], { version: what }, limit));
      expect(fault.code).to.equal(code);
      expect(fault.message).to.match(message);
      expect(fault.message).not.to.match(/onnxruntime\/core/);
      // The next call starts anew.
      expect((await predict(fixture('linear'), [{ a: 1, b: 2, c: 3 }])).errors).to.deep.equal([]);
    });
  }

  it('a row that the model refuses fails alone, and the model stays loaded', async () => {
    predicting.reads = 0;
    const more = { features: ['a'], version: 'picking' };
    const refused = (row: number) => ({
      row,
      error_code: 'model_not_runnable',
      message: /^The model cannot run: .*indices element out of data bounds/,
    });
    const rows = [0, 99, 1, 'x', 2, -7, 0].map((a) => ({ a }));
    const { result, errors } = await predict(picking(), rows, more);
    expect(result.map((row) => row?.['predicted(y)'])).to.deep.equal([
      0.5,
      undefined,
      1.5,
      undefined,
      2.5,
      undefined,
      0.5,
    ]);
    expect(errors.map(({ row, error_code }) => [row, error_code])).to.deep.equal([
      [1, refused(1).error_code],
      [3, 'unreadable_value'],
      [5, refused(5).error_code],
    ]);
    expect(errors[0]?.message).to.match(refused(1).message);
    const fault = await faultOf(predict(picking(), [{ a: 99 }, { a: 98 }], more));
    expect([fault.code, fault.message]).to.satisfy(
      ([code, text]: string[]) => code === 'model_not_runnable' && refused(0).message.test(text ?? ''),
    );
    expect((await predict(picking(), [{ a: 1 }], more)).result).to.deep.equal([{ 'predicted(y)': 1.5 }]);
    expect(predicting.reads).to.equal(1);
  });

  it('rows that need too much memory together are halved', async () => {
    const rows = Array.from({ length: 6000 }, (_, index) => ({ a: index, b: 0, c: 0 }));
    const { result, errors } = await predict(heavy(), rows, { version: 'heavy' });
    expect(errors).to.deep.equal([]);
    expect(result).to.deep.equal(rows.map(({ a }) => ({ 'predicted(y)': a })));
  });

  it('a wide output is cut to the targets', async () => {
    const { result } = await predict(wideOutput(), [
      { a: 1, b: 2, c: 3 },
      { a: 4, b: 5, c: 6 },
    ]);
    expect(result).to.deep.equal([{ 'predicted(y)': 1 }, { 'predicted(y)': 4 }]);
  });

  it('a call that is stopped takes no other with it', async () => {
    predicting.reads = 0;
    const slow = predicting.of(slowWhereLarge(), { version: 'slow' });
    const row = { a: 1, b: 0, c: 0 };
    await slow([row]);
    const endless = faultOf(slow([{ ...row, a: 1e15 }], 300));
    const other = slow([row]);
    expect((await endless).code).to.equal('timeout');
    expect((await other).result).to.deep.equal([{ 'predicted(y)': 2 }]);
    expect(predicting.reads).to.equal(2);
  });

  it('loading goes on for those who still wait', async () => {
    predicting.reads = 0;
    const both = predicting.of(fixture('linear'), { version: 'both' });
    const row = { a: 1, b: 2, c: 3 };
    const first = faultOf(both([row], 1));
    const second = both([row]);
    expect((await first).code).to.equal('timeout');
    expect((await second).errors).to.deep.equal([]);
    expect(predicting.reads).to.equal(1);
  });

  it('a call in the queue ends at its own deadline and disturbs nobody', async () => {
    const slow = predicting.of(fixture('linear'), { version: 'queue' });
    const row = { a: 1, b: 2, c: 3 };
    const first = slow([row]);
    const second = faultOf(slow([row], 0));
    expect((await first).errors).to.deep.equal([]);
    expect((await second).code).to.equal('timeout');
  });
});
