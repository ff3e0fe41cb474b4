import { expect } from 'chai';

interface Counts {
  checked?: number;
  backed?: number;
  derived?: number;
  unverified?: number;
  error_code?: string;
}
interface Words {
  evidenceWords(evidence: Counts): string;
  sourceWords(source: { input?: true; step?: number; run_id?: string; field?: string }): string;
  unverifiedWords(run: { evidence?: Counts }): string;
}

// The types of the pages are compiled separately.
const load = (name: string) => import(new URL(`../../../console/parts/${name}.ts`, import.meta.url).href);
const { evidenceWords, sourceWords, unverifiedWords }: Words = {
  ...(await load('evidence/words')),
  ...(await load('runs/words')),
};

const counts = (backed: number, derived: number, unverified: number): Counts => ({
  ...{ checked: backed + derived + unverified, backed, derived, unverified },
});

describe('the words for the evidence of a run', () => {
  for (const [expected, evidence] of [
    [
      "3 of 12 values were not found in the run's data; 8 were found there, 1 follows from values there.",
      counts(8, 1, 3),
    ],
    ["1 of 1 value was not found in the run's data.", counts(0, 0, 1)],
    ["1 of 1,200 values was not found in the run's data; 1,199 were found there.", counts(1199, 0, 1)],
    ["Of 3 values 1 was found in the run's data, 2 follow from values there.", counts(1, 2, 0)],
    ["All 2 values follow from values in the run's data.", counts(0, 2, 0)],
    ["The only value follows from values in the run's data.", counts(0, 1, 0)],
    ["2 of 3 values were not found in the run's data; 1 follows from values there.", counts(0, 1, 2)],
    ["All 12 values were found in the run's data.", counts(12, 0, 0)],
    ["The only value was found in the run's data.", counts(1, 0, 0)],
    ['The answer has no addresses, names, numbers or the like to look up.', counts(0, 0, 0)],
    ['The check took too long; nothing was compared.', { error_code: 'timeout' }],
    ['The check failed (internal_error); nothing was compared.', { error_code: 'internal_error' }],
  ] as const)
    it(`are: ${expected}`, () => {
      expect(evidenceWords(evidence)).to.equal(expected);
    });

  it('never say that something is true', () => {
    for (const evidence of [counts(8, 1, 3), counts(1, 0, 0), counts(0, 0, 0), { error_code: 'timeout' }]) {
      expect(evidenceWords(evidence) + unverifiedWords({ evidence })).to.not.match(/true|verified|correct/i);
    }
  });

  it('name the sources', () => {
    expect(sourceWords({ step: 0, field: 'host' })).to.equal('step 0, field host');
    expect(sourceWords({ step: 2 })).to.equal('step 2');
    expect(sourceWords({ input: true })).to.equal('the input');
    expect(sourceWords({ input: true, field: 'src' })).to.equal('the input, field src');
    expect(sourceWords({ run_id: 'abc', step: 3, field: 'x' })).to.equal('step 3 of an earlier run, field x');
  });

  it('count what was not found in lists of runs', () => {
    expect(unverifiedWords({ evidence: counts(8, 1, 3) })).to.equal('3 of 12 values not found in its data');
    expect(unverifiedWords({ evidence: counts(0, 0, 1) })).to.equal('1 of 1 value not found in its data');
    expect(unverifiedWords({ evidence: { error_code: 'timeout' } })).to.equal('answer not compared with its data');
    for (const run of [{}, { evidence: counts(5, 0, 0) }]) expect(unverifiedWords(run)).to.equal('');
  });
});
