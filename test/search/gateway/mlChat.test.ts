import { expect } from 'chai';
import { Fault } from '../../../src/contract/codes/faults.ts';
import { planOf } from '../../../src/search/arguments.ts';
import { type RowTransform, SearchError } from '../../../src/search/command.ts';
import { mlChat } from '../../../src/search/gateway/mlChat.ts';
import { mlEmbed } from '../../../src/search/gateway/mlEmbed.ts';
import type { Row } from '../../../src/search/rows.ts';
import { chatAnswer, FakeGateway, failed, promptOf, runCommand, searchErrorOf } from './fakeGateway.ts';

const numbered = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, at) => ({ n: String(from + at), other: 'kept', _chunked_idx: String(at) }));

describe('mlchat', () => {
  let gateway: FakeGateway;
  beforeEach(() => {
    gateway = new FakeGateway();
  });
  const run = (args: string, ...chunks: (readonly Row[])[]) => runCommand(mlChat, args, chunks, gateway);
  const error = (args: string, ...chunks: (readonly Row[])[]) => searchErrorOf(run(args, ...chunks));

  it('fills prompt and system for each row and adds the answer', async () => {
    const { rows, warnings } = await run(
      'prompt="Say {n}" system="You are {other}" model=team/small temperature=0.5 max_tokens=9',
      [{ n: ['1', '2'], other: 'polite', answer_error: 'of before' }],
    );
    expect(rows).to.deep.equal([
      {
        ...{ n: ['1', '2'], other: 'polite', answer: 're: Say 1\n2', answer_model: 'team/small', answer_tokens: 5 },
        ...{ answer_error: '', answer_error_message: '' },
      },
    ]);
    expect(warnings).to.deep.equal([]);
    const [{ operation, common, items, dedup, dry_run } = expect.fail()] = gateway.requests;
    expect({ operation, common: JSON.parse(JSON.stringify(common)), items, dedup, dry_run }).to.deep.equal({
      operation: 'chat',
      common: { model: 'team/small', temperature: 0.5, max_tokens: 9 },
      items: [
        {
          id: '0',
          messages: [
            { role: 'system', content: 'You are polite' },
            { role: 'user', content: 'Say 1\n2' },
          ],
          row: { other: 'polite' },
        },
      ],
      dedup: false,
      dry_run: undefined,
    });
  });

  it('sends the values of each row that may stand in its prompt, however they are written, and the fields to mask', async () => {
    const prompt = {
      _raw: 'by CORP\\\\JDoe from %6Ahost, key=12',
      user: 'corp\\jdoe',
      host: 'jhost',
      other: 'absent',
      n: '12',
    };
    await run('prompt="Is this usual? {_raw}" mask="user, host"', [{ ...prompt, tags: ['jdoe', 'nothing'] }]);
    const [{ common, items } = expect.fail()] = gateway.requests;
    expect(common.mask_fields).to.deep.equal(['user', 'host']);
    const { other: _, n: __, ...needed } = prompt;
    expect(items.map(({ row }) => row)).to.deep.equal([{ ...needed, tags: ['jdoe'] }]);
  });

  it('asks equal prompts once, with the values of all their rows', async () => {
    await run('prompt="{text}"', [
      { text: 'anna met bert', user: 'anna' },
      { text: 'anna met bert', user: 'bert' },
    ]);
    const items = gateway.requests.flatMap((request) => request.items);
    expect(items.map(({ row }) => row)).to.deep.equal([{ text: ['anna met bert'], user: ['anna', 'bert'] }]);
  });

  it('shows in a dry run what the gateway would send where it masks something', async () => {
    gateway.estimate = { prompt: 'by user-x', masked: { user: 1 } };
    const { rows } = await run('prompt="by {user}" dryrun=true', [{ user: 'jdoe' }]);
    expect(rows[0]?.answer_prompt).to.equal('by user-x');
  });

  it('keeps the order and fields of 10,000 rows in several chunks', async () => {
    const sizes = [1, 0, 4000, 5999];
    const chunks = sizes.map((size, at) => numbered(size, at * 10_000));
    const { rows, outputs } = await run('prompt="{n}" max_rows=10000 output=said', ...chunks);
    expect(outputs.map((output) => output.rows.length)).to.deep.equal(sizes);
    expect(rows.map(({ n }) => n)).to.deep.equal(chunks.flat().map(({ n }) => n));
    expect(rows.every(({ n, said, other }) => said === `re: ${n}` && other === 'kept')).to.equal(true);
    expect(rows[4000]?._chunked_idx).to.equal('3999');
    expect(gateway.asked).to.have.length(10_000);
    expect(gateway.mostAtOnce).to.be.within(5, 8);
    expect(Math.max(...gateway.requests.map(({ items }) => items.length))).to.be.within(100, 200);
  });

  it('never has more than parallel calls under way', async () => {
    for (const parallel of [1, 3, 5, 16]) {
      gateway = new FakeGateway();
      await run(`prompt="{n}" parallel=${parallel}`, numbered(300));
      expect(gateway.mostAtOnce).to.be.within(Math.ceil(parallel / 2), parallel);
      expect(gateway.asked).to.have.length(300);
    }
  });

  it('needs about the ideal time', async () => {
    gateway.durationMs = 100;
    const begun = gateway.clock.now();
    await run('prompt="{n}" parallel=8', numbered(1000));
    expect(gateway.clock.now() - begun).to.be.within(12_500, 1.2 * 12_500);
  });

  it('asks equal prompts once over all chunks, unless dedup=false', async () => {
    const chunk = numbered(3);
    const { rows } = await run('prompt="{n}"', chunk, [...chunk, ...chunk], chunk);
    expect(gateway.asked).to.have.members(['0', '1', '2']);
    expect(rows.map(({ answer }) => answer)).to.deep.equal(
      ['0', '1', '2', '0', '1', '2', '0', '1', '2', '0', '1', '2'].map((n) => `re: ${n}`),
    );
    gateway = new FakeGateway();
    await run('prompt="{n}" dedup=false', chunk, chunk);
    expect(gateway.asked).to.have.length(6);
    expect(gateway.requests.every(({ dedup }) => dedup === false)).to.equal(true);
  });

  it('sends items again that were not reached', async () => {
    gateway.durationMs = 700;
    const { rows } = await run('prompt="{n}"', numbered(40));
    expect(rows.map(({ answer }) => answer)).to.deep.equal(numbered(40).map(({ n }) => `re: ${n}`));
    expect(gateway.asked).to.have.length(40);
    expect(gateway.requests.every(({ begin_within_s }) => begin_within_s <= 1)).to.equal(true);
  });

  it('repeats what may succeed later, waiting as asked, until timeout', async () => {
    const begun = gateway.clock.now();
    gateway.answer = (item) =>
      gateway.clock.now() < begun + 5000
        ? failed('rate_limited', { should_retry: true, retry_after: 5 })
        : chatAnswer(promptOf(item));
    const { rows } = await run('prompt="{n}"', numbered(20));
    expect(rows.map(({ answer }) => answer)).to.deep.equal(numbered(20).map(({ n }) => n));
    expect(gateway.asked.length).to.be.below(30);
    gateway.answer = (item) =>
      promptOf(item) === '1' ? failed('upstream_error', { should_retry: true }) : chatAnswer('ok');
    const since = gateway.clock.now();
    const second = await run('prompt="{n}" timeout=30', numbered(3));
    expect(second.rows.map(({ answer, answer_error }) => [answer, answer_error])).to.deep.equal([
      ['ok', ''],
      ['', 'timeout'],
      ['ok', ''],
    ]);
    expect(second.rows[1]?.answer_error_message).to.equal(
      'No answer within timeout=30 s; the last attempt failed with upstream_error: about upstream_error',
    );
    expect(second.warnings).to.deep.equal(['WARN mlchat: 1 row failed: timeout 1']);
    expect(gateway.clock.now() - since).to.be.within(15_000, 31_000);
  });

  it('waits when the gateway or the platform has no place, and survives lost connections', async () => {
    gateway.refuse = (count) =>
      [
        { status: 429, body: { error_code: 'too_many_requests', message: 'busy' }, retryAfter: 1 },
        { status: 429, body: {} },
        { status: 503, body: { error_code: 'store_unavailable', message: 'starting' } },
        new Fault('store_unavailable', 'The platform could not be reached'),
      ][count - 1];
    const begun = gateway.clock.now();
    const { rows } = await run('prompt="{n}" parallel=1', numbered(5));
    expect(rows.map(({ answer_error }) => answer_error)).to.deep.equal(['', '', '', '', '']);
    expect(gateway.asked).to.have.length(5);
    expect(gateway.clock.now() - begun).to.be.within(1000, 15_000);
  });

  it('ends at once where waiting does not help, with the words of the app', async () => {
    const message = 'The KV store is disabled on this instance';
    gateway.refuse = () => ({
      status: 503,
      body: { error_code: 'store_unavailable', message, reason: 'kvstore_disabled', should_retry: false },
    });
    expect(await error('prompt="{n}"', numbered(5))).to.equal(`${message} (store_unavailable)`);
    expect(gateway.asked).to.have.length(0);
  });

  it('keeps failed rows with their code and counts them in one warning', async () => {
    gateway.answer = (item) => (Number(promptOf(item)) % 3 === 0 ? failed('content_filtered') : chatAnswer('ok'));
    const { rows, warnings } = await run('prompt="{n}"', [...numbered(5), { other: 'x' }], numbered(2));
    expect(
      rows.map(({ answer, answer_error, answer_error_message }) => [answer, answer_error, answer_error_message]),
    ).to.deep.equal([
      ['', 'content_filtered', 'about content_filtered'],
      ['ok', '', ''],
      ['ok', '', ''],
      ['', 'content_filtered', 'about content_filtered'],
      ['ok', '', ''],
      ['', 'missing_field', 'The field n is missing or empty'],
      ['', 'content_filtered', 'about content_filtered'],
      ['ok', '', ''],
    ]);
    expect(warnings).to.deep.equal(['WARN mlchat: 4 rows failed: content_filtered 3, missing_field 1']);
  });

  it('fails the search with on_error=fail, with a limit, and when all rows fail', async () => {
    gateway.answer = (item) => (promptOf(item) === '3' ? failed('content_filtered') : chatAnswer('ok'));
    expect(await error('prompt="{n}" on_error=fail', numbered(500))).to.equal(
      'about content_filtered (content_filtered)',
    );
    expect(gateway.asked.length).to.be.below(50);
    expect(await error('prompt="{no}" on_error=fail', numbered(1))).to.equal(
      'The field no is missing or empty (missing_field)',
    );
    gateway.answer = (item) =>
      promptOf(item) === '3' ? failed('limit_exceeded', { retry_after: 4000 }) : chatAnswer('ok');
    expect(await error('prompt="{n}"', numbered(500))).to.equal('about limit_exceeded (limit_exceeded)');
    gateway.answer = () => failed('not_found');
    expect(await error('prompt="{n}"', numbered(2), numbered(2), [{}])).to.equal(
      'about not_found (not_found); all 4 rows failed',
    );
    const { rows } = await run('prompt="{no}"', numbered(2));
    expect(rows.map(({ answer_error }) => answer_error)).to.deep.equal(['missing_field', 'missing_field']);
    gateway.refuse = () => ({
      status: 403,
      body: { error_code: 'missing_capability', message: 'You need use_ai_gateway' },
    });
    expect(await error('prompt="{n}"', numbered(2))).to.equal('You need use_ai_gateway (missing_capability)');
  });

  it('sends max_rows rows and passes the rest on', async () => {
    const { rows, warnings } = await run('prompt="{n}" max_rows=3', numbered(2), numbered(4, 2));
    expect(rows.map(({ answer, answer_error }) => [answer, answer_error])).to.deep.equal([
      ...['0', '1', '2'].map((n) => [`re: ${n}`, '']),
      ...['3', '4', '5'].map(() => ['', 'max_rows']),
    ]);
    expect(gateway.asked).to.have.length(3);
    expect(warnings).to.deep.equal(['WARN mlchat: 3 rows not sent: raise max_rows=3 to send more']);
  });

  it('stops asking at max_cost, and needs a price', async () => {
    gateway.costOfCall = 0.01;
    const { rows, warnings } = await run('prompt="{n}" max_cost=0.055', numbered(50), numbered(10, 50));
    const errors = rows.map(({ answer_error }) => answer_error);
    expect(gateway.asked).to.have.length(6);
    expect(errors.filter((code) => code === '')).to.have.length(6);
    expect(errors.filter((code) => code === 'max_cost')).to.have.length(54);
    expect(warnings).to.deep.equal(['WARN mlchat: 54 rows not sent: the search has cost max_cost=0.055 US dollars']);
    gateway = new FakeGateway();
    expect(await error('prompt="{n}" max_cost=1', numbered(5))).to.match(/^max_cost needs a model with a known price/);
    expect(gateway.asked).to.deep.equal([]);
  });

  it('shows prompts and estimates with dryrun=true', async () => {
    gateway.costOfCall = 0.5;
    const { rows } = await run('prompt="Say {n}" system="s" schema="n" dryrun=true', numbered(1));
    expect(rows).to.deep.equal([
      {
        ...{ n: '0', other: 'kept', _chunked_idx: '0', answer_prompt: 'Say 0', answer_tokens_estimated: 7 },
        ...{ answer_cost_estimated: 0.5, answer_error: '', answer_error_message: '' },
      },
    ]);
    expect(gateway.asked).to.deep.equal([]);
  });

  it('writes the fields of schema', async () => {
    gateway.answer = (item) =>
      chatAnswer(promptOf(item) === '1' ? 'no JSON' : '{"severity":"high","error_code":"E1","tags":["a","b"]}');
    const { rows, warnings } = await run(
      'prompt="{n}" schema="severity:enum(low|high),error_code,tags:list"',
      numbered(2),
    );
    expect(gateway.requests[0]?.common).to.deep.include({
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'row',
          strict: true,
          schema: {
            type: 'object',
            properties: {
              severity: { type: 'string', enum: ['low', 'high'] },
              error_code: { type: 'string' },
              tags: { type: 'array', items: { type: 'string' } },
            },
            required: ['severity', 'error_code', 'tags'],
            additionalProperties: false,
          },
        },
      },
    });
    expect(rows[0]).to.deep.include({ severity: 'high', error_code: 'E1', tags: ['a', 'b'], answer_error: '' });
    expect(rows[1]).to.include({ answer: '', severity: '', answer_error: 'invalid_structured_output' });
    expect(warnings).to.deep.equal(['WARN mlchat: 1 row failed: invalid_structured_output 1']);
  });

  it('passes on the warnings of the gateway once', async () => {
    gateway.answer = () => chatAnswer('ok', { warnings: ['max_tokens was cut to 512'] });
    const { warnings } = await run('prompt="{n}"', numbered(20));
    expect(warnings).to.deep.equal(['WARN mlchat: max_tokens was cut to 512']);
  });

  it('asks once about all rows with mode=all', async () => {
    const first = [
      { host: 'a', message: 'x, "y"', secret: 's' },
      { host: ['b', 'c'], secret: 's' },
    ];
    const args = 'mode=all rows="host, message" prompt="Sum up: {rows}" max_rows=3';
    const { rows, outputs, warnings } = await run(args, first, [], [{ host: 'd' }, { host: 'e' }]);
    expect(gateway.asked).to.deep.equal(['Sum up: host,message\na,"x, ""y"""\n"b\nc",\nd,']);
    expect(outputs.map((output) => output.rows.length)).to.deep.equal([0, 0, 1]);
    expect(rows[0]).to.include({ answer: `re: ${gateway.asked[0]}`, answer_model: 'team/small', answer_error: '' });
    expect(rows[0]).not.to.have.property('host');
    expect(warnings).to.deep.equal(['WARN mlchat: 1 row not sent: raise max_rows=3 to send more']);
    expect((await run(args, [])).rows).to.deep.equal([]);
    gateway.answer = () => failed('context_length_exceeded');
    expect(await error(args, first)).to.equal('about context_length_exceeded (context_length_exceeded)');
  });

  it('sends the values of all rows with mode=all, also those of fields that are not in rows', async () => {
    const users = [{ user: 'jdoe' }, { user: ['asmith', 'jdoe'] }, { user: 'bjones' }];
    const rows = users.map(({ user }, index) => ({ user, message: `login of ${[user].flat()[0]}`, n: String(index) }));
    await run('mode=all rows=message prompt="Sum up: {rows}" mask=user max_rows=2', rows);
    const [{ items } = expect.fail()] = gateway.requests;
    expect(items.map(({ row }) => row)).to.deep.equal([
      { user: ['jdoe', 'asmith'], message: ['login of jdoe', 'login of asmith'] },
    ]);
  });

  it('chooses among the values of many rows in the time that reading them takes', async () => {
    const rows = numbered(3000).map(({ n = '' }): Row => {
      const message = `${`login of user${n} `.repeat(9)}at CORP\\\\host${n}`;
      const others = Array.from({ length: 20 }, (_, field) => [`f${field}`, `absent${field}-${n}`]);
      return { message, user: `USER${n}`, host: `corp\\host${n}`, ...Object.fromEntries(others) };
    });
    const begun = performance.now();
    await run('mode=all rows=message prompt="Sum up: {rows}" max_rows=10000', rows);
    // A search in the text for each value takes half a minute.
    expect(performance.now() - begun).to.be.below(5000);
    const [{ items } = expect.fail()] = gateway.requests;
    const row = items[0]?.row as Record<string, string[]>;
    expect(Object.entries(row).map(([field, values]) => [field, values.length])).to.deep.equal([
      ...[['message', 3000]],
      ...[['user', 3000]],
      ...[['host', 3000]],
    ]);
  });

  it('is reporting with mode=all and stateful otherwise', () => {
    const typeOf = (args: string) => (planOf(mlChat, args) as RowTransform).type;
    expect(typeOf('prompt=x')).to.equal(undefined);
    expect(typeOf('prompt={rows} mode=all rows=a')).to.equal('reporting');
  });

  it('asks nothing more when the search is cancelled', async () => {
    const abort = new AbortController();
    gateway.durationMs = 400;
    const running = runCommand(mlChat, 'prompt="{n}" max_rows=10000', [numbered(10_000)], gateway, abort.signal);
    while (gateway.asked.length < 50) await new Promise(setImmediate);
    abort.abort(new Error('cancelled'));
    const [before, at] = [gateway.asked.length, gateway.clock.now()];
    expect(await running.catch((reason: Error) => reason.message)).to.equal('cancelled');
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    expect(gateway.asked.length - before).to.be.below(40);
    expect(gateway.clock.now() - at).to.be.below(2000);
  });

  for (const [args, message] of [
    ['', 'The argument prompt is missing: write prompt=<string>'],
    ['prompt=""', 'prompt must not be empty'],
    ['prompt=x parallel=17', 'parallel must be a whole number from 1 to 16'],
    ['prompt=x max_rows=0', /^max_rows must be a whole number from 1 to/],
    ['prompt=x max_cost=much', /^max_cost must be a number from 0/],
    ['prompt=x temperature=3', 'temperature must be a number from 0 to 2'],
    ['prompt=x on_error=stop', 'Unknown on_error stop: use keep, fail'],
    ['prompt=x timeout=0', 'timeout must be a number of seconds from 1 to 3600'],
    ['prompt=x output="a b"', /^output must be the name of a field/],
    ['prompt=x schema="a:int"', /^schema cannot be read at "a:int": write name/],
    ['prompt=x schema="a,answer_error"', 'schema has answer_error, which the command writes itself: rename it'],
    ['prompt=x rows=a', 'rows needs mode=all'],
    ['prompt=x mode=all rows=a', /^prompt must contain \{rows\} with mode=all/],
    ['prompt="{rows}" mode=all', /^mode=all needs rows=/],
    ['prompt="{rows} {a}" mode=all rows=a', /^With mode=all use \{rows\} in place of \{a\}/],
    ['prompt=x rows=" , "', 'rows must name fields, separated by commas'],
    ['prompt=x size=1', /^Unknown argument size: use prompt, model, system/],
  ] as const) {
    it(`refuses ${args === '' ? 'no arguments' : args}`, () => {
      expect(() => planOf(mlChat, args)).to.throw(SearchError, message);
    });
  }
});

describe('mlembed', () => {
  it('adds an embedding as a JSON array', async () => {
    const gateway = new FakeGateway();
    gateway.answer = (item) => {
      const ml = { service: 'Local_Runtime', connection_name: 'here', model: 'mini' };
      const data = [{ object: 'embedding', index: 0, embedding: [promptOf(item).length, -0.5] }];
      return { status: 'done', response: { object: 'list', model: 'm', data, usage: { total_tokens: 2 }, ml } };
    };
    const { rows } = await runCommand(mlEmbed, 'text="{n}!" dimensions=2', [numbered(2)], gateway);
    expect(rows[1]).to.deep.equal({
      ...{ n: '1', other: 'kept', _chunked_idx: '1', embedding: '[2,-0.5]', embedding_model: 'here/mini' },
      ...{ embedding_tokens: 2, embedding_error: '', embedding_error_message: '' },
    });
    const [{ operation, common, items } = expect.fail()] = gateway.requests;
    expect([operation, common, items]).to.deep.equal([
      'embed',
      { model: undefined, dimensions: 2 },
      [
        { id: '0', input: '0!' },
        { id: '1', input: '1!' },
      ],
    ]);
  });
});
