import { expect } from 'chai';
import { expectCode } from '../../support/replies.ts';
import { expectFields, expectOk, type Json, type McpCalls, PATH, URL } from './calls.ts';

export function accessTopic(mcp: McpCalls): void {
  const { world, post, put, get, list, remove, test, tools, made } = mcp;
  const shared = (perms: Json, sharing = 'app') => ({ acl: { sharing, perms } });

  it('is the owner’s alone by default; not readable and not there look the same', async () => {
    const { name } = await made();
    const blank = ({ json }: { json: Json }) => ({ ...json, request_id: '' });
    for (const user of ['bert', 'carl']) {
      const hidden = await get(name, user);
      expectCode(hidden, 404, 'not_found');
      const absent = blank(await get('nowhere', user));
      expect(blank(hidden)).to.deep.equal(absent);
      expect(blank(await list(`?name=${encodeURIComponent(name)}`, user))).to.deep.equal(absent);
      const { json } = await list('?count=0', user);
      expect([json.result, json.pagination.total]).to.deep.equal([[], 0]);
    }
    const absent = blank(await get('nowhere', 'bert'));
    for (const reply of [
      await put({ name }, 'bert'),
      await remove(name, 'bert'),
      await test({ name }, 'bert'),
      await tools({ name }, 'bert'),
    ]) {
      expectCode(reply, 404, 'not_found');
      expect(blank(reply)).to.deep.equal(absent);
    }
  });

  it('does not keep administrators out', async () => {
    const { name } = await made();
    expectOk(await get(name, 'root'));
    expect((await list('', 'root')).json.pagination.total).to.equal(1);
    expect((await put({ name, description: 'by root' }, 'root')).json.config.last_updated_by).to.equal('root');
  });

  it('sharing user closes the record whatever perms say', async () => {
    const { name } = await made(shared({ read: ['*'], write: ['*'] }, 'user'));
    expectCode(await get(name, 'bert'), 404, 'not_found');
  });

  for (const sharing of ['app', 'global']) {
    it(`sharing ${sharing}: perms decide, * is everyone, write implies read`, async () => {
      const readable = await made(shared({ read: ['readers'] }, sharing));
      expectOk(await get(readable.name, 'carl'));
      expectCode(await get(readable.name, 'bert'), 404, 'not_found');
      const { name } = await made(shared({ read: ['*'] }, sharing));
      expectOk(await get(name, 'bert'));
      for (const reply of [
        await put({ name }, 'bert'),
        await put({ name, description: 'x' }, 'bert'),
        await remove(name, 'bert'),
        await remove(name, 'bert', '?force=true'),
        await test({ name, details: {} }, 'bert'),
        await test({ name, details: { verify_tls: true } }, 'bert'),
      ]) {
        expectCode(reply, 403, 'acl_denied');
      }
      const writable = await made(shared({ read: [], write: ['editors'] }, sharing));
      expectOk(await get(writable.name, 'bert'));
      const changed = await put({ name: writable.name, description: 'b' }, 'bert');
      expect(changed.json.config.last_updated_by).to.equal('bert');
      // Sending the same access list back is no change.
      expectOk(await put(changed.json.config, 'bert'));
      expectCode(await get(writable.name, 'carl'), 404, 'not_found');
      expectOk(await remove(writable.name, 'bert'));
    });
  }

  it('is changed by owner and administrator only; unchanged values are no change', async () => {
    const { name, config } = await made(shared({ read: ['*'], write: ['editors'] }));
    expectOk(await put({ name, acl: { ...config.acl, perms: { write: ['editors'], read: ['*'] } } }, 'bert'));
    for (const acl of [{ sharing: 'user' }, { perms: { read: [] } }, { owner: 'bert' }, { perms: { write: ['*'] } }]) {
      expectCode(await put({ name, acl }, 'bert'), 403, 'acl_denied');
    }
    expectCode(await put({ name, acl: { owner: 'bert' } }), 403, 'acl_denied');
    const narrowed = await put({ name, acl: { perms: { read: ['readers'] } } });
    expect(narrowed.json.config.acl).to.deep.equal({
      owner: 'anna',
      sharing: 'app',
      perms: { read: ['readers'], write: ['editors'] },
    });
    const reply = await put({ name, acl: { owner: 'bert', sharing: 'user' } }, 'root');
    expect(reply.json.config.acl.owner).to.equal('bert');
    expectCode(await get(name), 404, 'not_found');
    expectOk(await get(name, 'bert'));
  });

  it('gives a new record to another only for an administrator', async () => {
    const body = { name: 'for bert', type: 'PLATFORM', details: { url: URL, token: 'x' }, acl: { owner: 'bert' } };
    const before = await world.secretRefs();
    expectCode(await post(body), 403, 'acl_denied');
    expect(await world.secretRefs()).to.deep.equal(before);
    expectCode(await get('for bert', 'root'), 404, 'not_found');
    expect((await post(body, 'root')).json.config.acl.owner).to.equal('bert');
    expectOk(await get('for bert', 'bert'));
    const created = await post({ ...body, name: 'for anna', acl: { owner: 'anna' } });
    expect(created.json.config.acl.owner).to.equal('anna');
  });

  it('refuses what is no access list', async () => {
    const { name } = await made();
    expectFields(await put({ name, acl: { sharing: 'public' } }), 'acl.sharing');
    expectFields(await put({ name, acl: { perms: { read: 'x' } } }), 'acl.perms.read');
    expectFields(await put({ name, acl: { owner: '' } }), 'acl.owner');
    expectFields(await put({ name, acl: [] }), 'acl');
    expectFields(await put({ name, acl: { perms: { read: [7] } } }), 'acl.perms.read.0');
  });

  it('reveals nothing about the owner of a taken name', async () => {
    const { name } = await made();
    const reply = await post({ name, type: 'PLATFORM', details: { url: URL } }, 'bert');
    expectCode(reply, 409, 'duplicate_name');
    expect(JSON.stringify(reply.json)).to.not.contain('anna');
  });

  it('needs edit_agent_connections for each write and test, before the body is looked at', async () => {
    expectOk(await list('', 'carl'));
    for (const [method, path] of [
      ['POST', PATH],
      ['PUT', PATH],
      ['DELETE', `${PATH}/alpha`],
      ['POST', `${PATH}/test`],
      ['POST', `${PATH}/tools`],
    ] as const) {
      const reply = await world.call('carl', method, path, '{broken');
      expectCode(reply, 403, 'missing_capability', `${method} ${path}`);
      expect(reply.json.required).to.deep.equal(['edit_agent_connections']);
    }
  });
}
