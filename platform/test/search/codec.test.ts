import { expect } from 'chai';
import { wildcard } from '../../src/eai/wildcard.ts';
import { ChunkReader, encodeChunk } from '../../src/search/commands/chunks.ts';
import { stage } from '../../src/search/pipeline/builtins.ts';
import { isIndexAllowed } from '../../src/search/pipeline/events.ts';
import { Results, throughStage } from '../../src/search/pipeline/pipeline.ts';
import { parseSearch } from '../../src/search/pipeline/spl.ts';
import { timeBound } from '../../src/search/pipeline/times.ts';
import { parseCsv, readBatch, writeCsv } from '../../src/search/results/csv.ts';
import { type Batch, newRow } from '../../src/search/results/rows.ts';

describe('search: chunks', () => {
  it('are written as the protocol says, byte for byte', () => {
    expect(encodeChunk({ action: 'execute', finished: true }, 'ä\n').toString('utf8')).to.equal(
      'chunked 1.0,36,3\n{"action":"execute","finished":true}ä\n',
    );
    expect(encodeChunk({}).toString()).to.equal('chunked 1.0,2,0\n{}');
  });

  it('are found in bytes of any split, also with blanks in the header', () => {
    const bytes = Buffer.from('chunked 1.0 , 13,5 \n{"ü":"🙂"}a\r\nßchunked 1.0,0,0\n');
    const reader = new ChunkReader();
    reader.push(bytes);
    const expected = [
      { metadata: { ü: '🙂' }, body: 'a\r\nß' },
      { metadata: {}, body: '' },
    ];
    expect([reader.take(), reader.take(), reader.take()]).to.deep.equal([...expected, undefined]);
    const slow = new ChunkReader();
    const found = [];
    for (const byte of bytes) {
      slow.push(Buffer.of(byte));
      const chunk = slow.take();
      if (chunk) found.push(chunk);
    }
    expect(found).to.deep.equal(expected);
  });

  it('are refused if malformed', () => {
    const bad: [string, string][] = [
      ['Traceback\n', 'Failed to parse transport header: "Traceback"'],
      ['chunked 2.0,1,1\n', 'Failed to parse transport header'],
      ['chunked 1.0,-1,1\n', 'Failed to parse transport header'],
      ['chunked 1.0,1\n', 'Failed to parse transport header'],
      ['x'.repeat(200), 'Failed to parse transport header'],
      ['chunked 1.0,2,0\n[]', 'not a JSON object'],
      ['chunked 1.0,4,0\nnull', 'not a JSON object'],
      ['chunked 1.0,4,0\n{no}', 'Failed to parse chunk metadata'],
      ['chunked 1.0,2,999999999999\n', 'larger than'],
      ['chunked 1.0,999999999,0\n', 'too large'],
    ];
    for (const [text, message] of bad) {
      const reader = new ChunkReader();
      reader.push(Buffer.from(text));
      expect(() => reader.take(), text).to.throw(message);
    }
    const small = new ChunkReader(10);
    small.push(Buffer.from('chunked 1.0,2,11\n'));
    expect(() => small.take()).to.throw('larger than 10');
  });
});

describe('search: CSV', () => {
  it('is read with quotes, both kinds of line breaks and no final one', () => {
    expect(parseCsv('a,b\r\n"1,""x""\n2",\n')).to.deep.equal([
      ['a', 'b'],
      ['1,"x"\n2', ''],
    ]);
    expect(parseCsv('a\n\n"" \nb')).to.deep.equal([['a'], [' '], ['b']]);
    expect(parseCsv('a\n""\n\r\n')).to.deep.equal([['a'], ['']]);
    expect(parseCsv('\ufeffa,\n,')).to.deep.equal([
      ['a', ''],
      ['', ''],
    ]);
    expect(parseCsv('')).to.deep.equal([]);
    expect(() => parseCsv('a\n"b')).to.throw('does not end');
  });

  it('returns multivalue fields as lists, for any field name', () => {
    const { columns, rows } = readBatch('a,__mv_a,__proto__\n"x\ny$",$x$;$y$$$,p\none,,\nshort\n');
    expect(columns).to.deep.equal(['a', '__proto__']);
    expect(rows.map((row) => row.a)).to.deep.equal([['x', 'y$'], 'one', 'short']);
    expect(rows.map((row) => Object.getOwnPropertyDescriptor(row, '__proto__')?.value)).to.deep.equal(['p', '', '']);
    expect(() => readBatch('a,__mv_a\nx,broken\n')).to.throw('cannot be read');
    expect(readBatch('a,b\n').rows).to.deep.equal([]);
  });

  it('is read back as written', () => {
    const row = Object.assign(newRow(), { a: 'x,"y"\nz', b: ['1', '2'] });
    expect(writeCsv(['a', 'b', 'c'], [row])).to.equal('a,b,c\n"x,""y""\nz","1\n2",\n');
  });
});

