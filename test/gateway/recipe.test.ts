import { expect } from 'chai';
import { SourceCopy } from '../support/sourceCopy.ts';

/** Its endpoint is that of retrieval: endpoints have a recipe of their own. */
const COUNT = `import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../contract/basics.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import type { Operation, Target } from '../operation.ts';
import { NO_TOKENS } from '../../metering/tokens.ts';

const TARGET = { service: 'counter', connection_name: 'counter', model: 'words' };
let calls = 0;

const countWords: Operation<Json, Target, number, Json> = {
  name: 'count_words',
  row: 'retrievePassages',
  async open(_context, { query, timeout_s = 5 }) {
    return async () => ({
      input: { query },
      timeoutMs: Number(timeout_s) * 1000,
      targets: [TARGET],
      open: async () => TARGET,
      lateText: () => 'The counter did not answer in time',
      async send(upstream) {
        return upstream.request(async () => {
          if (query === 'wait') await sleep(60_000, undefined, { signal: upstream.signal });
          calls += 1;
          if (calls === 1) throw new OutboundError('connection_refused', 'The counter refused');
          return String(query).split(' ').length;
        });
      },
      result: (words) => ({ response: { words }, tokens: NO_TOKENS, charge: undefined, output: words }),
    });
  },
};
export { countWords };
`;

describe('a new operation of the gateway, by the recipe of CONTRIBUTING.md, in a copy of the sources', () => {
  let copy: SourceCopy;
  before(() => {
    copy = new SourceCopy();
  });
  after(() => copy.remove());

  it('takes its names in the contract, a file, and a line that the compiler asks for', async () => {
    copy.edit('src/contract/families/usage.ts', "predict: 'predict',", "predict: 'predict',\n  count_words: 'count',");
    copy.add('src/gateway/operations/countWords.ts', COUNT);
    const compile = () => copy.compile('src/gateway/handlers.ts');
    expect(await compile()).to.match(/table\.ts.*Property 'count_words' is missing/s);
    copy.edit(
      'src/gateway/table.ts',
      'import { invoke }',
      "import { countWords } from './operations/countWords.ts';\nimport { invoke }",
    );
    copy.edit('src/gateway/table.ts', '  predict,\n', '  predict,\n  count_words: countWords,\n');
    expect(await compile()).to.equal('');
  });

  it('is then served in batches, repeated, limited, recorded and reported like the others', async () => {
    const app = await copy.openApp();
    app.user('anna', { capabilities: ['use_ai_gateway', 'edit_usage_limits', 'list_all_usage'] });
    const limit = { name: 'words', window: 'day', requests: 3, operations: ['count_words'] };
    expect((await app.call('anna', 'POST', '/usage_limits', limit)).status).to.equal(200);
    const count = async (query: string) => {
      const body = { operation: 'count', common: { store: 's', timeout_s: 1 }, items: [{ id: '1', query }] };
      return (await app.call('anna', 'POST', '/ai_gateway/batch', body)).json.result[0];
    };
    expect((await count('one two three')).response).to.deep.equal({ words: 3 });
    expect(await count('wait')).to.include({ status: 'failed', error_code: 'timeout' });
    expect((await count('one')).response).to.deep.equal({ words: 1 });
    expect(await count('one')).to.include({ status: 'failed', error_code: 'limit_exceeded' });
    await app.gateway.usage.flush();
    const uses = app.events.map(({ event }) => event as Record<string, unknown>);
    expect(uses.map(({ operation, attempts, outcome }) => [operation, attempts, outcome])).to.deep.equal([
      ['count_words', 2, 'success'],
      ['count_words', 1, 'fail'],
      ['count_words', 1, 'success'],
    ]);
  });
});
