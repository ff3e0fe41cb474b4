import { expect } from 'chai';
import { mlTool } from '../../../src/search/gateway/tool/mlTool.ts';
import type { Row } from '../../../src/search/rows.ts';
import { FakeGateway, failed, type Item, runCommand, searchErrorOf } from './fakeGateway.ts';

type Json = Record<string, unknown>;

const SCHEMA = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    limit: { type: 'integer' },
    ratio: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    isOpen: { $ref: '#/$defs/flag' },
    labels: { type: 'array', items: { type: 'integer' } },
    where: { type: 'object', properties: { since: { type: 'integer' }, by: { type: 'string' } } },
    level: { enum: [1, 2, 3] },
  },
  $defs: { flag: { type: 'boolean' } },
};
const done = (result: Json): Json => ({
  status: 'done',
  response: { result: { content: [], is_error: false, ...result } },
});
const texts = (...all: string[]) => ({ content: all.map((text) => ({ type: 'text', text })) });
const argumentsOf = (item: Item | undefined): Json => (item as unknown as { arguments: Json }).arguments;
const rows = (count: number): Row[] => Array.from({ length: count }, (_, n) => ({ n: String(n), other: 'kept' }));
const FOUND = 'connection=Issues tool=search';

describe('mltool', () => {
  let gateway: FakeGateway;
  let pages: Json[][];
  let sent: Item[];
  beforeEach(() => {
    gateway = new FakeGateway();
    sent = [];
    pages = [[{ name: 'another' }], [{ name: 'search', inputSchema: SCHEMA }]];
    gateway.tools = async (connection, cursor = '0') => {
      expect(connection).to.equal('Issues');
      const tools = pages[Number(cursor)];
      const more = Number(cursor) + 1 < pages.length ? { nextCursor: String(Number(cursor) + 1) } : {};
      return { status: 200, body: { jsonrpc: '2.0', id: 1, result: { tools, ...more } } };
    };
    answerWith(() => done(texts('found')));
  });
  const answerWith = (answer: (item: Item) => Json) => {
    gateway.answer = (item) => {
      sent.push(item);
      return answer(item);
    };
  };
  const run = (args: string, ...chunks: (readonly Row[])[]) => runCommand(mlTool, args, chunks, gateway);
  const error = (args: string, ...chunks: (readonly Row[])[]) => searchErrorOf(run(args, ...chunks));

  it('takes the object of its arguments from a field', async () => {
    const whole = (text: string) => ({ args: text, n: '7' });
    await run(`${FOUND} arguments=" {args} " limit="{n}"`, [
      whole('{"query": "{n}", "limit": 5, "where": {"since": "3", "by": "4"}}'),
      whole(' {"labels": ["1", 2]} '),
    ]);
    expect(sent.map(argumentsOf)).to.deep.equal([
      { query: '{n}', limit: 7, where: { since: 3, by: '4' } },
      { labels: [1, 2], limit: 7 },
    ]);
    sent = [];
    await run(`${FOUND} arguments="{args}"`, [whole('{"limit": 725653563933458432, "query": "x"}')]);
    expect(String(argumentsOf(sent[0]).limit)).to.equal('725653563933458432');
    // What is no object goes to the gateway, which refuses it for its row alone.
    sent = [];
    answerWith((item) => (typeof argumentsOf(item) === 'object' ? done(texts('found')) : failed('validation_failed')));
    const { rows: found } = await run(`${FOUND} arguments="{args}"`, [
      whole('{"query": "a"}'),
      whole('[1]'),
      whole('{"query'),
      { n: '1' },
    ]);
    expect(found.map(({ result_error }) => result_error)).to.deep.equal([
      '',
      'validation_failed',
      'validation_failed',
      'missing_field',
    ]);
    expect(sent.map(argumentsOf)).to.deep.equal([{ query: 'a' }, '[1]', '{"query']);
  });

  it('calls the tool once for each row, with the values of the row', async () => {
    answerWith((item) => done(texts(`about ${argumentsOf(item).query}`)));
    const same = [
      { n: '7', other: 'kept' },
      { n: '7', other: '' },
    ];
    const { rows, warnings } = await run(`${FOUND} query="is {n}?"`, same);
    expect(rows).to.deep.equal(
      same.map((row) => ({ ...row, result: 'about is 7?', result_error: '', result_error_message: '' })),
    );
    expect(warnings).to.deep.equal([]);
    const [{ operation, common, dedup } = expect.fail()] = gateway.requests;
    expect({ operation, common, dedup }).to.deep.equal({
      operation: 'tool',
      common: { connection: 'Issues', tool: 'search' },
      dedup: false,
    });
    expect(sent).to.have.length(2);
  });

  it('converts texts to the types of the schema, and keeps what cannot be read as such', async () => {
    const row = { limit: '5', ratio: '0.5', open: 'TRUE', labels: ['1', '2'], since: '100', text: '3' };
    const args = [
      'limit="{limit}" ratio="{ratio}" isOpen="{open}" labels="{labels}" query="{text}" level="3"',
      String.raw`arguments="{\"where\": {\"since\": \"{since}\", \"by\": \"{limit}\"}, \"limit\": 9}"`,
    ].join(' ');
    await run(`${FOUND} ${args}`, [row]);
    expect(argumentsOf(sent[0])).to.deep.equal({
      where: { since: 100, by: '5' },
      limit: 5,
      ratio: 0.5,
      isOpen: true,
      labels: [1, 2],
      query: '3',
      level: 3,
    });
    sent = [];
    await run(`${FOUND} limit="many" ratio="null" isOpen="perhaps" labels="[7]" where="none"`, [row]);
    expect(argumentsOf(sent[0])).to.deep.equal({
      limit: 'many',
      ratio: null,
      isOpen: 'perhaps',
      labels: [7],
      where: 'none',
    });
  });

  it('keeps the digits of large integers in arguments and results', async () => {
    answerWith(() => done({ structured_content: { id: 9007199254740993n, list: [18446744073709551615n, 1] } }));
    const json = '{\\"labels\\": [9007199254740995]}';
    const { rows: found } = await run(`${FOUND} limit="9007199254740993" arguments="${json}"`, [{ n: '1' }]);
    expect(argumentsOf(sent[0])).to.deep.equal({ limit: 9007199254740993n, labels: [9007199254740995n] });
    const [result] = found;
    expect(result).to.include({ 'result.id': '9007199254740993' });
    expect(result?.['result.list']).to.deep.equal(['18446744073709551615', '1']);
  });

  it('refuses an argument that the tool lacks, before any call', async () => {
    expect(await error(`${FOUND} Query=x`, rows(1))).to.equal(
      'The tool search has no argument Query: use query, limit, ratio, isOpen, labels, where, level',
    );
    expect(await error(`${FOUND} arguments="{\\"nothing\\": 1}"`, rows(1))).to.match(/no argument nothing/);
    pages = [[{ name: 'search', inputSchema: { type: 'object' } }]];
    expect(await error(`${FOUND} query=x`, rows(1))).to.match(/it takes none/);
    expect(gateway.requests).to.deep.equal([]);
    for (const open of [{ additionalProperties: true }, { patternProperties: {} }]) {
      pages = [[{ name: 'search', inputSchema: { ...SCHEMA, ...open } }]];
      await run(`${FOUND} any="{n}"`, rows(1));
    }
    expect(argumentsOf(sent[1])).to.deep.equal({ any: '0' });
  });

  it('reads a schema that refers to itself, to nothing, or branches without end', async () => {
    const branches = { $ref: '#/$defs/a' };
    const schemas = [
      { $ref: '#', properties: SCHEMA.properties },
      { properties: { query: { $ref: '#/$defs/none' } } },
      { properties: { query: branches }, $defs: { a: { anyOf: [branches, branches, { oneOf: [branches] }] } } },
      { properties: { query: { type: 'array', items: { $ref: '#/properties/query' } } } },
    ];
    for (const inputSchema of schemas) {
      pages = [[{ name: 'search', inputSchema }]];
      await run(`${FOUND} ${'$ref' in inputSchema ? '' : 'query="{n}"'}`, rows(1));
    }
    expect(sent).to.have.length(4);
  });

  it('lets the call say why a tool is not listed, and fails when tools cannot be listed', async () => {
    pages = [[]];
    answerWith(() => failed('tool_changed'));
    expect(await error(`${FOUND} query=x`, rows(2))).to.equal('about tool_changed (tool_changed); all 2 rows failed');
    gateway.tools = async () => ({ status: 404, body: { message: 'There is no such connection' } });
    expect(await error(`${FOUND} query=x`, rows(1))).to.equal(
      'The tools of Issues cannot be read (404): There is no such connection',
    );
  });

  it('writes structured results as fields, and lists as multivalue fields', async () => {
    const structured_content = { total: 2, ok: true, none: null, tags: ['a', 'b'], first: { id: 1 }, all: [{ id: 1 }] };
    answerWith(() => done({ ...texts('one', 'two'), structured_content }));
    const { rows: written } = await run(`${FOUND} output=hit`, [{ n: '0' }]);
    expect(written).to.deep.equal([
      {
        n: '0',
        hit: ['one', 'two'],
        'hit.total': 2,
        'hit.ok': 'true',
        'hit.none': '',
        'hit.tags': ['a', 'b'],
        'hit.first': '{"id":1}',
        'hit.all': '{"id":1}',
        hit_error: '',
        hit_error_message: '',
      },
    ]);
  });

  it('makes rows of the only list with expand=true, else of the texts', async () => {
    const expanded = async (result: Json) => {
      answerWith(() => done(result));
      const { rows: written } = await run(`${FOUND} expand=true`, [{ n: '0' }]);
      return written.map(({ n, result_error, result_error_message, ...fields }) => fields);
    };
    const issues = [
      { id: 1, title: 'a' },
      { id: 2, title: 'b' },
    ];
    expect(await expanded({ structured_content: { total: 2, issues } })).to.deep.equal([
      { result: '', 'result.total': 2, 'result.id': 1, 'result.title': 'a' },
      { result: '', 'result.total': 2, 'result.id': 2, 'result.title': 'b' },
    ]);
    expect(await expanded({ structured_content: { names: ['x', 'y'] } })).to.deep.equal([
      { result: 'x' },
      { result: 'y' },
    ]);
    expect(await expanded(texts('x', 'y'))).to.deep.equal([{ result: 'x' }, { result: 'y' }]);
    expect(await expanded({ structured_content: { names: [] } })).to.deep.equal([{ result: '', 'result.names': '' }]);
    expect(await expanded({ structured_content: issues })).to.deep.equal([
      { result: '', 'result.id': 1, 'result.title': 'a' },
      { result: '', 'result.id': 2, 'result.title': 'b' },
    ]);
    expect(await expanded({ structured_content: 5 })).to.deep.equal([{ result: 5 }]);
    const two = { structured_content: { a: [1, 2], b: [3] } };
    expect(await expanded(two)).to.have.length(1);
    expect((await expanded({ ...two, ...texts('x', 'y') })).map(({ result }) => result)).to.deep.equal(['x', 'y']);
  });

  it('waits for a slot to read the schema, and calls nothing without', async () => {
    const { tools } = gateway;
    const refusal = (error_code: string) => ({
      status: 200,
      body: { jsonrpc: '2.0', id: 1, error: { code: -32603, message: `${error_code}: no`, data: { error_code } } },
    });
    let refusals = 3;
    gateway.tools = async (...asked) => (refusals-- > 0 ? refusal('too_many_requests') : tools(...asked));
    await run(`${FOUND} limit=5`, rows(1));
    expect(argumentsOf(sent[0])).to.deep.equal({ limit: 5 });
    gateway.tools = async () => refusal('too_many_requests');
    expect(await error(`${FOUND} limit=5`, rows(1))).to.match(
      /tools of "?Issues"? cannot be read: too_many_requests: no/,
    );
    gateway.tools = async () => refusal('store_unavailable');
    expect(await error(`${FOUND} limit=5`, rows(1))).to.match(/store_unavailable: no/);
    expect(sent).to.have.length(1);
  });

  it('shows of links their address, of pictures their type, and fetches neither', async () => {
    const content = [
      { type: 'resource_link', uri: 'http://169.254.169.254/latest' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      'not a part',
    ];
    answerWith(() => done({ content }));
    const { rows: written } = await run(FOUND, rows(1));
    expect(written[0]?.result).to.deep.equal(['http://169.254.169.254/latest', 'inside', '[image image/png]']);
  });

  it('keeps the error of a tool with its row', async () => {
    answerWith((item) =>
      argumentsOf(item).query === '1' ? done({ ...texts('no such issue'), is_error: true }) : done(texts('ok')),
    );
    const { rows: written, warnings } = await run(`${FOUND} query="{n}"`, rows(3));
    expect(
      written.map(({ result, result_error, result_error_message }) => [result, result_error, result_error_message]),
    ).to.deep.equal([
      ['ok', '', ''],
      ['', 'tool_error', 'no such issue'],
      ['ok', '', ''],
    ]);
    expect(warnings).to.deep.equal(['WARN mltool: 1 row failed: tool_error 1']);
    expect(await error(`${FOUND} query="{n}" on_error=fail`, rows(3))).to.equal('no such issue (tool_error)');
  });

  it('repeats only calls that cannot have reached the tool', async () => {
    const outcome = async (code: string) => {
      sent = [];
      answerWith(() => (sent.length === 1 ? failed(code, { should_retry: true }) : done(texts('ok'))));
      const { rows: written } = await run(`${FOUND} query="{n}"`, [...rows(1), { other: 'lacks n' }]).catch(() => ({
        rows: [{ result_error: 'failed' }],
      }));
      return [sent.length, (written[0] as Row).result_error];
    };
    for (const code of ['too_many_requests', 'rate_limited', 'connection_refused', 'dns_failed'])
      expect(await outcome(code), code).to.deep.equal([2, '']);
    for (const code of ['connection_reset', 'timeout', 'upstream_error'])
      expect((await outcome(code))[0], code).to.equal(1);
    answerWith(() => done(texts('ok')));
    gateway.refuse = (count) => (count === 1 ? { status: 502, body: { message: 'gone' } } : undefined);
    const count = gateway.requests.length;
    await run(`${FOUND} query="{n}"`, rows(1)).catch(() => {});
    expect(gateway.requests.length - count, 'batches of unknown fate').to.equal(1);
  });

  it('names a wrong option and what it takes', async () => {
    for (const [args, message] of [
      ['tool=search', /connection/],
      ['connection=Issues', /tool/],
      [`${FOUND} arguments="[1]"`, /arguments must be a JSON object/],
      [`${FOUND} arguments="{limit: 1}"`, /arguments must be a JSON object/],
      [`${FOUND} query=a query=b`, /given twice/],
      [`${FOUND} expand=maybe`, /expand must be true or false/],
      [`${FOUND} output="a b"`, /output must be the name of a field/],
      [`${FOUND} max_rows=0`, /max_rows/],
    ] as const) {
      expect(await error(args, rows(1)), args).to.match(message);
    }
    expect(gateway.requests).to.deep.equal([]);
  });
});
