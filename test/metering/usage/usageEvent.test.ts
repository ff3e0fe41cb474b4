import { expect } from 'chai';
import { usageEvent } from '../../../src/metering/usage/usageEvent.ts';
import type { UseRecord } from '../../../src/metering/usage/useRecord.ts';

describe('the event of a use', () => {
  it('can be written whatever was sent and answered', () => {
    const depth = 50_000;
    const deep = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    const use = { time: 1, operation: 'predict', provider: 'onnx', model: 'm' } as UseRecord;
    const left = 'left out: nested deeper than 256 levels';
    const event = usageEvent(use, { input: { rows: [{ a: deep }] }, output: [{ p: 1 }] });
    expect(JSON.parse(JSON.stringify(event)).content).to.deep.equal({ input: left, output: [{ p: 1 }] });
    expect(JSON.parse(JSON.stringify(usageEvent(use, undefined)))).not.to.have.property('content');
  });
});
