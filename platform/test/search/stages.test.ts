import { expect } from 'chai';
import { stage } from '../../src/search/pipeline/builtins.ts';
import { Results, throughStage } from '../../src/search/pipeline/pipeline.ts';
import { ArgumentError, parseSearch } from '../../src/search/pipeline/spl.ts';
import { type Batch, type Cell, newRow } from '../../src/search/results/rows.ts';

type Rows = Record<string, Cell>[];

const WEB: Rows = [
  { _time: '100', host: 'a', status: '200', bytes: '10', _raw: 'GET /x status=200' },
  { _time: '160', host: 'b', status: '404', bytes: '30', _raw: 'GET /y status=404' },
  { _time: '220', host: 'a', status: '200', bytes: '20', _raw: 'POST /x status=200' },
  { _time: '400', host: 'c', status: '500', _raw: 'GET /z status=500' },
];

/** The rows in two batches, through the commands. */
async function run(text: string, rows: Rows = WEB): Promise<{ columns: string[]; rows: Rows }> {
  const columns = [...new Set(rows.flatMap(Object.keys))];
  async function* batches(): AsyncGenerator<Batch> {
    for (const part of [rows.slice(0, 2), rows.slice(2)])
      yield { columns, rows: part.map((row) => Object.assign(newRow(), row)) };
  }
  const results = new Results();
  const context = { now: 1_000_000, range: { earliest: 0, latest: Number.POSITIVE_INFINITY } };
  const output = parseSearch(text)
    .map((part) => stage(part, context))
    .reduce<AsyncIterable<Batch>>((input, current) => throughStage(current, input), batches());
  for await (const batch of output) results.keep(batch);
  return { columns: results.columns, rows: results.rows.map((row) => ({ ...row })) };
}

const values = async (text: string) => {
  const { columns, rows } = await run(text);
  return rows.map((row) => columns.flatMap((name) => (row[name] === undefined ? [] : String(row[name]))).join(' '));
};

