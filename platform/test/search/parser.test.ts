import { expect } from 'chai';
import { expandMacros, type Macro } from '../../src/search/language/macros.ts';
import { evalExpression } from '../../src/search/pipeline/eval.ts';
import { newRow } from '../../src/search/results/rows.ts';
import { messagesOf, SearchJobs } from '../support/searchJobs.ts';

const PARSER = '/servicesNS/admin/searching/search/v2/parser';

describe('embedded platform: the search parser', () => {
  const jobs = new SearchJobs({ users: { plain: 'user', nobodys: 'can_delete' } });
  const { call, post, get } = jobs;
  const names = (reply: { json: { commands: { command: string }[] } }) =>
    reply.json.commands.map(({ command }) => command);

  it('names the commands of a search without running it', async () => {
    const parsed = (await post(PARSER, { q: '| fake a="b c" | head 2' })).json;
    expect(parsed.commands.map(({ command }: { command: string }) => command)).to.deep.equal(['fake', 'head']);
    expect(parsed.commands[0]).to.include({ rawargs: 'a="b c"', isGenerating: true });
    const before = jobs.fixture.events().length;
    expect((await call('POST', '/services/search/v2/parser', { form: { q: 'search x' } })).status).to.equal(200);
    expect(jobs.fixture.events().length).to.equal(before);
  });

  it('divides a search into events and report', async () => {
    const q = 'search index=web status>=500 | stats count by host';
    const { json } = await post(PARSER, { q, parse_only: 't', enable_lookups: 'f' });
    expect(json).to.include({
      normalizedSearch: q,
      remoteSearch: 'litsearch index=web status>=500',
      eventsSearch: 'search index=web status>=500',
      reportsSearch: 'stats count by host',
      isStreamingSearch: false,
      canSummarize: true,
    });
    expect(json.commands[0]).to.deep.equal({
      command: 'search',
      rawargs: 'index=web status>=500',
      pipeline: 'streaming',
      args: { search: ['index=web', 'status>=500'] },
      isGenerating: true,
      streamType: 'SP_STREAM',
    });
    expect(json.commands[1]).to.include({
      command: 'stats',
      args: ' count by host',
      pipeline: 'report',
      streamType: 'SP_STREAMREPORT',
      preStreamingOp: 'prestats count by host',
    });
    const generating = (await post(PARSER, { q: '| tstats count where index=web by host' })).json;
    expect(generating).to.include({ eventsSearch: '', isStreamingSearch: false });
  });

  it('knows all commands of splunkd, also those that cannot be run here, and nested searches', async () => {
    const q =
      'search a [search index=b | fields host] | transaction host | foreach * [eval <<FIELD>>=1] | append [| inputlookup x]';
    expect(names(await post(PARSER, { q }))).to.deep.equal(['search', 'transaction', 'foreach', 'append']);
    expect(names(await post(PARSER, { q: 'search a ``` | delete ``` | SORT - b' }))).to.deep.equal(['search', 'sort']);
  });

  for (const [q, text] of [
    ['ABCXYZ', "Unknown search command 'abcxyz'."],
    ['index=web', "Unknown search command 'index'."],
    ['search a | frobnicate', "Unknown search command 'frobnicate'."],
    ['search a [frobnicate]', "Unknown search command 'frobnicate'."],
    ['search a | table-admin x', "Unknown search command 'table-admin'."],
    ['search "a', "Error in 'SearchParser': Unbalanced quotes."],
    ['search a ]', "Error in 'SearchParser': Mismatched ']'."],
    ['search a `m', "Error in 'SearchParser': Missing a closing tick mark for macro expansion."],
    ['search a ``` b', "Error in 'SearchParser': Missing comment closing tickmarks."],
    [
      'search a | | b',
      "Error in 'SearchParser': Missing a search command before '|'. Error at position '11' of search query 'search a | | b'.",
    ],
    ['search a | tstats count', "Error in 'tstats' command: This command must be the first command of a search."],
    ['| stats count', "Error in 'stats' command: This command cannot be the first of a search."],
    [' ', 'Invalid query.'],
  ] as const) {
    it(`refuses ${q}`, async () => {
      const reply = await post(PARSER, { q, parse_only: '1' });
      expect([reply.status, messagesOf(reply)]).to.deep.equal([400, `FATAL ${text}`]);
    });
  }

  it('refuses GET, switches that are none, and commands without the right', async () => {
    for (const path of ['/services/search/parser', '/services/search/v2/parser']) {
      const wrong = await get(`${path}?q=search`);
      expect([wrong.status, wrong.headers.allow, messagesOf(wrong)]).to.deep.equal([
        405,
        'POST',
        'FATAL The method is not allowed.',
      ]);
    }
    const unclear = await post(PARSER, { q: 'search a', parse_only: 'perhaps' });
    expect(messagesOf(unclear)).to.equal('FATAL Invalid value for argument "parse_only": must be true or false.');
    const refused = await post('/services/search/v2/parser', { q: 'search a | delete' }, 'plain:changed-it');
    expect([refused.status, messagesOf(refused)]).to.deep.equal([
      400,
      "FATAL You do not have a role with the capability='delete_by_keyword' required to run this command='delete'.",
    ]);
    expect((await post('/services/search/v2/parser', { q: 'search' }, 'nobodys:changed-it')).status).to.equal(403);
  });
});

