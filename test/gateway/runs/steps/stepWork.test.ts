import { expect } from 'chai';
import type { RunDoc, RunHistory, RunUsage } from '../../../../src/gateway/runs/documents/stored.ts';
import { summary } from '../../../../src/gateway/runs/steps/stepWork.ts';

const used = (cost?: number): RunUsage => ({
  ...{ requests: 1, input_tokens: 10, output_tokens: 2 },
  ...(cost === undefined ? {} : { cost }),
});
const sumOf = (...usages: (RunUsage | undefined)[]) => {
  const steps = usages.map((usage, index) => ({ _key: `${index}`, index, ...(usage ? { usage } : {}) }));
  return summary({} as RunDoc, { steps, claims: [] } as unknown as RunHistory).usage;
};

describe('usage of a run', () => {
  it('is the sum of its steps, in dollars without what binary fractions add', () => {
    expect(sumOf(used(0.1), undefined, used(0.2))).to.deep.equal({
      ...{ requests: 2, input_tokens: 20, output_tokens: 4, cost: 0.3 },
    });
  });

  it('has no cost where no step has a price', () => {
    expect(sumOf(used(), used())).not.to.have.property('cost');
    expect(sumOf(used(), used(0.5))).to.include({ cost: 0.5 });
  });
});
