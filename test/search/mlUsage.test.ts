import { expect } from 'chai';
import type { ApiAnswer } from '../../src/ports/platform/ownApi.ts';
import { planOf } from '../../src/search/arguments.ts';
import { type Output, SearchError } from '../../src/search/command.ts';
import { mlUsage } from '../../src/search/mlUsage.ts';
import { ManualClock } from '../support/memory/clock.ts';

const INFO = { sessionKey: 'key', serverUri: 'https://127.0.0.1:8089', sid: '', maxRows: 50_000 };
const SUMS = { requests: 2, failed: 1, input_tokens: 10, output_tokens: 5, unpriced: 2 };
const MEANS = { upstream_ms_mean: 20.5, overhead_ms_mean: 3 };

describe('mlusage', () => {
  let asked: unknown[];
  let answer: ApiAnswer;
  beforeEach(() => {
    asked = [];
    answer = { status: 200, body: { result: [{ user: 'ann', model: 'm', ...SUMS, ...MEANS }] } };
  });
  const unused = async () => expect.fail('not asked for');
  const usage = async () => ({
    report: async (query: object) => {
      asked.push(query);
      return answer;
    },
  });
  const parts = {
    agents: unused,
    health: unused,
    usage,
    catalogue: unused,
    gateway: unused,
    models: unused,
    runs: unused,
    clock: new ManualClock(),
  };
  async function run(text: string, maxRows = INFO.maxRows): Promise<Output[]> {
    const outputs: Output[] = [];
    for await (const output of planOf(mlUsage, text).generate({ ...INFO, maxRows }, parts)) outputs.push(output);
    return outputs;
  }

  it('gives the rows of the report, by user and model without arguments', async () => {
    const [{ rows, last }] = (await run('')) as [Output];
    expect([rows, last]).to.deep.equal([[{ user: 'ann', model: 'm', ...SUMS, ...MEANS }], true]);
    expect(asked).to.deep.equal([{ by: 'user,model' }]);
    expect(planOf(mlUsage, '').fields).to.not.include.members(['_time', 'alias']);
  });

  it('passes its arguments on, and the begin of an interval as _time', async () => {
    answer.body = { result: [{ time: 1_767_225_600, via: 'search', ...SUMS, ...MEANS, cost: 0.5 }] };
    const text = 'by=via interval=DAY earliest=2026-01-01 latest=1767312000';
    const [{ rows }] = (await run(text)) as [Output];
    expect(rows[0]).to.include({ _time: '1767225600', via: 'search', cost: 0.5 }).and.not.have.property('time');
    expect(asked).to.deep.equal([{ by: 'via', interval: 'day', earliest: '2026-01-01', latest: '1767312000' }]);
    expect(planOf(mlUsage, text).fields.slice(0, 3)).to.deep.equal(['_time', 'via', 'requests']);
  });

  it('splits rows into chunks, and says when the report was cut', async () => {
    answer.body = { result: ['a', 'b', 'c'].map((user) => ({ user, ...SUMS, ...MEANS })), truncated: true };
    const outputs = await run('by=user', 2);
    expect(outputs.map(({ rows, last }) => [rows.length, last])).to.deep.equal([
      [2, false],
      [1, true],
    ]);
    expect(outputs.flatMap(({ messages = [] }) => messages)).to.have.length(1);
  });

  it('fails with the message of the endpoint, and for an unknown interval', async () => {
    answer = { status: 400, body: { message: 'by: must be one or two' } };
    const failure = await run('by=nothing').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(SearchError);
    expect((failure as Error).message).to.contain('must be one or two');
    expect(() => planOf(mlUsage, 'interval=week')).to.throw(/hour, day, month/);
  });
});
