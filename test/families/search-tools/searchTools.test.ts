import { expect } from 'chai';
import { Fault } from '../../../src/contract/codes/faults.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { type Answer, type Json, MemoryApp } from '../../support/memory/app.ts';
import { ROWS } from '../../support/searches/platformSearches.ts';

const PATH = '/search_tools';
const SEARCH = 'search index=main host="$host$" | stats count by sourcetype';
const TOOL = { name: 'errors', search: SEARCH, arguments: [{ name: 'host', type: 'string' }] };
const EVERYONE = { sharing: 'app', perms: { read: ['*'], write: [] } };

/** Status, code and the fields that are named. */
const refusal = ({ status, json }: Answer) => [
  status,
  json.error_code,
  ...(json.errors ?? []).map(({ field }: { field: string }) => field),
];

describe('search tools', () => {
  let app: MemoryApp;
  const call = (method: string, path: string, body?: Json, user = 'anna') => app.call(user, method, PATH + path, body);
  const post = (more: Json = {}, user?: string) => call('POST', '', { ...TOOL, ...more }, user);
  const put = (more: Json, user?: string) => call('PUT', '', { name: 'errors', ...more }, user);
  const made = async (more: Json = {}) => {
    const reply = await post(more);
    expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
    return reply.json.config;
  };
  const test = (body: Json, user?: string) => call('POST', '/test', body, user);

  beforeEach(() => {
    app = new MemoryApp();
    app.user('anna', { capabilities: ['edit_search_tools'] });
    app.user('bert', { capabilities: ['edit_search_tools'] });
    app.user('carl');
    app.user('root', { capabilities: ['edit_search_tools', 'admin_all_objects'] });
  });

  it('have defaults, and say whether they only read', async () => {
    const { created_at, last_updated_at, ...config } = await made();
    expect(config).to.deep.equal({
      ...{ name: 'errors', description: '', search: SEARCH, earliest: '-24h', latest: 'now', app: 'search' },
      arguments: [{ name: 'host', type: 'string', is_required: true, wildcards: false }],
      ...{ max_rows: 200, timeout_s: 60, is_enabled: true, read_only: true, version: 1 },
      acl: { owner: 'anna', sharing: 'user', perms: { read: [], write: [] } },
      ...{ created_by: 'anna', last_updated_by: 'anna' },
    });
    const { json } = await call('GET', '/ERRORS');
    expect(json.config).to.deep.equal({ created_at, last_updated_at, ...config });
  });

  it('that change something say so, also after an update', async () => {
    const args = { search: 'search index=main | collect index=summary', arguments: [] };
    expect(await made(args)).to.include({ read_only: false });
    expect((await put({ search: 'search index=main' })).json.config).to.include({ read_only: true, version: 2 });
    expect((await put({ search: args.search })).json.config).to.include({ read_only: false, version: 3 });
    expect((await put({ description: 'as before' })).json.config).to.include({ read_only: false, version: 4 });
  });

  it('are judged with the macros that their writer sees', async () => {
    app.platformSearches.macros.set('keep', { definition: 'collect index=summary', args: [], isEval: false });
    expect(await made({ search: 'search index=main | `keep`', arguments: [] })).to.include({ read_only: false });
  });

  it('have names that stand in the name of a tool, and none of those that are built in', async () => {
    for (const name of ['Errors', '1st', 'a-b', 'a b', 'x'.repeat(49), 'spl', 'saved_searches'])
      expect(refusal(await post({ name })), name).to.deep.equal([400, 'validation_failed', 'name']);
    await made();
    expect(refusal(await post())).to.deep.equal([409, 'duplicate_name']);
  });

  it('are refused with every problem', async () => {
    expect(refusal(await call('POST', '', { name: 'x' }))).to.deep.equal([400, 'validation_failed', 'search']);
    const wrong = { max_rows: 1001, timeout_s: 0, app: '../x', earliest: '', arguments: [{ name: '1', type: 'text' }] };
    const fields = ['arguments.0.name', 'arguments.0.type', 'earliest', 'app', 'max_rows', 'timeout_s'];
    const [status, code, ...named] = refusal(await post(wrong));
    expect([status, code]).to.deep.equal([400, 'validation_failed']);
    expect(named).to.include.members(fields);
    const times = { earliest: 'rt-5m', latest: 'soon' };
    expect(refusal(await post(times))).to.deep.equal([400, 'validation_failed', 'earliest', 'latest']);
    expect(refusal(await test({ search: 'index=main', ...times }))).to.deep.equal([
      ...[400, 'validation_failed', 'earliest', 'latest'],
    ]);
    for (const earliest of ['0', '-7d@d', '2026-01-01T00:00:00Z', '1700000000.5'])
      expect((await test({ search: 'index=main', earliest })).status, earliest).to.equal(200);
    const undeclared = await post({ search: 'search index=main $other$' });
    expect(refusal(undeclared)).to.deep.equal([400, 'validation_failed', 'arguments.0.name', 'search']);
    const twice = [TOOL.arguments[0], TOOL.arguments[0]];
    expect(refusal(await post({ arguments: twice }))).to.deep.equal([400, 'validation_failed', 'arguments.1.name']);
  });

  it('run and send only where an administrator saved them', async () => {
    const sends = { search: 'search index=main | sendemail to="a@example.com"', arguments: [] };
    expect(refusal(await post(sends))).to.deep.equal([400, 'validation_failed', 'search']);
    expect((await post(sends, 'root')).json.config).to.include({ read_only: false });
    await made({ name: 'plain' });
    expect(refusal(await put({ ...sends, name: 'plain' }))).to.deep.equal([400, 'validation_failed', 'search']);
  });

  it('are read by their access list, and written with a capability', async () => {
    await made({ acl: EVERYONE });
    expect((await call('GET', '/errors', undefined, 'carl')).status).to.equal(200);
    expect(refusal(await put({ description: 'x' }, 'bert'))).to.deep.equal([403, 'acl_denied']);
    expect(refusal(await post({ name: 'mine' }, 'carl'))).to.deep.equal([403, 'missing_capability']);
    expect(refusal(await test({ name: 'errors', values: { host: 'a' } }, 'carl'))).to.deep.equal([
      ...[403, 'missing_capability'],
    ]);
    app.settings.stanzas = { feature_flags: { search_tools: '0' } };
    expect(refusal(await post({ name: 'late' }))).to.deep.equal([403, 'feature_disabled']);
  });

  it('are deleted', async () => {
    await made();
    expect((await call('DELETE', '/errors?version=1')).json.message).to.equal('Search tool deleted');
    expect(refusal(await call('GET', '/errors'))).to.deep.equal([404, 'not_found']);
  });

  describe('are tested', () => {
    it('as they are saved, with the rights of the caller', async () => {
      await made();
      const { json } = await test({ name: 'errors', values: { host: 'web"1' } });
      expect(json, JSON.stringify(json)).to.deep.include({ status: 'success', success: true });
      const { duration_ms, ...data } = json.data;
      expect(data).to.deep.equal({
        ...{ search: String.raw`search index=main host="web\"1" | stats count by sourcetype`, sid: '1.7' },
        ...{ fields: ['host', 'count'], count: 2, read_only: true, commands: ['search', 'stats'], messages: [] },
        rows: [
          ['web-1', 12],
          ['web-2', 3],
        ],
      });
      expect(app.platformSearches.ran).to.have.length(1);
      expect(app.platformSearches.ran[0]).to.deep.include({ user: 'anna', app: 'search', maxRows: 200, timeoutS: 22 });
      const { last_test } = (await call('GET', '/errors')).json.config;
      expect(last_test).to.include({ status: 'success', error_code: null });
    });

    it('as they are given, without being saved', async () => {
      const { json } = await test({ search: 'search index=main', earliest: '-1h', max_rows: 7, timeout_s: 5 });
      expect(json.success).to.equal(true);
      expect(app.platformSearches.ran[0]).to.include({ earliest: '-1h', latest: 'now', maxRows: 7, timeoutS: 5 });
      expect(refusal(await test({}))).to.deep.equal([400, 'validation_failed', 'search']);
      const twenty = Array.from({ length: 30 }, (_, index) => ({ n: String(index) }));
      app.platformSearches.answer = async () => ({ ...ROWS, fields: ['n'], rows: twenty, total: 30 });
      const { data } = (await test({ search: 'search index=main' })).json;
      expect([data.rows.length, data.count]).to.deep.equal([20, 30]);
    });

    it('only once their caller has confirmed what they change', async () => {
      const search = 'search index=main | collect index=summary';
      expect(refusal(await test({ search }))).to.deep.equal([400, 'validation_failed', 'confirm']);
      expect(app.platformSearches.ran).to.deep.equal([]);
      expect((await test({ search, confirm: true })).json.data.read_only).to.equal(false);
    });

    it('and name the values that do not fit', async () => {
      await made();
      for (const [values, field] of [
        [{}, 'values.host'],
        [{ host: 'a*' }, 'values.host'],
        [{ host: 'a', other: 1 }, 'values.other'],
      ] as const)
        expect(refusal(await test({ name: 'errors', values }))).to.deep.equal([400, 'validation_failed', field]);
    });

    it('and answer failures of the platform', async () => {
      await made();
      const values = { host: 'a' };
      for (const [error, code] of [
        [new Fault('search_failed', 'Unknown search command', { sid: '1.9' }), 'search_failed'],
        [new Fault('too_many_searches', 'full'), 'too_many_searches'],
        [new OutboundError('timeout', 'late'), 'timeout'],
      ] as const) {
        app.platformSearches.answer = async () => {
          throw error;
        };
        const { status, json } = await test({ name: 'errors', values });
        expect([status, json.status, json.error_code], code).to.deep.equal([200, 'fail', code]);
        expect((await call('GET', '/errors')).json.config.last_test).to.include({ status: 'fail', error_code: code });
      }
    });

    it('and refused with values that do more than read', async () => {
      await made({ search: 'search index=main $f$=1', arguments: [{ name: 'f', type: 'field' }] });
      expect((await test({ name: 'errors', values: { f: 'host' } })).json.success).to.equal(true);
      const refused = await test({ name: 'errors', values: { f: 'savedsearch' } });
      expect(refusal(refused)).to.deep.equal([400, 'search_not_allowed']);
      expect(refused.json).to.include({ command: 'search', position: 0 });
      expect(refused.json.message).to.match(/^With these values the search does more than read: The term savedsearch=/);
      expect(app.platformSearches.ran).to.have.length(1);
    });

    it('and refused once a macro does more than when they were saved', async () => {
      app.platformSearches.macros.set('keep', { definition: 'head 5', args: [], isEval: false });
      await made({ search: 'search index=main | `keep`', arguments: [] });
      app.platformSearches.macros.set('keep', { definition: 'collect index=x', args: [], isEval: false });
      expect(refusal(await test({ name: 'errors' }))).to.deep.equal([400, 'validation_failed', 'confirm']);
      const { json } = await test({ name: 'errors', confirm: true });
      expect([json.error_code, app.platformSearches.ran.length]).to.deep.equal(['search_not_allowed', 0]);
    });
  });

  describe('in health', () => {
    const check = async (more: Json = {}) =>
      (await app.call('anna', 'POST', '/connection_health/check', { family: 'search_tools', ...more })).json.result[0];

    it('are untested until a test ran, and fail as the guard and the parser say, without a search', async () => {
      await made();
      const { json } = await app.call('anna', 'GET', '/connection_health?family=search_tools');
      expect(json.result[0]).to.include({ name: 'errors', type: 'search', state: 'untested' });
      expect(await check()).to.include({ state: 'untested', checked: true });
      app.platformSearches.parse = async () => {
        throw new Fault('search_failed', 'Unknown search command');
      };
      expect(await check({ max_age_s: 0 })).to.include({ state: 'failing', error_code: 'search_failed' });
      expect(app.platformSearches.ran).to.deep.equal([]);
      expect(app.platformSearches.parsed[0]).to.equal('search index=main host="main" | stats count by sourcetype');
    });

    it('keep the result of the last test, and lose one that the guard no longer confirms', async () => {
      const readers = { definition: 'head 5', args: [], isEval: false };
      app.platformSearches.macros.set('keep', readers);
      await made({ search: 'search index=main | `keep`', arguments: [] });
      expect((await test({ name: 'errors' })).json.success).to.equal(true);
      expect(await check({ max_age_s: 0 })).to.include({ state: 'ok', checked: true });
      app.platformSearches.macros.set('keep', { ...readers, definition: 'collect index=summary' });
      expect(await check({ max_age_s: 0 })).to.include({ state: 'failing', error_code: 'search_not_allowed' });
      app.platformSearches.macros.set('keep', readers);
      expect(await check({ max_age_s: 0 })).to.include({ state: 'untested', checked: true });
    });
  });
});
