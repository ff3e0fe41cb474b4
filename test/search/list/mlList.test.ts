import { expect } from 'chai';
import type { ApiAnswer, CatalogueApi } from '../../../src/ports/platform/ownApi.ts';
import { planOf } from '../../../src/search/arguments.ts';
import { type Output, SearchError } from '../../../src/search/command.ts';
import { mlList } from '../../../src/search/list/mlList.ts';
import { ManualClock } from '../../support/memory/clock.ts';

const INFO = { sessionKey: 'key', serverUri: 'https://127.0.0.1:8089', sid: '', maxRows: 50_000 };
const ok = (body: object): ApiAnswer => ({ status: 200, body: body as ApiAnswer['body'] });
const page = (result: object[], next_offset: number | null = null) => ok({ result, pagination: { next_offset } });

describe('mllist', () => {
  let asked: unknown[];
  let answers: ApiAnswer[];
  beforeEach(() => {
    asked = [];
  });
  const unused = async () => expect.fail('not asked for');
  const next =
    (name: string) =>
    async (...args: unknown[]) => {
      asked.push([name, ...args]);
      return answers.shift() ?? expect.fail('asked too often');
    };
  const api = Object.fromEntries(['records', 'models', 'tools', 'limits'].map((name) => [name, next(name)]));
  const parts = {
    ...{ agents: unused, health: unused, usage: unused, gateway: unused, models: unused, runs: unused },
    catalogue: async () => api as unknown as CatalogueApi,
    clock: new ManualClock(),
  };
  async function run(kind: string, given: ApiAnswer[], maxRows = INFO.maxRows): Promise<Output[]> {
    answers = given;
    const outputs: Output[] = [];
    for await (const output of planOf(mlList, `kind=${kind}`).generate({ ...INFO, maxRows }, parts))
      outputs.push(output);
    return outputs;
  }
  const rowsOf = async (kind: string, given: ApiAnswer[]) => (await run(kind, given)).flatMap(({ rows }) => rows);

  it('lists records page by page, without agents that are switched off', async () => {
    const rows = await rowsOf('agents', [
      page([{ name: 'triage', description: 'Sorts', runtime_type: 'BUILT_IN', is_enabled: true }], 1),
      page([
        { name: 'off', runtime_type: 'BUILT_IN', is_enabled: false },
        { name: 'far', runtime_type: 'CONTAINER' },
      ]),
    ]);
    expect(rows).to.deep.equal([
      { kind: 'agents', name: 'triage', title: 'triage', description: 'Sorts', type: 'BUILT_IN' },
      { kind: 'agents', name: 'far', title: 'far', description: '', type: 'CONTAINER' },
    ]);
    expect(asked).to.deep.equal([
      ['records', 'agents', 0],
      ['records', 'agents', 1],
    ]);
    const alias = { name: 'default', description: 'd', strategy: 'first' };
    expect(await rowsOf('aliases', [page([alias])])).to.deep.equal([
      { kind: 'aliases', name: 'default', title: 'default', description: 'd', type: 'first' },
    ]);
    expect((await rowsOf('stores', [page([{ name: 'Runbooks', type: 'CLOUD_KB' }])]))[0]).to.include({
      type: 'CLOUD_KB',
    });
  });

  it('lists models, and limits with what is left', async () => {
    expect(await rowsOf('models', [ok({ data: [{ id: 'Team/gpt', owned_by: 'General_Chat' }] })])).to.deep.equal([
      { kind: 'models', name: 'Team/gpt', title: 'Team/gpt', description: '', type: 'General_Chat' },
    ]);
    const limit = { name: 'a day', window: 'day', used: { requests: 1 }, left: { requests: 9, cost: 1.5 } };
    expect(
      (await rowsOf('limits', [ok({ result: [limit, { ...limit, left: {} }] })])).map((row) => row.description),
    ).to.deep.equal(['left: 9 requests, 1.5 cost', '']);
  });

  it('lists tools of all pages by their kind, and warns of connections that did not list theirs', async () => {
    const _meta = { 'ml_extension/unavailable': [{ connection: 'Desk', error_code: 'timeout' }] };
    const tools = [
      { name: 'Desk__find', title: 'Find', description: 'Finds' },
      { name: 'retrieve__Runbooks' },
      { name: 'search__spl' },
    ];
    const outputs = await run('tools', [
      ok({ result: { tools, nextCursor: 'search__spl', _meta } }),
      ok({ result: { tools: [{ name: 'agent__x' }, { name: 'agent_result' }], _meta } }),
    ]);
    expect(outputs[0]?.rows.map(({ name, title, type }) => [name, title, type])).to.deep.equal([
      ['Desk__find', 'Find', 'mcp'],
      ['retrieve__Runbooks', 'retrieve__Runbooks', 'retrieve'],
      ['search__spl', 'search__spl', 'search'],
      ['agent__x', 'agent__x', 'agent'],
      ['agent_result', 'agent_result', 'agent'],
    ]);
    expect(outputs[0]?.messages).to.deep.equal([['WARN', 'mllist: these connections did not list their tools: Desk']]);
    expect(asked).to.deep.equal([
      ['tools', undefined],
      ['tools', 'search__spl'],
    ]);
  });

  it('splits rows into chunks, and gives an empty list', async () => {
    const outputs = await run('aliases', [page(['a', 'b', 'c'].map((name) => ({ name })))], 2);
    expect(outputs.map(({ rows, last }) => [rows.length, last])).to.deep.equal([
      [2, false],
      [1, true],
    ]);
    expect(await run('limits', [ok({ result: [] })])).to.deep.equal([{ rows: [], last: true, messages: [] }]);
  });

  it('fails with the message of the endpoint', async () => {
    for (const [kind, answer] of [
      ['models', { status: 403, body: { message: 'requires use_ai_gateway' } }],
      ['stores', { status: 403, body: { message: 'requires use_ai_gateway' } }],
      ['tools', ok({ error: { code: -32_000, message: 'requires use_ai_gateway' } })],
    ] as const) {
      const failure = await run(kind, [answer]).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(SearchError);
      expect((failure as Error).message).to.contain('requires use_ai_gateway');
    }
  });

  it('refuses a missing and an unknown kind before anything is asked', () => {
    expect(() => planOf(mlList, '')).to.throw(SearchError, /argument kind is missing/);
    expect(() => planOf(mlList, 'kind=people')).to.throw(
      SearchError,
      /^Unknown kind .*people.*: use aliases, agents, tools/,
    );
    expect(asked).to.deep.equal([]);
  });
});
