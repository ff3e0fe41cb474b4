import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/patience.ts';
import { writeFiles } from '../support/platform.ts';
import { isAlive } from '../support/processes.ts';
import { JOBS, jobPath, messagesOf, SearchJobs } from '../support/searchJobs.ts';

describe('embedded platform: streaming commands', () => {
  const jobs = new SearchJobs();
  const { post, get, oneshot, dispatch, content, until } = jobs;

  const log = (): string[][] => {
    const file = join(jobs.fixture.platform.home, 'streams.log');
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    return lines.map((line) => line.split(' '));
  };
  /** Rows of each chunk that the command got, and whether it was the last; `before` is the length of the log then. */
  const chunks = (before: number) =>
    log()
      .slice(before)
      .filter(([, what]) => what === 'chunk')
      .map(([, , rows, finished]) => `${rows} ${finished}`);
  const rows = async (search: string): Promise<Record<string, string>[]> => {
    const reply = await oneshot(search, { count: '0' });
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.json.messages.filter(({ type }: { type: string }) => type !== 'INFO')).to.deep.equal([]);
    return reply.json.results;
  };

  it('get the rows of a built-in command', async () => {
    const before = log().length;
    const found = await rows('| makeresults count=3 | stream');
    expect(found.map(({ seen }) => seen)).to.deep.equal(['1.0', '1.1', '1.2']);
    expect(Object.keys(found[0] ?? {})).to.have.members(['seen', '_time']);
    // All rows are there from the start, so their only chunk is the last.
    expect(chunks(before)).to.deep.equal(['3 true']);
    const header = log().findLast(([, what]) => what === 'chunk')?.[4];
    expect(header).to.equal('"_time","_chunked_idx","__mv__time"');
  });

  it('can follow a generating command and each other', async () => {
    const before = log().length;
    const search = '| fake do=rows count=4 | stream | where n>0 | stream type=streaming | table n seen | head 2';
    expect(await rows(search)).to.deep.equal([
      { n: '1', seen: '1.1' },
      { n: '2', seen: '1.2' },
    ]);
    expect(chunks(before)).to.deep.equal(['4 false', '3 false']);
    expect(await rows('| makeresults count=5 | stream | stats count')).to.deep.equal([{ count: '5' }]);
    expect(await rows('| makeresults count=5 | stats count | stream | table count seen')).to.deep.equal([
      { count: '5', seen: '1.0' },
    ]);
    expect(
      await rows('search index=_internal loader | head 1 | stream | fields seen component | fields - _*'),
    ).to.deep.equal([{ component: 'loader', seen: '1.0' }]);
  });

  it('get a chunk for each batch, and an empty one at an unexpected end', async () => {
    const before = log().length;
    const found = await rows('| fake do=slow count=2 ms=1 | stream');
    expect(found.map(({ n, seen }) => `${n} ${seen}`)).to.deep.equal(['0 1.0', '1 2.0']);
    expect(chunks(before)).to.deep.equal(['1 false', '1 false', '0 true']);
  });

  it('get an empty chunk when there are no rows', async () => {
    const before = log().length;
    expect(await rows('| makeresults | where x="y" | stream')).to.deep.equal([]);
    expect(chunks(before)).to.deep.equal(['0 true']);
  });

  it('get chunks within the limits of limits.conf and the command', async () => {
    let before = log().length;
    const found = await rows('| makeresults count=2500 | stream maxinputs=1000');
    expect(found).to.have.length(2500);
    expect([found[0]?.seen, found[999]?.seen, found[1000]?.seen, found[2499]?.seen]).to.deep.equal([
      '1.0',
      '1.999',
      '2.0',
      '3.499',
    ]);
    expect(chunks(before)).to.deep.equal(['1000 false', '1000 false', '500 true']);
    const apps = join(jobs.fixture.platform.home, 'etc/apps/searching/local');
    writeFiles(apps, { 'limits.conf': '[searchresults]\nmaxresultrows = 2\n' });
    try {
      before = log().length;
      expect(await rows('| makeresults count=5 | stream maxinputs=1000')).to.have.length(5);
      expect(chunks(before)).to.deep.equal(['2 false', '2 false', '1 true']);
      const [row] = await rows('| fake do=echo');
      expect(JSON.parse(row?.info ?? '').searchinfo.maxresultrows).to.equal(2);
    } finally {
      writeFiles(apps, { 'limits.conf': '' });
    }
  });

  it('are started with getinfo only before their run', async () => {
    const before = log().length;
    await rows('| makeresults | stream');
    await eventually(() => log().slice(before).length === 7);
    const events = log().slice(before);
    const [first, second] = [...new Set(events.map(([pid]) => pid))];
    const of = (pid: string | undefined) => events.filter(([one]) => one === pid).map(([, what]) => what);
    expect(of(first)).to.deep.equal(['start', 'getinfo', 'eof']);
    expect(of(second)).to.deep.equal(['start', 'getinfo', 'chunk', 'eof']);
  });

  it('keep multivalue fields', async () => {
    const [row] = await rows('| fake do=multivalue | stream | head 1');
    expect(row?.a).to.deep.equal(['x', 'y$']);
  });

  it('may hold rows back, and send more at the end', async () => {
    expect(await rows('| makeresults count=4 | stream do=collect type=reporting maxinputs=1')).to.deep.equal([
      { chunks: '4' },
    ]);
    const more = await rows('| makeresults count=2 | stream do=more | table seen');
    expect(more.map(({ seen }) => seen)).to.deep.equal(['1.0', '1.1', 'last']);
  });

  it('may end before their input, which ends the commands before them', async () => {
    const before = log().length;
    const sid = await dispatch('| fake "do=for ever" | stream do=enough', { exec_mode: 'blocking' });
    const found = await content(sid);
    expect(found).to.include({ dispatchState: 'DONE', resultCount: 1 });
    expect(found.messages).to.deep.equal([{ type: 'WARN', text: 'only the first chunk' }]);
    expect(chunks(before)).to.deep.equal(['1 false']);
    await eventually(() => jobs.fixture.events().every((line) => !isAlive(Number(line.split(' ')[0]))));
  });

  it('end with all others when head has enough', async () => {
    const before = log().length;
    const found = await rows('| fake "do=for ever" | stream | head 3');
    expect(found.map(({ n }) => n)).to.deep.equal(['0', '1', '2']);
    await eventually(() =>
      log()
        .slice(before)
        .every(([pid]) => !isAlive(Number(pid))),
    );
    await eventually(() => jobs.fixture.events().every((line) => !isAlive(Number(line.split(' ')[0]))));
  });

  it('apply backpressure to the commands before them', async () => {
    const before = log().length;
    const sid = await dispatch('| fake "do=for ever" | stream do=quiet');
    await eventually(() => chunks(before).length > 0);
    const executed = () => jobs.fixture.events().filter((line) => line.endsWith(' execute')).length;
    await new Promise((resolve) => setTimeout(resolve, 200));
    const count = executed();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(executed()).to.equal(count);
    await post(`${jobPath(sid)}/control`, { action: 'cancel' });
    await eventually(() => log().every(([one]) => !isAlive(Number(one))));
  });

  it('are finalized with the rows so far', async () => {
    const sid = await dispatch('| fake "do=for ever" | stream | stats count');
    await until(sid, ({ pid }) => pid !== '');
    const before = log().length;
    await eventually(() => chunks(before).length > 2);
    await post(`${jobPath(sid)}/control`, { action: 'finalize' });
    const found = await until(sid, ({ isDone }) => isDone === true);
    expect(found).to.include({ dispatchState: 'DONE', isFinalized: true, isFailed: false });
    expect(Number((await get(`${jobPath(sid)}/results`)).json.results[0].count)).to.be.greaterThan(0);
    await eventually(() => log().every(([one]) => !isAlive(Number(one))));
  });

  for (const [search, message] of [
    [
      '| makeresults count=2 | stream maxinputs=1 do=die',
      "'stream' command: external search command exited unexpectedly.",
    ],
    ['| makeresults | stream "do=die early"', "'stream' command: external search command exited unexpectedly."],
    ['| makeresults | stream do=error | head 1', "'stream' command: these rows are not for me"],
    ['| fake do=die | stream', "'fake' command: external search command exited unexpectedly."],
    ['| makeresults | stream type=odd', "'stream' command: 'odd' is not a command type."],
    ['| makeresults | impatientstream do=quiet', "'impatientstream' command: The command did not answer within 1 s"],
    ['| stream', "'stream' command: The command is not generating, so it cannot be the first of a search."],
  ] as const) {
    it(`fail the search and say which command it was: ${search}`, async () => {
      const sid = await dispatch(search, { exec_mode: 'blocking' });
      const found = await content(sid);
      expect(found.dispatchState).to.equal('FAILED');
      expect(found.messages.at(-1).type).to.equal('FATAL');
      expect(found.messages.at(-1).text).to.contain(`Error in ${message}`);
      await eventually(() => log().every(([pid]) => !isAlive(Number(pid))));
    });
  }

  it('can follow others, while a generating one is refused before the job begins', async () => {
    for (const search of ['| makeresults | fake', '| fake | stream | fake do=rows | head 1']) {
      const reply = await post(JOBS, { search, id: 'refused' });
      expect([reply.status, messagesOf(reply)]).to.deep.equal([
        400,
        "FATAL Error in 'fake' command: This command must be the first command of a search.",
      ]);
      expect((await get(jobPath('refused'))).status).to.equal(404);
    }
  });
});