describe('embedded platform: commands over rows', () => {
  for (const [text, expected] of [
    [
      'stats count, sum(bytes) AS total avg(bytes) min(bytes) max(bytes) by host',
      ['a 2 30 15 10 20', 'b 1 30 30 30 30', 'c 1'],
    ],
    ['stats dc(host) values(status) first(host) last(host)', ['3 200,404,500 a c']],
    ['stats earliest(status) as e latest(status) as l', ['200 500']],
    ['stats median(bytes) range(bytes) stdev(bytes) perc90(bytes) mode(status)', ['20 20 10 28 200']],
    ['stats count(eval(status>=400)) as errors count(bytes)', ['2 3']],
    ['stats list(host) c', ['a,b,a,c 4']],
    ['stats count by host, status | stats count', ['3']],
    ['eventstats avg(bytes) as mean by host | table host mean', ['a 15', 'b 30', 'a 15', 'c']],
    ['streamstats sum(bytes) as total by host | table host total', ['a 10', 'b 30', 'a 30', 'c']],
    ['streamstats current=f count last(status) as before | table count before', ['0', '1 200', '2 404', '3 200']],
    ['top host', ['a 2 50.000000', 'b 1 25.000000', 'c 1 25.000000']],
    ['top 1 status by host showperc=f', ['a 200 2', 'b 404 1', 'c 500 1']],
    ['rare limit=1 host countfield=n showperc=0', ['b 1']],
    ['sort - bytes | table host bytes', ['b 30', 'a 20', 'a 10', 'c']],
    ['sort 2 -status, +host | table host status', ['c 500', 'b 404']],
    ['sort host, -bytes | table host bytes', ['a 20', 'a 10', 'b 30', 'c']],
    ['sort status d | table status', ['500', '404', '200', '200']],
    ['tail 2 | table host', ['c', 'a']],
    ['reverse | head limit=1 | table host', ['c']],
    ['dedup host | table _time', ['100', '160', '400']],
    ['dedup bytes keepempty=t | table host', ['a', 'b', 'a', 'c']],
    ['dedup bytes | table host', ['a', 'b', 'a']],
    ['rename host AS server, "bytes" as "size of it" | table server "size of it"', ['a 10', 'b 30', 'a 20', 'c']],
    ['fields host bytes | rename *t as *T | table hosT', ['a', 'b', 'a', 'c']],
    ['fillnull value=none bytes | table bytes', ['10', '30', '20', 'none']],
    ['table host bytes | fillnull', ['a 10', 'b 30', 'a 20', 'c 0']],
    ['regex _raw="^GET" | table host', ['a', 'b', 'c']],
    ['regex host!="(?i)[AB]" | table host', ['c']],
    ['rex "(?<verb>\\w+) (?P<path>/\\w)" | table verb path', ['GET /x', 'GET /y', 'POST /x', 'GET /z']],
    ['rex field=status max_match=0 "(?<digit>\\d)" | head 1 | table digit', ['2,0,0']],
    ['rex mode=sed "s/status=(\\d)/S\\1/" | table _raw', ['GET /x S200', 'GET /y S404', 'POST /x S200', 'GET /z S500']],
    ['rex mode=sed field=status "s/0/-/g" | table status', ['2--', '4-4', '2--', '5--']],
    ['bin _time span=2m | stats count by _time', ['0 1', '120 2', '360 1']],
    ['bucket bytes span=25 as step | table step', ['0-25', '25-50', '0-25', '']],
    ['timechart span=2m count', ['0 1', '120 2', '240 0', '360 1']],
    ['timechart span=2m sum(bytes) as sum by host', ['0 10', '120 20 30', '240', '360']],
    ['timechart span=5m count by host limit=1', ['0 2 1', '300 0 1']],
    ['chart count over host by status', ['a 2 0 0', 'b 0 1 0', 'c 0 0 1']],
    ['chart avg(bytes) by host', ['a 15', 'b 30', 'c']],
    ['addtotals fieldname=sum status bytes | table sum', ['210', '434', '220', '500']],
    [
      'convert num(bytes) ctime(_time) as t timeformat="%H:%M:%S" | table t',
      ['00:01:40', '00:02:40', '00:03:40', '00:06:40'],
    ],
    ['stats values(host) as h | mvexpand h', ['a', 'b', 'c']],
    ['stats values(host) as h | eval h=mvjoin(h, ";") | makemv delim=";" h | mvexpand h | stats count', ['3']],
    ['where like(_raw, "GET%") AND NOT status IN (404, "500") | table host', ['a']],
    ['where match(host, "[bc]") XOR status=404 | table host', ['c']],
    ['search status>=404 OR (host=A bytes<15) | table host', ['a', 'b', 'c']],
    ['search host IN (a, "c") NOT status=5* | table host', ['a', 'a']],
    ['search GET NOT "status=404" | table host', ['a', 'c']],
    ['search bytes!=10 | table host', ['b', 'a']],
    ['search NOT bytes=10 | table host', ['b', 'a', 'c']],
    ['search sta | table host', []],
    ['search sta* | stats count', ['4']],
    ['search host=a OR host=b status=404 | stats count', ['1']],
    ['table host | dedup host | format', ['( ( host="a" ) OR ( host="b" ) OR ( host="c" ) )']],
    ['foreach b* [eval <<FIELD>>_<<MATCHSTR>>=<<FIELD>>*2] | table bytes_ytes', ['20', '60', '40', '']],
    ['foreach *t* [eval n=coalesce(n, 0)+1] | table n', ['3', '3', '3', '3']],
    ['return 2 host $status', ['(host="a" 200) OR (host="b" 404)']],
    [
      'fieldsummary maxvals=1 bytes host | table field count distinct_count mean values',
      ['bytes 3 3 20 [{"value":"10","count":1}]', 'host 4 3 [{"value":"a","count":2}]'],
    ],
  ] as const) {
    it(text, async () => {
      expect(await values(text)).to.deep.equal(expected);
    });
  }

  it('summarises many values', async () => {
    const rows = Array.from({ length: 300_000 }, (_none, n) => ({ n: String(n) }));
    expect((await run('stats range(n) max(n) dc(n)', rows)).rows).to.deep.equal([
      { 'range(n)': '299999', 'max(n)': '299999', 'dc(n)': '300000' },
    ]);
  });

  it('extracts JSON with spath', async () => {
    const rows: Rows = [{ _raw: '{"a":{"b":[1,2]},"c":"x"}' }, { _raw: 'no' }];
    expect((await run('spath', rows)).rows[0]).to.include({ c: 'x' });
    expect((await run('spath path=a.b{} output=n | table n', rows)).rows).to.deep.equal([{ n: ['1', '2'] }, {}]);
    expect((await run('spath a | table a', rows)).rows[0]).to.deep.equal({ a: '{"b":[1,2]}' });
  });

  it('names the columns of a chart by the values of the field to split by', async () => {
    expect((await run('timechart span=2m count by host')).columns).to.deep.equal(['_time', 'a', 'b', 'c']);
    expect((await run('timechart span=5m count by host limit=1')).columns).to.deep.equal(['_time', 'a', 'OTHER']);
    expect((await run('timechart span=5m count sum(bytes) by host limit=1 useother=f')).columns).to.deep.equal([
      '_time',
      'count: a',
      'sum(bytes): a',
    ]);
    expect((await run('chart count over host by bytes')).columns).to.deep.equal(['host', '10', '20', '30', 'NULL']);
  });

  for (const [text, message] of [
    ['stats nope(x)', "The aggregation specifier 'nope(x)' is invalid."],
    ['stats count as', "You must specify a field name after 'as'."],
    ['stats count by', "You must specify at least one field after 'by'."],
    ['stats count by host host', "Repeated group-by field 'host'."],
    ['stats count as host by host', "The output field 'host' cannot have the same name as a group-by field."],
    ['stats count(eval(x>1))', 'You must specify a rename for the aggregation specifier'],
    ['stats sum(*)', 'does not support wildcards'],
    ['sort', 'You must specify fields to sort.'],
    ['rename a', 'Usage: rename [old_name AS/TO/-> new_name]+.'],
    ['rename a* as b', "Wildcard mismatch: 'a*' as 'b'."],
    ['rex "nothing"', 'does not extract anything'],
    ['rex "(?<a>["', 'is invalid.'],
    ['regex _raw="("', "The regex '(' is invalid."],
    ['dedup', 'Usage: dedup'],
    ['bin _time', "supports 'bin' with the option 'span' only"],
    ['timechart span=1x count', "Expecting a 'span' for option 'span'. Instead got '1x'."],
    ['chart count', 'is invalid'],
    ['fieldsummary maxvals=x', "Invalid option value. Expecting a 'integer' for option 'maxvals'. Instead got 'x'."],
    ['head limit=x', "Expecting a 'integer' for option 'limit'."],
    ['search (a', 'Unable to parse the search'],
    ['search a )', 'Unable to parse the search'],
    ['search daysago=1', "does not support the time modifier 'daysago'"],
    ['foreach a [sort b]', "Error in 'foreach' command: The command 'sort' is not streaming."],
    ['foreach [eval a=1]', 'You must specify at least one field.'],
    ['foreach a', 'The last argument must be a subsearch.'],
    ['append [search a]', 'cannot run this command over the results of a job'],
    ['tstats count', 'This command must be the first command of a search.'],
  ] as const) {
    it(`refuses ${text}`, async () => {
      const error = await run(text).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).to.be.instanceOf(ArgumentError);
      expect((error as Error).message)
        .to.contain(message)
        .and.match(new RegExp(`^Error in '${text.split(' ')[0]}' command: `));
    });
  }

  it('ends an expression that takes too long', async () => {
    const rows: Rows = [{ _raw: `${'a'.repeat(40)}b` }];
    const error = await run('regex _raw="^(a+)+$"', rows).catch(String);
    expect(error).to.contain("The regex '^(a+)+$' takes too long.");
  });
});