describe('search: language', () => {
  it('is split at pipes and blanks outside of quotes', () => {
    expect(parseSearch('| AgentStatus agent_name="a | \\"b\\"" b = "two"  c=\'x\' | head 2')).to.deep.equal([
      {
        name: 'agentstatus',
        text: 'agent_name="a | \\"b\\"" b = "two"  c=\'x\'',
        args: ['agent_name=a | "b"', 'b', '=', 'two', "c='x'"],
        rawArgs: ['agent_name="a | \\"b\\""', 'b', '=', '"two"', "c='x'"],
      },
      { name: 'head', text: '2', args: ['2'], rawArgs: ['2'] },
    ]);
    expect(parseSearch('x "" a\\\\b "c\\\\"')[0]?.args).to.deep.equal(['', 'a\\b', 'c\\']);
  });

  it('refuses unsupported syntax', () => {
    const bad: [string, string][] = [
      ['| a "b', 'Unbalanced quotes'],
      ['| a [search b', "Mismatched '['."],
      ['| a search b]', "Mismatched ']'."],
      ['| a \\', 'The trailing escape character is invalid.'],
      ['| a | | b', "Missing a search command before '|'. Error at position '6' of search query '| a | | b'."],
      ['| a | ', "Missing a search command before '^'. Error at position '6' of search query '| a | '."],
      ['|', "Missing a search command before '^'"],
      ['| a [search b | ]', "Missing a search command before ']'"],
      ['| [search b]', "Subsearches are only valid as arguments to commands. Error at position '2'"],
      ['| a [| b [=x]]', "Unknown search command '=x'"],
      [`| a ${'[b '.repeat(9)}${']'.repeat(9)}`, 'too many nested subsearches. Maximum nested subsearches allowed: 8.'],
      ['| =x', "Unknown search command '=x'"],
    ];
    for (const [text, message] of bad) expect(() => parseSearch(text), text).to.throw(message);
  });

  const run = async (commands: string, count: number) => {
    let made = 0;
    async function* source(): AsyncGenerator<Batch> {
      for (let n = 0; n < count; n += 1) {
        made += 1;
        const row = Object.assign(newRow(), { _time: '0', n: `${n}`, name: `x${n}` });
        yield { columns: ['_time', 'n', 'name'], rows: [row] };
      }
    }
    const results = new Results();
    const rows = parseSearch(commands)
      .map((part) => stage(part))
      .reduce<AsyncIterable<Batch>>((all, one) => throughStage(one, all), source());
    for await (const batch of rows) results.keep(batch);
    return { columns: results.columns, rows: results.rows.map((row) => ({ ...row })), made };
  };

  it('has a few built-in commands for after the first', async () => {
    expect(await run('head 2 | table n', 5)).to.deep.equal({ columns: ['n'], rows: [{ n: '0' }, { n: '1' }], made: 2 });
    expect((await run('table x*, n*', 1)).columns).to.deep.equal(['n', 'name']);
    expect((await run('fields n', 1)).columns).to.deep.equal(['_time', 'n']);
    expect((await run('fields - n*, _time', 1)).columns).to.deep.equal([]);
    expect((await run('search n=3', 5)).rows).to.have.length(1);
    expect(await run('stats count', 5)).to.deep.equal({ columns: ['count'], rows: [{ count: '5' }], made: 5 });
    expect((await run('stats count | head 1', 5)).rows).to.deep.equal([{ count: '5' }]);
    expect((await run('eval even=if(n%2=0, "yes", "no") | stats count as rows by even', 5)).rows).to.deep.equal([
      { even: 'no', rows: '2' },
      { even: 'yes', rows: '3' },
    ]);
    expect((await run('stats count by none', 5)).rows).to.deep.equal([]);
    for (const bad of [
      'head x',
      'head 1 2',
      'stats nope(x)',
      'stats count by',
      'stats counts',
      'search a OR',
      'table',
      'makeresults',
    ])
      expect(await run(bad, 1).catch(String), bad).to.include(`Error in '${bad.split(' ')[0]}' command`);
  });

  it('supports wildcards; * excludes internal indexes', () => {
    expect(['abc', 'ac', 'xabc'].filter(wildcard('a*c'))).to.deep.equal(['abc', 'ac']);
    expect(['aXbXc', 'abab'].filter(wildcard('a*b*'))).to.deep.equal(['aXbXc', 'abab']);
    expect(wildcard('aa*a')('aa')).to.equal(false);
    expect(isIndexAllowed(['*'], '_internal')).to.equal(false);
    expect(isIndexAllowed(['_*'], '_internal')).to.equal(true);
    expect(isIndexAllowed(['*'], 'main')).to.equal(true);
  });

  it('parses time bounds', () => {
    const now = 1_700_000_000_500;
    const bounds: [string, number][] = [
      ['12.5', 12.5],
      ['now', 1_700_000_000],
      ['-15m', 1_699_999_100],
      ['-1days', 1_699_913_600],
      ['-h', 1_699_996_400],
      ['2023-11-14T22:13:20Z', 1_700_000_000],
      ['@d', Date.parse('2023-11-14T00:00:00Z') / 1000],
      ['-1d@d+2h', Date.parse('2023-11-13T02:00:00Z') / 1000],
      ['now-1w@w1', Date.parse('2023-11-06T00:00:00Z') / 1000],
      ['@w0', Date.parse('2023-11-12T00:00:00Z') / 1000],
      ['-1mon@mon', Date.parse('2023-10-01T00:00:00Z') / 1000],
      ['-9mon', Date.parse('2023-02-14T22:13:20Z') / 1000],
      ['@q', Date.parse('2023-10-01T00:00:00Z') / 1000],
      ['-1y@y', Date.parse('2022-01-01T00:00:00Z') / 1000],
    ];
    for (const [text, seconds] of bounds) expect(timeBound('earliest_time', text, now), text).to.equal(seconds);
    for (const bad of ['yesterday', '-1x', '12x', '-', '@', '-1d@d@', 'rt-1m'])
      expect(() => timeBound('earliest_time', bad, now)).to.throw('Invalid earliest_time');
  });
});
