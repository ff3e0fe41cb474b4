import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { entryName, parseEntryName } from '../../src/passwords/names.ts';
import { type Bench, BOB, caller, makeBench } from '../support/stores.ts';

const PASSWORDS = '/servicesNS/nobody/search/storage/passwords';
const CANARY = 'canary-5f1c2a';

describe('embedded password storage', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = makeBench();
  });
  afterEach(() => bench.close());

  const create = (name: string, realm?: string, password = CANARY) =>
    bench.call('POST', PASSWORDS, { form: { name, password, ...(realm === undefined ? {} : { realm }) } });
  const url = (name: string) => `${PASSWORDS}/${encodeURIComponent(name)}`;
  const names = async (query = '') =>
    (await bench.call('GET', PASSWORDS + query)).json.entry.map((entry: { name: string }) => entry.name);

  it('creates, reads, updates and deletes', async () => {
    const created = await create('u', 'r');
    expect(created.status).to.equal(201);
    const [entry] = created.json.entry;
    expect(entry.name).to.equal('r:u:');
    expect(entry.content).to.include({ password: '********', realm: 'r', username: 'u' });
    expect(created.text).not.to.contain(CANARY);
    expect(entry.content.encr_password).to.match(/^\$7\$[A-Za-z0-9+/=]+$/);
    expect(entry.content['eai:acl']).to.equal(null);
    expect(entry.acl).to.deep.include({ app: 'search', owner: 'nobody', sharing: 'app', removable: true });
    expect(entry.acl.perms).to.deep.equal({ read: ['*'], write: ['admin'] });
    for (const name of ['r:u:', 'r:u']) expect((await bench.call('GET', url(name))).status, name).to.equal(200);
    expect((await bench.call('GET', url('r:u:'))).json.entry[0].content.clear_password).to.equal(CANARY);
    const changed = await bench.call('POST', url('r:u:'), { form: { password: 'next' } });
    expect(changed.status).to.equal(200);
    expect(changed.json.entry[0].content).not.to.have.property('clear_password');
    expect((await bench.call('GET', url('r:u:'))).json.entry[0].content.clear_password).to.equal('next');
    await create('other');
    const deleted = await bench.call('DELETE', url('r:u'));
    expect(deleted.status).to.equal(200);
    expect(deleted.json.entry.map((left: { name: string }) => left.name)).to.deep.equal([':other:']);
    for (const method of ['GET', 'DELETE', 'POST']) {
      const reply = await bench.call(method, url('r:u:'), { form: method === 'POST' ? { password: 'x' } : {} });
      expect(reply, method).to.include({ status: 404, text: 'Could not find object id=r:u:' });
    }
  });

  it('escapes names both ways', async () => {
    for (const [realm, name, expected] of [
      ['', 'u', ':u:'],
      ['\\r', '\\u', '\\\\r:\\\\u:'],
      ['/r', '/u', '/r:/u:'],
      [':start', 'u:end', '\\:start:u\\:end:'],
      ['p:r:', ':u:s:', 'p\\:r\\::\\:u\\:s\\::'],
      ['쎼 &lt; ?#%', '!@$^*()_+{}|<>', '쎼 &lt; ?#%:!@$^*()_+{}|<>:'],
      ['r', '  spaces  ', 'r:  spaces  :'],
    ] as const) {
      expect(entryName(realm, name)).to.equal(expected);
      expect(parseEntryName(expected)).to.deep.equal({ realm, name });
      const created = await create(name, realm);
      expect(created.json.entry[0].name).to.equal(expected);
      const read = await bench.call('GET', url(expected));
      expect(read.json.entry[0].content).to.include({ realm, username: name });
      expect((await bench.call('DELETE', url(expected))).status).to.equal(200);
    }
    for (const bad of ['a:b:c:', '::', 'r::', ':']) expect(parseEntryName(bad), bad).to.equal(undefined);
  });

  it('encodes slashes twice in links, and accepts them', async () => {
    const { links } = (await create('/u', '/r')).json.entry[0];
    const self = `${PASSWORDS}/%252Fr%3A%252Fu%3A`;
    expect(links).to.deep.equal({ alternate: self, list: self, _reload: `${self}/_reload`, edit: self, remove: self });
    expect((await bench.call('GET', self)).status).to.equal(200);
    expect((await bench.call('DELETE', self)).status).to.equal(200);
  });

  it('shows a missing realm as "" in JSON and as an empty element in XML', async () => {
    await create('u');
    expect((await bench.call('GET', url(':u:'))).json.entry[0].content.realm).to.equal('');
    expect((await bench.call('GET', `${url(':u:')}?output_mode=xml`)).text).to.contain('<s:key name="realm"></s:key>');
  });

  it('pages with 30 by default and filters', async () => {
    for (let index = 10; index < 45; index += 1) await create(`u${index}`, index % 5 === 0 ? 'five' : 'rest');
    expect(await names()).to.have.length(30);
    for (const count of [0, -1]) expect(await names(`?count=${count}`)).to.have.length(35);
    expect(await names('?count=2&offset=1')).to.deep.equal(['five:u15:', 'five:u20:']);
    expect(await names('?count=0&search=realm%3Dfive')).to.have.length(7);
    // Not the bare text, which may also occur in another ciphertext.
    expect(await names('?search=username%3Du17')).to.deep.equal(['rest:u17:']);
    const { paging } = (await bench.call('GET', PASSWORDS)).json;
    expect(paging).to.deep.equal({ total: 35, perPage: 30, offset: 0 });
  });

  it('refuses duplicates and bad input, without repeating a secret', async () => {
    await create('u', 'r');
    const replies = [await create('u', 'r')];
    expect(replies[0]?.status).to.equal(409);
    for (const form of [
      { password: CANARY },
      { name: '', password: CANARY },
      { name: 'x' },
      { name: 'x', password: '' },
      { name: 'x', password: CANARY, nix: '1' },
      { name: 'a\nb', password: CANARY },
      { name: 'ü'.repeat(256), password: CANARY },
      { name: 'x', realm: 'r'.repeat(256), password: CANARY },
    ] as Record<string, string>[]) {
      const reply = await bench.call('POST', PASSWORDS, { form });
      expect(reply.status, JSON.stringify(form)).to.equal(400);
      replies.push(reply);
    }
    for (const form of [{}, { password: '' }, { password: CANARY, realm: 'other' }] as Record<string, string>[]) {
      const reply = await bench.call('POST', url('r:u:'), { form });
      expect(reply.status).to.equal(400);
      replies.push(reply);
    }
    expect((await bench.call('DELETE', PASSWORDS)).status).to.equal(400);
    expect(JSON.stringify(replies)).not.to.contain(CANARY);
    expect(await create('ü'.repeat(255), 'r'.repeat(255))).to.include({ status: 201 });
    expect(await create('long', 'r', 'ü'.repeat(100_000))).to.include({ status: 201 });
    expect((await bench.call('GET', url('r:long:'))).json.entry[0].content.clear_password).to.have.length(100_000);
  });

  it('checks only capabilities', async () => {
    await create('u');
    const lister = caller('l', ['user'], 'list_storage_passwords');
    const editor = caller('e', ['user'], 'edit_storage_passwords');
    const denied = await bench.call('GET', PASSWORDS, { caller: BOB });
    expect(denied).to.include({
      status: 403,
      text: 'You (user=bob) do not have permission to perform this operation (requires capability: list_storage_passwords).',
    });
    expect((await bench.call('GET', `${url(':u:')}`, { caller: BOB })).status).to.equal(403);
    expect((await bench.call('GET', PASSWORDS, { caller: lister })).status).to.equal(200);
    for (const as of [BOB, lister]) {
      expect((await bench.call('POST', PASSWORDS, { caller: as, form: { name: 'x', password: 'x' } })).status).to.equal(
        403,
      );
      expect((await bench.call('POST', url(':u:'), { caller: as, form: { password: 'x' } })).status).to.equal(403);
      expect((await bench.call('DELETE', url(':u:'), { caller: as })).status).to.equal(403);
    }
    expect((await bench.call('GET', PASSWORDS, { caller: editor })).status).to.equal(200);
    expect((await bench.call('DELETE', url(':u:'), { caller: editor })).status).to.equal(200);
  });

  it('keeps apps apart; wildcards only read', async () => {
    await create('u');
    const other = PASSWORDS.replace('search', 'other');
    expect((await bench.call('GET', other)).json.entry).to.deep.equal([]);
    expect((await bench.call('POST', other, { form: { name: 'u', password: 'x' } })).status).to.equal(201);
    for (const wildcard of [PASSWORDS.replace('search', '-'), PASSWORDS.replace('nobody/search', '-/-')]) {
      const all = (await bench.call('GET', wildcard)).json.entry;
      expect(all.map((entry: { acl: { app: string } }) => entry.acl.app)).to.have.members(['search', 'other']);
      expect((await bench.call('POST', wildcard, { form: { name: 'y', password: 'x' } })).status).to.equal(400);
      expect((await bench.call('DELETE', `${wildcard}/%3Au%3A`)).status).to.equal(400);
    }
    expect((await bench.call('GET', '/services/storage/passwords')).json.entry).to.have.length(1);
    expect((await bench.call('GET', PASSWORDS.replace('search', 'nix'))).status).to.equal(404);
  });

  it('obeys the fault switch', async () => {
    bench.faults.set('passwords', { mode: 'down' });
    expect((await bench.call('GET', PASSWORDS)).status).to.equal(503);
    bench.faults.set('passwords', { mode: 'read_only' });
    expect((await bench.call('GET', PASSWORDS)).status).to.equal(200);
    expect((await create('u')).status).to.equal(503);
    bench.faults.set('passwords', { mode: 'slow', ms: 60 });
    const before = Date.now();
    await bench.call('GET', PASSWORDS);
    expect(Date.now() - before).to.be.greaterThan(50);
  });

  it('is encrypted at rest, under a key only the owner reads', async () => {
    await create('u', 'r');
    await bench.call('POST', url('r:u:'), { form: { password: `${CANARY}-2` } });
    bench.restart();
    expect((await bench.call('GET', url('r:u:'))).json.entry[0].content.clear_password).to.equal(`${CANARY}-2`);
    const files = readdirSync(bench.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).to.be.greaterThan(2);
    for (const file of files) {
      const path = join(file.parentPath, file.name);
      expect(readFileSync(path).includes(CANARY), path).to.equal(false);
      if (/passwords|secret/.test(path)) expect(statSync(path).mode & 0o77, path).to.equal(0);
    }
    expect(bench.logged.join()).not.to.contain(CANARY);
  });

  it('lists entries that it cannot decrypt without their secret, and logs that', async () => {
    await create('u', 'r');
    writeFileSync(join(bench.home, 'etc/auth/splunk.secret'), 'another secret of good length');
    bench.restart();
    const [entry] = (await bench.call('GET', url('r:u:'))).json.entry;
    expect(entry.content).not.to.have.property('clear_password');
    expect(bench.logged.join()).to.contain('cannot decrypt');
  });

  it('survives an update of the app', async () => {
    await create('u', 'r');
    const folder = join(bench.home, 'etc/apps/search');
    rmSync(folder, { recursive: true });
    mkdirSync(join(folder, 'default'), { recursive: true });
    expect(await names()).to.deep.equal(['r:u:']);
  });
});
