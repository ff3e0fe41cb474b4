import { expect } from 'chai';
import { onnxInspector } from '../../../src/adapters/onnx/inspector.ts';
import { Fault } from '../../../src/contract/codes/faults.ts';
import { filesOfValues, fixture, hostileFiles, modelOf, modelOfTrees } from '../../support/models/onnx.ts';
import { patience } from '../../support/time.ts';

const inspector = onnxInspector();

async function refusal(bytes: Uint8Array): Promise<string> {
  try {
    await inspector.inspect(bytes);
  } catch (error) {
    expect(error).to.be.instanceOf(Fault);
    const [problem] = (error as Fault).extra.errors as { field: string; message: string }[];
    expect((error as Fault).code).to.equal('validation_failed');
    expect(problem?.field).to.equal('model_file');
    return problem?.message ?? '';
  }
  return 'taken';
}

describe('structure of ONNX models', () => {
  it('reads versions, inputs and outputs', async () => {
    expect(await inspector.inspect(fixture('linear'))).to.deep.equal({
      ir_version: 8,
      opset_version: 17,
      inputs: [{ name: 'X', dims: [null, 3] }],
      outputs: [{ name: 'Y', dims: [null, 1] }],
    });
    const dynamic = await inspector.inspect(fixture('dynamic'));
    expect(dynamic.inputs).to.deep.equal([{ name: 'X', dims: [null, null] }]);
    const columns = await inspector.inspect(fixture('columns'));
    expect(columns.inputs.map(({ name }) => name)).to.deep.equal(['a', 'b', 'c']);
    const sequence = await inspector.inspect(fixture('sequence'));
    expect(sequence.inputs).to.deep.equal([{ name: 'S', dims: undefined }]);
    expect((await inspector.inspect(fixture('operators_of_ml'))).opset_version).to.equal(17);
  });

  it('leaves out constants that an old model lists as inputs, and the insides of subgraphs', async () => {
    const old = await inspector.inspect(fixture('old'));
    expect(old).to.deep.include({ ir_version: 3, opset_version: 9, inputs: [{ name: 'X', dims: [1, 3] }] });
    const branches = await inspector.inspect(fixture('branches'));
    expect(branches.inputs.map(({ name }) => name)).to.deep.equal(['X', 'C']);
    expect(branches.outputs.map(({ name }) => name)).to.deep.equal(['Y']);
  });

  it('says what a model lacks', async () => {
    for (const [name, words] of Object.entries({
      bad_no_inputs: 'without inputs',
      bad_constants_alone: 'without inputs',
      bad_no_outputs: 'without outputs',
      bad_no_operators: 'no operator set',
      bad_no_version: 'no IR version',
      bad_no_graph: 'no graph',
    })) {
      expect(await refusal(fixture(name)), name).to.contain(words);
    }
  });

  it('refuses data outside of the file, wherever it is referred to', async () => {
    for (const name of ['bad_external', 'bad_external_in_branch', 'bad_external_mark', 'bad_external_sparse']) {
      expect(await refusal(fixture(name)), name).to.contain('outside the file');
    }
  });

  it('refuses a model cut off at any byte', async () => {
    for (const name of ['linear', 'branches', 'old']) {
      const model = fixture(name);
      for (let length = 0; length < model.length; length += 1) {
        expect(await refusal(model.subarray(0, length)), `${name} at ${length}`).to.not.equal('taken');
      }
    }
  });

  it('never fails otherwise when any byte is another', async () => {
    const model = fixture('branches');
    for (let at = 0; at < model.length; at += 1) {
      for (const other of [0x00, 0x7f, 0x80, 0xff, (model[at] ?? 0) ^ 1]) {
        const changed = Buffer.from(model);
        changed[at] = other;
        await refusal(changed);
      }
    }
  });

  it('takes a model of 30 MB without a copy of its weights', async () => {
    const bytes = modelOf(31_457_280);
    expect(bytes.length).to.equal(31_457_280);
    await inspector.inspect(fixture('linear'));
    const before = process.memoryUsage().rss;
    expect((await inspector.inspect(bytes)).inputs).to.have.length(1);
    expect(process.memoryUsage().rss - before).to.be.lessThan(20_000_000);
  });

  for (const { what, bytes } of hostileFiles()) {
    it(`refuses ${what} without a jump of memory`, async () => {
      const file = bytes();
      const before = process.memoryUsage().rss;
      expect(await refusal(file)).to.not.equal('taken');
      expect(process.memoryUsage().rss - before).to.be.lessThan(100_000_000);
    });
  }

  describe('files of millions of values', () => {
    /** How long a good one takes, in ms. */
    let good = 0;

    it('takes 30 MB of the numbers of decision trees', async () => {
      const trees = modelOfTrees();
      expect(await refusal(trees)).to.equal('taken');
      good = Math.min(await timed(trees), await timed(trees));
    });

    for (const { what, bytes } of filesOfValues()) {
      it(`decides 30 MB of ${what} about as quickly as a good model`, async () => {
        const file = bytes();
        const bound = Math.max(8 * good, patience(600));
        // The first run may meet code that is not compiled yet.
        const first = await timed(file);
        const hostile = first < bound ? first : await timed(file);
        expect(hostile, `against ${good.toFixed(0)} ms`).to.be.lessThan(bound);
      });
    }
  });
});

async function timed(bytes: Uint8Array): Promise<number> {
  const started = performance.now();
  await refusal(bytes);
  return performance.now() - started;
}
