import { expect } from 'chai';
import type { SplunkdCall, SplunkdClient } from '../../../src/adapters/splunkd/client.ts';
import { indexRule } from '../../../src/adapters/splunkd/searches/indexRights.ts';
import { splunkdPlatformSearches } from '../../../src/adapters/splunkd/searches/platformSearches.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../src/domain/async/unmetered.ts';
import type { PlatformSearch } from '../../../src/ports/platform/platformSearches.ts';
import { faultOf, rejection } from '../../support/fault.ts';

type Reply = [status: number, body?: object];
type Script = (call: SplunkdCall) => Reply | undefined;

const SEARCH: PlatformSearch = {
  ...{ search: 'index=main | head 5', earliest: '-1h', latest: 'now', app: 'search' },
  ...{ maxRows: 50, timeoutS: 5, enableLookups: true },
};
const PLACE = { user: 'ann', app: 'search' };
const DONE = { isDone: true, dispatchState: 'DONE', resultCount: 2, earliestTime: 'e', latestTime: 'l' };
const jobOf = (content: object): Reply => [200, { entry: [{ content }] }];
const rowsOf = (...results: object[]): Reply => [200, { fields: [{ name: 'host' }], results, messages: [] }];
const ROWS = rowsOf({ host: 'a' }, { host: 'b' });
const QUOTA =
  'This search could not be dispatched because the role-based concurrency limit of historical searches for user "ann" has been reached (usage=3, quota=3).';
const WRAPPED =
  'Search not executed: The maximum number of concurrent historical searches has been reached, concurrency_category="historical", concurrency_limit=10';
const fatal = (text: string) => ({ messages: [{ type: 'FATAL', text }] });

