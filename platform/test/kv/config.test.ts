import { expect } from 'chai';
import { ADMIN, type Bench, BOB, caller, makeBench } from '../support/stores.ts';

const CONFIG = '/servicesNS/nobody/search/storage/collections/config';
const DATA = '/servicesNS/nobody/search/storage/collections/data';

describe('embedded KV store: config endpoint', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = makeBench({
      'etc/apps/search/default/collections.conf': '[shipped]\n[hidden]\n',
      'etc/apps/search/metadata/default.meta': '[collections/hidden]\naccess = read : [ x ], write : [ x ]\n',
    });
  });
  afterEach(() => bench.close());

  const create = (form: Record<string, string>) => bench.call('POST', CONFIG, { form });
  const names = async (url: string, as = ADMIN) =>
    (await bench.call('GET', url, { caller: as })).json.entry.map((entry: { name: string }) => entry.name);

  it('shows the default settings of a collection', async () => {
    const { json } = await bench.call('GET', `${CONFIG}/shipped`);
    const [entry] = json.entry;
    const { 'eai:attributes': attributes, ...content } = entry.content;
    expect(content).to.deep.equal({
      disabled: false,
      'eai:acl': null,
      'eai:appName': 'search',
      'eai:userName': 'nobody',
      profilingEnabled: 'false',
      profilingThresholdMs: '1000',
      replicate: 'false',
      replication_dump_maximum_file_size: '10240',
      replication_dump_strategy: 'auto',
      type: 'undefined',
    });
    expect(attributes.wildcardFields).to.have.length(2);
    expect(Object.keys(entry.links)).to.have.members(['_reload', 'alternate', 'disable', 'edit', 'list']);
    expect(entry.acl).to.include({ app: 'search', owner: 'nobody', sharing: 'app', removable: false });
  });

  it('creates, lists, changes and deletes', async () => {
    const created = await create({ name: 'mine', 'field.a': 'number1', 'accelerated_fields.i': '{"a": 1}' });
    expect(created.status).to.equal(201);
    expect(created.json.entry[0].content).to.include({ 'field.a': 'number1', 'accelerated_fields.i': '{"a": 1}' });
    expect(await names(CONFIG)).to.deep.equal(['hidden', 'mine', 'shipped']);
    expect((await create({ name: 'mine' })).status).to.equal(409);
    await bench.call('POST', `${DATA}/mine`, { json: { _key: 'k', a: '7' } });
    const changed = await bench.call('POST', `${CONFIG}/mine`, { form: { 'field.a': 'number' } });
    expect(changed).to.include({ status: 200 });
    expect(changed.json.entry[0].content['field.a']).to.equal('number');
    await bench.call('POST', `${DATA}/mine`, { json: { a: '8' } });
    expect((await bench.call('GET', `${DATA}/mine`)).json.map((doc: { a: unknown }) => doc.a)).to.deep.equal(['7', 8]);
    bench.restart();
    expect((await bench.call('GET', `${DATA}/mine/k`)).status).to.equal(200);
    const deleted = await bench.call('DELETE', `${CONFIG}/mine`);
    expect(deleted.json.entry.map((entry: { name: string }) => entry.name)).to.deep.equal(['hidden', 'shipped']);
    expect((await bench.call('DELETE', `${CONFIG}/mine`)).status).to.equal(404);
    expect((await bench.call('GET', `${CONFIG}/mine`)).status).to.equal(404);
    await create({ name: 'mine' });
    expect((await bench.call('GET', `${DATA}/mine`)).json).to.deep.equal([]);
  });

  it('refuses other owners, wildcards when writing, and bad input', async () => {
    for (const owner of ['admin', '-']) {
      const reply = await bench.call('GET', CONFIG.replace('nobody', owner));
      expect(reply.status).to.equal(400);
      expect(reply.text).to.contain(`used user='${owner}'`);
    }
    expect((await bench.call('GET', '/services/storage/collections/config')).status).to.equal(400);
    const everywhere = CONFIG.replace('search', '-');
    expect((await bench.call('GET', everywhere)).json.entry).to.have.length(2);
    expect((await bench.call('POST', everywhere, { form: { name: 'x' } })).status).to.equal(400);
    expect((await bench.call('DELETE', `${everywhere}/shipped`)).status).to.equal(400);
    expect(await create({})).to.include({
      status: 400,
      text: 'Cannot perform action "POST" without a target name to act on.',
    });
    for (const form of [
      { name: 'a b' },
      { name: 'a/b' },
      { name: 'default' },
      { name: 'x', nix: '1' },
      { name: 'x', 'field.a b': 'number' },
      { name: 'x', enforceTypes: 'perhaps' },
    ]) {
      expect((await create(form)).status, JSON.stringify(form)).to.equal(400);
    }
    expect((await bench.call('DELETE', CONFIG)).status).to.equal(400);
    expect((await bench.call('DELETE', `${CONFIG}/shipped`)).status).to.equal(400);
    expect((await bench.call('POST', CONFIG.replace('search', 'nix'), { form: { name: 'x' } })).status).to.equal(404);
  });

  it('obeys access rules', async () => {
    expect(await names(CONFIG, BOB)).to.deep.equal(['shipped']);
    expect((await bench.call('GET', `${CONFIG}/hidden`, { caller: BOB })).status).to.equal(404);
    for (const [method, url] of [
      ['POST', CONFIG],
      ['POST', `${CONFIG}/shipped`],
      ['DELETE', `${CONFIG}/shipped`],
      ['POST', `${CONFIG}/shipped/disable`],
    ] as const) {
      const form = method === 'POST' ? { name: 'new' } : undefined;
      expect((await bench.call(method, url, { caller: BOB, ...(form && { form }) })).status, url).to.equal(403);
    }
  });

  it('changes access through acl, and data obeys', async () => {
    const acl = `${CONFIG}/shipped/acl`;
    expect((await bench.call('POST', acl, { form: { sharing: 'app' } })).status).to.equal(400);
    expect((await bench.call('POST', acl, { form: { owner: 'nobody', sharing: 'user' } })).status).to.equal(400);
    const form = { owner: 'nobody', sharing: 'app', 'perms.read': 'keeper', 'perms.write': 'keeper' };
    expect((await bench.call('POST', acl, { form, caller: BOB })).status).to.equal(403);
    const saved = await bench.call('POST', acl, { form });
    expect(saved.json.entry[0].acl.perms).to.deep.equal({ read: ['keeper'], write: ['keeper'] });
    expect((await bench.call('GET', `${DATA}/shipped`, { caller: BOB })).status).to.equal(403);
    const keeper = caller('k', ['keeper']);
    expect((await bench.call('POST', `${DATA}/shipped`, { caller: keeper, json: {} })).status).to.equal(201);
  });

  it('disables and enables', async () => {
    await bench.call('POST', `${CONFIG}/shipped/disable`);
    expect((await bench.call('GET', `${CONFIG}/shipped`)).json.entry[0].content.disabled).to.equal(true);
    expect((await bench.call('GET', `${DATA}/shipped`)).status).to.equal(404);
    await bench.call('POST', `${CONFIG}/shipped/enable`);
    expect((await bench.call('GET', `${DATA}/shipped`)).status).to.equal(200);
  });

  it("shows collections of system in every app; the app's own hides one of the same name", async () => {
    const system = CONFIG.replace('search', 'system');
    expect((await bench.call('POST', system, { form: { name: 'test' } })).status).to.equal(201);
    expect((await bench.call('GET', `${CONFIG}/test`)).json.entry[0].content['eai:appName']).to.equal('system');
    expect((await create({ name: 'test' })).status).to.equal(201);
    const entries = (await bench.call('GET', `${CONFIG}/test`)).json.entry;
    expect(entries.map((entry: { acl: { app: string } }) => entry.acl.app)).to.deep.equal(['search']);
  });

  it('has _new and answers XML', async () => {
    expect((await bench.call('GET', `${CONFIG}/_new`)).json.entry[0].fields.required).to.deep.equal(['name']);
    const xml = (await bench.call('GET', `${CONFIG}?output_mode=xml`)).text;
    expect(xml).to.contain('<title>shipped</title>').and.to.contain('<s:key name="eai:appName">search</s:key>');
  });

  it('refuses changes while the store is down, and still shows its settings', async () => {
    bench.faults.set('kvstore', { mode: 'down' });
    expect((await create({ name: 'x' })).status).to.equal(503);
    expect((await bench.call('GET', CONFIG)).status).to.equal(200);
  });
});
