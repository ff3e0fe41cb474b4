import { expect } from 'chai';
import { expectCode, fieldsOf, pageOf, summarize } from '../support/replies.ts';
import type { Answer, World } from '../support/worlds/world.ts';

type Json = Record<string, unknown>;

/** Data of one kind of records for `crudSuite`. */
export interface CrudSample {
  path: string;
  /** The field that names a record; `name` unless told otherwise. */
  nameField?: 'model_name';
  /** Whether a record is addressed by a parameter of the query rather than by the path; such kinds have no lists. */
  isAddressedByQuery?: boolean;
  duplicate?: 'already_exists';
  messages: { created: string; updated: string; deleted: string };
  /** A body with the required fields only, without the name. */
  least: Json;
  /** Fields that reads show of such a record, besides name, access list and metadata. */
  shown: Json;
  change: Json;
  /** Warnings of an update with everything that a read shows; undefined if it has none. */
  warnings?: readonly string[];
  /** The secrets of `least`, by their paths. */
  secrets?: Readonly<Record<string, string>>;
  collection: string;
  /** Whether each record has an access list. */
  hasAcl: boolean;
  /** Whether only those who may write may read. */
  hidesFromReaders?: boolean;
  /** Fields of an agent that names the record. */
  agentOf?(name: string): Json;
}

/** Users of a world for `crudSuite`: anna may do everything, bert may write and carl at most read what is shared. */
export const CRUD_USERS = { anna: ['ml_admin'], bert: ['user', 'editors'], carl: ['user', 'readers'] };