describe('searches with the session of a caller', () => {
  let calls: SplunkdCall[];
  let slots: number;
  const searches = (script: Script) => {
    calls = [];
    slots = 2;
    const call = async (one: SplunkdCall) => {
      calls.push(one);
      const [status, body = {}] = script(one) ?? [404];
      return { status, text: JSON.stringify(body), phrase: '', repeated: false };
    };
    const release = () => {
      slots += 1;
    };
    return splunkdPlatformSearches({
      ...{ client: { call } as unknown as SplunkdClient, sessionToken: 'session', systemToken: 'system' },
      async takeSlot() {
        if (slots === 0) return undefined;
        slots -= 1;
        return { release };
      },
    });
  };
  const isDispatch = ({ method, endpoint }: SplunkdCall) => method === 'POST' && endpoint === 'search/jobs';
  const isResults = ({ endpoint }: SplunkdCall) => endpoint === 'search/v2/jobs/1.7/results';
  const isStatus = ({ method, endpoint }: SplunkdCall) => method === 'GET' && endpoint === 'search/jobs/1.7';
  const actions = () => calls.flatMap(({ endpoint, form }) => (endpoint.endsWith('/control') ? [form?.action] : []));
  /** A platform that answers polls one after the other, the last one again and again. */
  const platform =
    (polls: Reply[], results: Reply = ROWS, dispatch: Reply = [201, { sid: '1.7' }]): Script =>
    (call) => {
      if (isDispatch(call)) return dispatch;
      if (isStatus(call)) return polls.length > 1 ? polls.shift() : polls[0];
      if (isResults(call)) return results;
      return call.endpoint.endsWith('/control') ? [200] : undefined;
    };
  const run = async (script: Script, more: Partial<PlatformSearch> = {}, ms = 60_000) => {
    using deadline = startDeadline(ms);
    return await searches(script).run('ann', { ...SEARCH, ...more }, unmetered(deadline));
  };

  it('run in normal mode until they are done, in the namespace of the user and app', async () => {
    const running = jobOf({ isDone: false, dispatchState: 'RUNNING' });
    const rows = await run(platform([[204], running, jobOf(DONE)]));
    expect(rows).to.deep.equal({
      ...{ sid: '1.7', fields: ['host'], rows: [{ host: 'a' }, { host: 'b' }], total: 2, isPartial: false },
      ...{ earliest: 'e', latest: 'l', messages: [] },
    });
    expect(calls[0]?.form).to.deep.equal({
      ...{ search: 'search index=main | head 5', exec_mode: 'normal', earliest_time: '-1h', latest_time: 'now' },
      ...{ max_time: '5', auto_cancel: '30', preview: '0', status_buckets: '0', label: 'ml_extension' },
    });
    for (const { token, namespace } of calls) {
      expect([token, namespace]).to.deep.equal(['session', { owner: 'ann', app: 'search' }]);
    }
    expect(calls.at(-1)?.query).to.deep.equal({ count: '50', offset: '0' });
    expect([actions(), slots]).to.deep.equal([[], 2]);
  });

  it('keep a search that begins with a bar or the command, and switch lookups off where the site says so', async () => {
    for (const search of ['| makeresults', 'search index=a', '  | tstats count']) {
      await run(platform([jobOf(DONE)]), { search, enableLookups: false });
      expect(calls[0]?.form).to.include({ search, enable_lookups: '0' });
    }
    await run(platform([jobOf(DONE)]), { search: 'searching' });
    expect(calls[0]?.form?.search).to.equal('search searching');
  });

  it('pass on what the platform says of a search that fails, and tell quotas apart', async () => {
    for (const [script, code, text] of [
      [platform([], ROWS, [400, fatal("Unknown search command 'x'.")]), 'search_failed', "Unknown search command 'x'."],
      [platform([], ROWS, [503, fatal(QUOTA)]), 'too_many_searches', QUOTA],
      [platform([], ROWS, [400, fatal(QUOTA)]), 'too_many_searches', QUOTA],
      [platform([], ROWS, [503, fatal(WRAPPED)]), 'too_many_searches', WRAPPED],
      [platform([], ROWS, [403, fatal('no right')]), 'search_failed', 'no right'],
      [platform([], ROWS, [500]), 'store_unavailable', 'The platform answered 500 to the search'],
      [platform([jobOf({ isFailed: true, messages: [{ type: 'FATAL', text: 'broken' }] })]), 'search_failed', 'broken'],
      [platform([jobOf({ ...DONE, messages: [{ type: 'ERROR', text: 'bad' }] })]), 'search_failed', 'bad'],
      [platform([jobOf({ isFailed: 1, messages: ['plain text'] })]), 'search_failed', 'plain text'],
      [platform([[404]]), 'search_failed', 'The search was cancelled'],
    ] as const) {
      const fault = await faultOf(run(script));
      expect([fault.code, fault.message]).to.deep.equal([code, text]);
      expect(slots, 'the slot is given back').to.equal(2);
    }
  });

  it('are finalized when their time is over, and give the rows that they have', async () => {
    const running = jobOf({ isDone: false, dispatchState: 'RUNNING' });
    let isFinalized = false;
    const base = platform([running]);
    const script: Script = (call) => {
      if (call.form?.action === 'finalize') isFinalized = true;
      return isFinalized && isStatus(call) ? jobOf({ ...DONE, isFinalized: true }) : base(call);
    };
    const rows = await run(script, { timeoutS: 0.2 });
    expect(rows).to.include({ isPartial: true, total: 2 });
    expect(rows.messages[0]).to.deep.include({ type: 'WARN' });
    expect(rows.messages[0]?.text).to.match(/stopped after 0.2 s/);
    expect(actions()).to.deep.equal(['finalize']);
    isFinalized = false;
    const none: Script = (call) => (isResults(call) ? rowsOf() : script(call));
    expect((await rejection(run(none, { timeoutS: 0.2 }), OutboundError)).code).to.equal('timeout');
  });

  it('are cancelled where they are still queued when their time is over, and with their call', async () => {
    const queued = jobOf({ isDone: false, dispatchState: 'QUEUED' });
    const late = await faultOf(run(platform([queued]), { timeoutS: 0.2 }));
    expect([late.code, late.extra]).to.deep.equal(['too_many_searches', { sid: '1.7', retry_after: 2 }]);
    expect(actions()).to.deep.equal(['cancel']);
    const running = jobOf({ isDone: false, dispatchState: 'RUNNING' });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const upstream = unmetered({ signal: controller.signal, remaining: () => 60_000 });
    const call = searches(platform([running])).run('ann', SEARCH, upstream);
    const aborted = await call.catch((error: unknown) => error);
    expect(aborted).not.to.have.property('rows');
    expect([actions(), slots]).to.deep.equal([['cancel'], 2]);
  });

  it('wait while the user has two under way', async () => {
    const port = searches(platform([jobOf(DONE)]));
    slots = 0;
    using deadline = startDeadline(5000);
    const waiting = port.run('ann', SEARCH, unmetered(deadline));
    setTimeout(() => {
      slots = 1;
    }, 120);
    expect((await waiting).total).to.equal(2);
    slots = 0;
    using short = startDeadline(150);
    const third = await faultOf(port.run('ann', SEARCH, unmetered(short)));
    expect([third.code, third.extra]).to.deep.equal(['too_many_searches', { retry_after: 2 }]);
  });

  it('are parsed without being run', async () => {
    const parsed = (status: number, body: object) =>
      searches(({ endpoint }) => (endpoint === 'search/v2/parser' ? [status, body] : undefined)).commandsOf(
        PLACE,
        'search a',
      );
    expect(await parsed(200, { commands: [{ command: 'search' }, { command: 'HEAD' }] })).to.deep.equal([
      ...['search', 'head'],
    ]);
    expect(calls[0]?.form).to.deep.equal({ q: 'search a', parse_only: 't', enable_lookups: 'f' });
    expect(await parsed(503, {})).to.equal(undefined);
    expect((await faultOf(parsed(400, fatal("Mismatched ']'.")))).message).to.equal("Mismatched ']'.");
  });

  it('read macros and lookups as the caller sees them, once a minute', async () => {
    const macro = { definition: 'index=$a$', args: 'a, b', iseval: '0' };
    const port = searches(({ endpoint }) => {
      if (endpoint === 'configs/conf-macros/web(2)') return jobOf(macro);
      if (endpoint === 'configs/conf-macros/odd') return jobOf({ definition: '1+1', iseval: 1 });
      if (endpoint === 'data/lookup-table-files') return [200, { entry: [{ name: 'a.csv', content: {} }] }];
      if (endpoint !== 'data/transforms/lookups') return undefined;
      const entry = (name: string, content: object) => ({ name, content });
      return [
        200,
        {
          entry: [
            entry('files', { type: 'file' }),
            entry('kv', { type: 'kvstore' }),
            entry('script', { type: 'external', external_cmd: 'x.py' }),
            entry('hidden', { type: 'file', external_cmd: 'x.py' }),
            entry('odd', {}),
            entry('both', { type: 'external', external_cmd: 'x.py' }),
            entry('both', { type: 'file' }),
          ],
        },
      ];
    });
    expect(await port.macro(PLACE, 'web', 2)).to.deep.equal({
      definition: 'index=$a$',
      args: ['a', 'b'],
      isEval: false,
    });
    expect(await port.macro(PLACE, 'odd', 0)).to.include({ isEval: true });
    expect(await port.macro(PLACE, 'nothing', 0)).to.equal(null);
    expect(Object.fromEntries(await port.lookups(PLACE))).to.deep.equal({
      ...{ 'a.csv': 'file', files: 'file', kv: 'kvstore', script: 'external', hidden: 'external', odd: 'external' },
      both: 'external',
    });
    const asked = calls.length;
    await port.lookups(PLACE);
    await port.macro(PLACE, 'web', 2);
    expect(calls).to.have.length(asked);
    await port.macro({ user: 'bob', app: 'search' }, 'web', 2);
    expect(calls).to.have.length(asked + 1);
  });

  it('know no lookups where the caller may not list them, and none of a platform that is not ready', async () => {
    expect((await searches(() => [403, fatal('no right')]).lookups(PLACE)).size).to.equal(0);
    expect((await faultOf(searches(() => [503]).lookups(PLACE))).code).to.equal('store_unavailable');
  });

  it('list the indexes that the roles of the caller may search', async () => {
    const port = searches(({ endpoint }) => {
      const entry = (name: string, content: object = {}) => ({ name, content });
      if (endpoint === 'data/indexes')
        return [200, { entry: [entry('web'), entry('_audit'), entry('secret'), entry('off', { disabled: true })] }];
      if (endpoint !== 'authorization/roles/user') return undefined;
      return [200, { entry: [{ content: { srchIndexesAllowed: ['*'], imported_srchIndexesDisallowed: ['sec*'] } }] }];
    });
    const { rows, total } = await port.list('indexes', PLACE, { roles: ['user', 'gone'] });
    expect([rows.map(({ name }) => name), total]).to.deep.equal([['web'], 1]);
  });

  it('list data models and saved searches that contain a text', async () => {
    const model = { description: JSON.stringify({ displayName: 'Web', objects: [{ objectName: 'Proxy' }] }) };
    const port = searches(({ endpoint }) => {
      if (endpoint === 'datamodel/model') return [200, { entry: [{ name: 'Web', acl: { app: 'a' }, content: model }] }];
      if (endpoint !== 'saved/searches') return undefined;
      const saved = (name: string, search: string) => ({ name, acl: { app: 'a', owner: 'o' }, content: { search } });
      return [200, { entry: [saved('b', 'index=web'), saved('a', 'index=os')] }];
    });
    expect((await port.list('data_models', PLACE, { roles: [] })).rows).to.deep.equal([
      { name: 'Web', title: 'Web', app: 'a', accelerated: 'no', datasets: ['Proxy'] },
    ]);
    const { rows } = await port.list('saved_searches', PLACE, { roles: [], text: 'WEB' });
    expect(rows.map(({ name }) => name)).to.deep.equal(['b']);
  });
});

describe('indexes of roles', () => {
  it('fit patterns, internal ones only those that begin alike', () => {
    const may = indexRule([
      { allowed: ['web*', '_aud*', 'a*b*c'], disallowed: ['web_secret'] },
      { allowed: ['main'], disallowed: [] },
    ]);
    for (const name of ['web', 'web1', 'main', '_audit', 'abc', 'a1b2c']) expect(may(name), name).to.equal(true);
    for (const name of ['web_secret', 'mains', '_internal', 'xweb', 'ab', 'acb'])
      expect(may(name), name).to.equal(false);
    expect(indexRule([{ allowed: ['*'], disallowed: [] }])('_internal')).to.equal(false);
  });
});
