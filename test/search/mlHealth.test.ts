import { expect } from 'chai';
import type { ApiAnswer, HealthApi } from '../../src/ports/platform/ownApi.ts';
import { planOf } from '../../src/search/arguments.ts';
import { type Output, SearchError } from '../../src/search/command.ts';
import { mlHealth } from '../../src/search/mlHealth.ts';
import { ManualClock } from '../support/memory/clock.ts';

const INFO = { sessionKey: 'key', serverUri: 'https://127.0.0.1:8089', sid: '', maxRows: 50_000 };
const GOOD = {
  family: 'mcp-connections',
  name: 'tools',
  type: 'PLATFORM',
  state: 'ok',
  reason: 'The last test passed',
  last_test: { status: 'success', error_code: null, tested_at: 1_767_225_000.5, response_time_ms: 12 },
  drift: { added: ['a', 'b'], removed: [], changed: ['c'] },
  unaccepted: ['a', 'c'],
  used_by: ['triage', 'helper'],
};
const NEW = { family: 'vector-stores', name: 'handbook', type: 'CLOUD_KB', state: 'untested', reason: 'not yet' };

describe('mlhealth', () => {
  const clock = new ManualClock();
  const now = clock.now() / 1000;
  const page = (result: object[], next: number | null = null, more = {}): ApiAnswer => ({
    status: 200,
    body: { status: 'success', result, pagination: { next_offset: next }, ...more },
  });
  let asked: unknown[];
  let answer: (offset: number) => ApiAnswer;
  const api: HealthApi = {
    list: async (...args) => {
      asked.push(['list', ...args]);
      return answer(args[1]);
    },
    check: async (...args) => {
      asked.push(['check', ...args]);
      return answer(0);
    },
  };
  beforeEach(() => {
    asked = [];
    answer = () => page([GOOD, { ...NEW, last_test: {}, used_by: [], expires_at: now + 2.5 * 86_400 }]);
  });
  const unused = async () => expect.fail('not asked for');
  const parts = {
    agents: unused,
    health: async () => api,
    usage: unused,
    catalogue: unused,
    gateway: unused,
    models: unused,
    runs: unused,
    clock,
  };
  async function run(text: string, maxRows = INFO.maxRows): Promise<Output[]> {
    const outputs: Output[] = [];
    for await (const output of planOf(mlHealth, text).generate({ ...INFO, maxRows }, parts)) outputs.push(output);
    expect(outputs.map(({ last = false }) => last)).to.deep.equal([...outputs.slice(1).map(() => false), true]);
    return outputs;
  }
  const rows = async (text: string) => (await run(text)).flatMap((output) => output.rows);

  it('emits a row for each connection with one value a field', async () => {
    const [good, fresh] = await rows('');
    expect(good).to.deep.equal({
      _time: now.toFixed(3),
      ...{ family: 'mcp-connections', name: 'tools', type: 'PLATFORM', state: 'ok', reason: 'The last test passed' },
      ...{ error_code: '', remedy: '', last_test_status: 'success', last_test_error_code: '' },
      ...{ tested_at: 1_767_225_000.5, response_time_ms: 12, expires_at: '', expires_in_days: '' },
      ...{
        drift_added: 2,
        drift_removed: 0,
        drift_changed: 1,
        unaccepted: 'a, c',
        used_by: 'triage, helper',
        checked: '',
      },
    });
    expect(fresh).to.include({ state: 'untested', last_test_status: '', expires_in_days: 2.5, drift_added: '' });
    expect(asked).to.deep.equal([['list', undefined, 0]]);
  });

  it('tests first with check=true, by default connections not tested for 300 seconds', async () => {
    answer = () => ({ status: 200, body: { result: [{ ...GOOD, checked: true }], warnings: ['no time'] } });
    const [output] = await run('check=true family=mcp-connections');
    expect(output?.rows[0]).to.include({ checked: 1 });
    expect(output?.messages).to.deep.equal([['WARN', 'mlhealth: no time']]);
    await rows('check=1 max_age=0');
    expect(asked).to.deep.equal([
      ['check', 'mcp-connections', 300],
      ['check', undefined, 0],
    ]);
  });

  it('filters by state', async () => {
    expect((await rows('state=untested')).map(({ name }) => name)).to.deep.equal(['handbook']);
    expect(await rows('state=failing')).to.deep.equal([]);
  });

  it('reads all pages, in chunks', async () => {
    answer = (offset) =>
      page(
        Array.from({ length: 5 }, () => GOOD),
        offset === 0 ? 5 : null,
      );
    const outputs = await run('', 2);
    expect(outputs.map((output) => output.rows.length)).to.deep.equal([2, 2, 1, 2, 2, 1]);
    expect(asked).to.have.length(2);
  });

  it('ends the search with the reason of a failed call', async () => {
    answer = () => ({ status: 503, body: { message: 'The store is not ready' } });
    const failed = await run('').catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(SearchError);
    expect((failed as Error).message).to.equal('The connections cannot be read (503): The store is not ready');
  });

  for (const text of [
    'family=containers',
    'state=bad',
    'check=perhaps',
    'max_age=5',
    'check=true max_age=-1',
    'check=true max_age=x',
    'check=true max_age=99999999',
    'user=admin',
  ]) {
    it(`refuses ${text} before any call`, () => {
      expect(() => planOf(mlHealth, text)).to.throw(SearchError);
      expect(asked).to.deep.equal([]);
    });
  }
});