/** Promises of all records whose rows come from `crudRows`, and of kinds with the same verbs. */
export function crudSuite(world: World, sample: CrudSample): void {
  const {
    path,
    nameField = 'name',
    isAddressedByQuery,
    messages,
    least,
    shown,
    change,
    secrets,
    collection,
    hasAcl,
  } = sample;
  const pathOf = (name: string) =>
    isAddressedByQuery ? `${path}?${nameField}=${encodeURIComponent(name)}` : `${path}/${encodeURIComponent(name)}`;
  const post = (name: string, more: Json = {}, user = 'anna') =>
    world.call(user, 'POST', path, { [nameField]: name, ...least, ...more });
  const put = (name: string, more: Json = {}, user = 'anna', headers: Record<string, string> = {}) =>
    world.call(user, 'PUT', path, { [nameField]: name, ...more }, headers);
  const get = (name: string, user = 'anna') => world.call(user, 'GET', pathOf(name));
  const remove = (name: string, user = 'anna', query = '') => world.call(user, 'DELETE', pathOf(name) + query);
  const list = (query: string, user = 'anna') => world.call(user, 'GET', `${path}?${query}`);
  const namesOf = ({ json }: Answer): string[] => json.result.map((record: Json) => record[nameField]);
  const configOf = async (name: string) => (await get(name)).json.config;
  const made = async (name: string, more: Json = {}, user = 'anna') => {
    const reply = await post(name, more, user);
    expect(reply.status, summarize(reply)).to.equal(200);
    return name;
  };
  const acl = { owner: 'anna', sharing: 'user', perms: { read: [], write: [] } };

  it('has defaults and metadata, is masked, and is read by any spelling of its name', async () => {
    const reply = await post('Sample');
    expect([reply.status, reply.json.message], summarize(reply)).to.deep.equal([200, messages.created]);
    const { config } = (await get('sAMPLE')).json;
    const { created_at, last_updated_at, status, last_test, ...record } = config;
    expect(record).to.deep.equal({
      ...{ [nameField]: 'Sample', ...shown, ...(hasAcl ? { acl } : {}) },
      ...{ version: 1, created_by: 'anna', last_updated_by: 'anna' },
    });
    expect(await world.secretsOf(collection, 'Sample')).to.deep.equal(secrets);
    expect(await world.leaks(...Object.values(secrets ?? {}))).to.deep.equal([]);
    expect(created_at)
      .to.equal(last_updated_at)
      .and.to.be.within(world.now() - 100, world.now());
    if (isAddressedByQuery) return;
    const { status: _, ...created } = config;
    expect(reply.json.config).to.deep.equal(created);
    expect((await list('name=SAMPLE')).json.config.name).to.equal('Sample');
  });

  it('has a name that no other has, in any spelling', async () => {
    await made('taken');
    expectCode(await post('TAKEN'), 409, sample.duplicate ?? 'duplicate_name');
    const unnamed = await world.call('anna', 'POST', path, least);
    expect([unnamed.status, fieldsOf(unnamed)]).to.deep.equal([400, [nameField]]);
  });

  it('is changed by a subset, takes back what a read answered, and counts versions', async () => {
    const name = await made('subset');
    const [before, refs] = [await configOf(name), await world.secretRefs()];
    const { json } = await put('SUBSET', { ...change, version: 1 });
    expect(json.message).to.equal(messages.updated);
    const { status, ...kept } = before;
    const { last_updated_at } = json.config;
    expect(json.config).to.deep.equal({ ...kept, ...change, version: 2, last_updated_at });
    const again = await world.call('anna', 'PUT', path, json.config);
    expect(again.json.warnings, summarize(again)).to.deep.equal(sample.warnings);
    expect(again.json.config.version).to.equal(3);
    for (const stale of [
      await put(name, { ...change, version: 2 }),
      await put(name, change, 'anna', { 'If-Match': '"2"' }),
    ]) {
      expectCode(stale, 409, 'version_conflict');
      expect(stale.json.current_version).to.equal(3);
    }
    expectCode(await put('nobody', change), 404, 'not_found');
    expect(await world.secretRefs()).to.deep.equal(refs);
  });

  it('is deleted with its secrets', async () => {
    const before = [await world.records(collection), await world.secretRefs()];
    const name = await made('short_lived');
    expect(await world.secretRefs()).to.have.length((before[1]?.length ?? 0) + (secrets ? 1 : 0));
    expect((await remove(name.toUpperCase())).json).to.deep.equal({
      ...{ status: 'success', message: messages.deleted, [nameField]: name },
    });
    expect([await world.records(collection), await world.secretRefs()]).to.deep.equal(before);
    for (const gone of [await get(name), await remove(name), await put(name, change)]) {
      expectCode(gone, 404, 'not_found');
    }
  });

  const { agentOf } = sample;
  if (agentOf) {
    it('is in use while an agent names it, unless forced; agents that the caller may not read are not told', async () => {
      const name = await made('Used');
      const agent = (key: string, owner: string) =>
        world.store('ml_agents', { _key: key, name: key, acl: { ...acl, owner }, ...agentOf('USED') });
      await agent('hidden', 'bert');
      const unknown = await remove(name);
      expectCode(unknown, 409, 'in_use');
      expect(unknown.json.used_by).to.deep.equal([]);
      await agent('helper', 'anna');
      const refused = await remove(name, 'anna', '?force=false');
      expectCode(refused, 409, 'in_use');
      expect(refused.json.used_by).to.deep.equal(['helper']);
      expect(summarize(refused)).to.not.contain('hidden');
      const unclear = await remove(name, 'anna', '?force=maybe');
      expect([unclear.status, fieldsOf(unclear)]).to.deep.equal([400, ['force']]);
      expect((await remove(name, 'anna', '?force=true')).json).to.include({ status: 'success', name });
      expectCode(await get(name), 404, 'not_found');
    });
  }

  if (hasAcl) {
    it('lets the owner, readers and writers do what its access list says', async () => {
      const name = await made('shared', { acl: { sharing: 'app', perms: { read: ['readers'], write: ['editors'] } } });
      const readable = await made('readable', { acl: { sharing: 'app', perms: { read: ['*'] } } });
      const hidden = await made('hidden');
      for (const user of sample.hidesFromReaders ? ['bert'] : ['bert', 'carl']) {
        expect((await get(name, user)).status).to.equal(200);
        expectCode(await get(hidden, user), 404, 'not_found');
        if (isAddressedByQuery) continue;
        const page = await list('count=0', user);
        expect(namesOf(page)).to.deep.equal([readable, name]);
        expect(page.json.pagination.total).to.equal(2);
      }
      expect((await put(name, change, 'bert')).status).to.equal(200);
      for (const refused of [
        put(name, { acl: { sharing: 'user' } }, 'bert'),
        put(readable, change, 'bert'),
        remove(readable, 'bert'),
      ]) {
        expectCode(await refused, 403, 'acl_denied');
      }
      for (const absent of [put(hidden, change, 'bert'), remove(hidden, 'bert')]) {
        expectCode(await absent, 404, 'not_found');
      }
      for (const refused of [post('carls', {}, 'carl'), put(name, change, 'carl'), remove(name, 'carl')]) {
        expectCode(await refused, 403, 'missing_capability');
      }
      if (sample.hidesFromReaders) expectCode(await get(name, 'carl'), 403, 'missing_capability');
    });
  }

  if (isAddressedByQuery) return;
  it('is listed sorted, searched and by pages', async () => {
    for (const name of ['zz_b', 'ZZ_a', 'zz_c']) await made(name, { description: name === 'zz_c' ? 'Special' : '' });
    await made('other');
    expect(namesOf(await list('search=ZZ'))).to.deep.equal(['ZZ_a', 'zz_b', 'zz_c']);
    expect(namesOf(await list('search=special'))).to.deep.equal(['zz_c']);
    expect(namesOf(await list('search=ZZ&sort_dir=desc&count=2'))).to.deep.equal(['zz_c', 'zz_b']);
    const page = await list('search=ZZ&offset=1&count=1');
    expect(namesOf(page)).to.deep.equal(['zz_b']);
    expect(page.json.pagination).to.deep.equal(pageOf(3, 1, 1));
    for (const query of ['sort_key=secret_ref', 'count=-1', 'offset=x', 'sort_dir=up']) {
      expectCode(await list(query), 400, 'validation_failed');
    }
  });
}