const MACROS: Record<string, Macro> = {
  web: { definition: 'index=web' },
  'host(1)': { definition: 'host="$name$" $name$', args: 'name' },
  'two(2)': { definition: '$a$-$b$', args: 'a, b' },
  outer: { definition: '`web` `host(x)` | head 1' },
  loop: { definition: '`loop`' },
  grow: { definition: '`grow2` `grow2` `grow2` `grow2` `grow2` `grow2` `grow2` `grow2` `grow2` `grow2`' },
  grow2: { definition: 'x'.repeat(200_000) },
  'computed(1)': { definition: '"index=".lower("$n$")', args: 'n', iseval: true },
  number: { definition: '1+1', iseval: true },
  'checked(1)': { definition: 'head $n$', args: 'n', validation: 'isnum($n$)', errormsg: 'n must be a number' },
  'told(1)': { definition: 'head $n$', args: 'n', validation: 'if($n$ > 5, "at most 5", null())' },
  'unclear(1)': { definition: 'head $n$', args: 'n', validation: 'nope($n$)' },
  empty: {},
  'noargs(1)': { definition: 'x' },
  'twice(2)': { definition: 'x', args: 'a,a' },
  'three(3)': { definition: 'x', args: 'a,b' },
};

const expanded = (text: string): string =>
  expandMacros(text, {
    find: (name) => (Object.hasOwn(MACROS, name) ? MACROS[name] : undefined),
    evaluate: (expression) => evalExpression('eval', expression)(newRow()),
  });

describe('search: macros', () => {
  for (const [text, result] of [
    ['search `web` | `host(a)`', 'search index=web | host="a" a'],
    ['`outer`', 'index=web host="x" x | head 1'],
    ['`host("a b")`', 'host="a b" a b'],
    ['`two("a,b", c(d,e))`', 'a,b-c(d,e)'],
    ['`two(b=1, a=2)`', '2-1'],
    ['`two(x=1, y=2)`', 'x=1-y=2'],
    ['`computed(Web)`', 'index=web'],
    ['`checked(3)` `told(4)`', 'head 3 head 4'],
    ['eval a="`web`" | x \\` `web`', 'eval a="`web`" | x \\` index=web'],
    ['a ``` `nope` " ``` b', 'a   b'],
    ['a "```" b "```"', 'a "```" b "```"'],
  ] as const) {
    it(`expands ${text}`, () => {
      expect(expanded(text)).to.equal(result);
    });
  }

  for (const [text, message] of [
    ['`nope`', "The search specifies a macro 'nope' that cannot be found. Reasons include"],
    ['`web(1)`', "macro 'web(1)' that cannot be found"],
    ['``', 'You must provide a macro expression.'],
    ['`(1)`', "The macro expression '(1)' is invalid. A macro name is required."],
    ['`host(1`', "The macro expression 'host(1' is invalid. Expected closing ')'."],
    ['`ho st`', "The name 'ho st' is invalid."],
    ['`host((1)`', 'has mismatched parens'],
    ['`two(a=1, 2)`', 'All arguments must be named or none can be named.'],
    ['`two(a=1, a=2)`', 'The argument list does not match the definition.'],
    ['`loop`', 'Reached maximum recursion depth (100) while expanding macros.'],
    ['`grow`', 'longer than 1000000 characters'],
    ['`number`', "The definition of macro 'number' is expected to be an eval expression that returns a string."],
    ['`checked(x)`', "Encountered the following error while validating macro 'checked(1)': n must be a number."],
    ['`told(9)`', "Encountered the following error while validating macro 'told(1)': at most 5."],
    ['`unclear(9)`', "The validation expression is invalid: 'nope(9)'."],
    ['`empty`', "Unable to find a definition for macro 'empty'."],
    ['`noargs(1)`', "The argument list for macro 'noargs(1)' is missing."],
    ['`twice(1,2)`', 'It contains repeated names.'],
    ['`three(1,2,3)`', "The argument list for macro 'three(3)' is invalid. Expected 3 elements."],
  ] as const) {
    it(`refuses ${text}`, () => {
      expect(() => expanded(text)).to.throw(message);
    });
  }
});
