import { expect } from 'chai';
import { Fault } from '../../../../src/contract/codes/faults.ts';
import { parseSpan, readParams } from '../../../../src/gateway/runs/alerts/params.ts';

const problemsOf = (params: Record<string, string>): string[] => {
  try {
    readParams(params);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    expect(error.code).to.equal('validation_failed');
    return (error.extra.errors as { field: string }[]).map(({ field }) => field);
  }
  return [];
};

describe('parameters of the alert action', () => {
  it('have defaults, also where they are empty, and unknown ones are ignored', () => {
    const defaults = {
      ...{ agent: 'triage', model: '', input: '', per: 'alert', maxRows: 20, maxRuns: 20, key: '', suppressS: 3600 },
      ...{ index: '', sourcetype: 'ml_extension:answer', onApproval: 'wait' },
    };
    expect(readParams({ agent: ' triage ' })).to.deep.equal(defaults);
    const empty = {
      per: '',
      max_rows: ' ',
      max_runs: '',
      suppress: '',
      sourcetype: '',
      on_approval: '',
      colour: 'red',
    };
    expect(readParams({ agent: 'triage', ...empty })).to.deep.equal(defaults);
  });

  it('are read as texts', () => {
    const params = { per: 'row', max_rows: '5', max_runs: '500', key: '{user}', suppress: '1d', on_approval: 'reject' };
    expect(readParams({ model: 'fast', ...params, index: 'main', sourcetype: 'a:b' })).to.include({
      ...{ agent: '', model: 'fast', per: 'row', maxRows: 5, maxRuns: 500, key: '{user}', suppressS: 86_400 },
      ...{ onApproval: 'reject', index: 'main', sourcetype: 'a:b' },
    });
  });

  it('are all named that cannot be read', () => {
    expect(problemsOf({})).to.deep.equal(['alert.params.agent']);
    expect(problemsOf({ agent: 'a', model: 'm' })).to.deep.equal(['alert.params.model']);
    const wrong = {
      per: 'rows',
      max_rows: '0',
      max_runs: '501',
      suppress: 'soon',
      on_approval: 'ask',
      sourcetype: 'a b',
    };
    expect(problemsOf({ agent: 'a', ...wrong }).sort()).to.deep.equal(
      ['max_rows', 'max_runs', 'on_approval', 'per', 'sourcetype', 'suppress'].map((name) => `alert.params.${name}`),
    );
    expect(problemsOf({ agent: 'a', max_runs: '1e2' })).to.deep.equal(['alert.params.max_runs']);
    expect(problemsOf({ agent: 'a', index: 'i'.repeat(129) })).to.deep.equal(['alert.params.index']);
  });

  for (const [text, seconds] of [
    ['30s', 30],
    ['1m', 60],
    ['90 min', 5400],
    ['1h', 3600],
    ['2hrs', 7200],
    ['1d', 86_400],
    ['1w', 604_800],
    ['45', 45],
    ['0s', 0],
    ['1H', 3600],
    ['400d', undefined],
    ['1mon', undefined],
    ['-1h', undefined],
    ['h', undefined],
    ['1h30m', undefined],
    ['', undefined],
  ] as const) {
    it(`read the span ${text || 'without text'} as ${seconds}`, () => {
      expect(parseSpan(text)).to.equal(seconds);
    });
  }
});
