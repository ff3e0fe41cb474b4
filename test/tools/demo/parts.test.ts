import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { HOUR_S, parseRows } from '../../../src/metering/usage/sums.ts';
import { valueFor } from '../../../tools/demo/peers/topics.ts';
import { usageDay } from '../../../tools/demo/usageDay.ts';
import { project } from '../../support/e2e/build.ts';
import { type Graph, onnxFile } from '../../support/models/onnxModel.ts';

/** The logit of an outage rises with the load. */
const OUTAGE_RISK: Graph = {
  inputs: [{ name: 'X', type: 'float', dims: ['rows', 3] }],
  outputs: [
    { name: 'label', type: 'string', dims: ['rows'] },
    { name: 'probabilities', type: 'float', dims: ['rows', 2] },
  ],
  nodes: [
    {
      operator: 'LinearClassifier',
      domain: 'ai.onnx.ml',
      inputs: ['X'],
      outputs: ['label', 'scores'],
      attributes: {
        coefficients: [-0.03, -0.02, -0.04, 0.03, 0.02, 0.04],
        intercepts: [5.5, -5.5],
        classlabels_strings: ['no', 'yes'],
        multi_class: 0,
      },
    },
    { operator: 'Softmax', inputs: ['scores'], outputs: ['probabilities'], attributes: { axis: 1 } },
  ],
};

describe('parts of the demo', () => {
  it('npm start says what --demo does, and what the platform takes', () => {
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    const [, command] = /&& exec (.+)$/.exec(scripts.start) ?? [];
    const { stdout } = spawnSync(`${command} --help`, { cwd: project, shell: true, encoding: 'utf8' });
    expect(stdout).to.match(/^ {2}--demo {13}with examples that work offline/m);
    expect(stdout).to.match(/^ {2}--package <file> {3}a packed app instead/m);
    expect(stdout).to.include('(default: dist/ml_extension)');
  });

  it('its ONNX model is what this graph says', () => {
    expect(readFileSync(join(project, 'tools/demo/outage_risk.onnx'))).to.deep.equal(onnxFile(OUTAGE_RISK));
  });

  it('its usage is of the 24 whole hours before, each with sums that are possible', () => {
    const now = 1_700_000_000;
    const hours = usageDay(now).sort((a, b) => a.from - b.from);
    expect(hours).to.have.length(24);
    const thisHour = now - (now % HOUR_S);
    expect(hours.map(({ from, to }) => [from, to])).to.deep.equal(
      hours.map((_, index) => [thisHour - (24 - index) * HOUR_S, thisHour - (23 - index) * HOUR_S]),
    );
    for (const row of hours.flatMap(parseRows)) {
      expect(row.requests, row.model).to.be.above(0);
      expect(row.failed, row.model).to.be.within(0, row.requests);
      const isOfTokens = ['chat', 'embeddings'].includes(row.operation);
      expect('cost' in row, row.model).to.equal(isOfTokens);
      if (row.failed === row.requests) expect(row.input_tokens, row.model).to.equal(0);
    }
  });

  it('its model fills every kind of schema', () => {
    const properties = {
      severity: { type: 'string', enum: ['low', 'high'] },
      area: { type: 'string', enum: ['network', 'storage', 'other'] },
      cause: { type: 'string' },
      hosts: { type: 'array', items: { type: 'string' } },
      percent: { type: 'number' },
      is_outage: { type: 'boolean' },
    };
    expect(valueFor({ type: 'object', properties }, 'disk at 94 % is full on db-3')).to.deep.equal({
      ...{ severity: 'high', area: 'storage', cause: 'a disk is full', hosts: ['db-3'], percent: 94, is_outage: true },
    });
  });
});
