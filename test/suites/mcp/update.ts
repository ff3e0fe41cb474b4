import { expect } from 'chai';
import { expectCode } from '../../support/replies.ts';
import { expectFields, expectOk, MASK, type McpCalls, URL } from './calls.ts';

export function updateTopic(mcp: McpCalls): void {
  const { world, post, put, remove, config, made, tracker } = mcp;

  it('changes what is given, and keeps secrets that are masked or left out', async () => {
    const details = { token_url: 'https://auth.example/token', headers: { 'X-Key': 'k' } };
    const { name, config: before } = await tracker(details, { description: 'before', tools_allowed: ['a'] });
    const secrets = await mcp.secrets(name);
    const { status, json } = await put({
      name: name.toUpperCase(),
      details: { client_id: 'another', token: MASK },
    });
    expect([status, json.message]).to.deep.equal([200, 'MCP connection updated']);
    const { last_updated_at } = json.config;
    expect(last_updated_at).to.be.greaterThan(before.last_updated_at).and.at.most(world.now());
    expect(json.config).to.deep.equal({
      ...before,
      details: {
        url: URL,
        verify_tls: true,
        client_id: 'another',
        token_url: 'https://auth.example/token',
        token: MASK,
        client_secret: MASK,
        refresh_token: MASK,
        headers: { 'X-Key': MASK },
      },
      version: 2,
      last_updated_at,
    });
    expect(await config(name)).to.deep.equal(json.config);
    expect(await mcp.secrets(name)).to.deep.equal(secrets);
  });

  it('null and "" clear', async () => {
    const more = { description: 'before', tools_allowed: ['a'] };
    const { name } = await tracker({ headers: { 'X-Key': 'k' }, is_auto_refresh_enabled: true }, more);
    const reply = await put({
      name,
      description: null,
      tools_allowed: null,
      details: {
        is_auto_refresh_enabled: false,
        client_id: '',
        client_secret: '',
        refresh_token: null,
        headers: null,
        token: null,
      },
    });
    expect(reply.json.config.description).to.equal('');
    expect(reply.json.config).to.not.have.property('tools_allowed');
    expect(reply.json.config.details).to.deep.equal({ url: URL, verify_tls: true, is_auto_refresh_enabled: false });
    expect(await mcp.secrets(name)).to.equal(undefined);
  });

  it('keeps the type', async () => {
    const { name } = await made();
    expectFields(await put({ name, type: 'ISSUE_TRACKER' }), 'type');
    expectOk(await put({ name, type: 'PLATFORM' }));
    const { name: other } = await tracker();
    expectOk(await put({ name: other, type: 'ISSUE_TRACKER' }));
    expectFields(await put({ name: other, type: 'PLATFORM' }), 'type');
  });

  it('makes a change only on the version that is named, in body or header', async () => {
    const { name } = await made();
    const under = (match: string, more: object = {}) => put({ name, ...more }, 'anna', { 'If-Match': match });
    expect((await put({ name, version: 1 })).json.config.version).to.equal(2);
    expect((await put({ name }, 'anna', { 'if-match': '2' })).json.config.version).to.equal(3);
    expect((await under('"3"')).json.config.version).to.equal(4);
    expect((await under('"4"', { version: 4 })).json.config.version).to.equal(5);
    for (const stale of [await put({ name, version: 4 }), await under('"4"'), await put({ name, version: 99 })]) {
      expectCode(stale, 409, 'version_conflict');
      expect(stale.json.current_version).to.equal(5);
    }
    expectFields(await under('4', { version: 5 }), 'If-Match');
    for (const bad of ['W/"5"', 'x', '"x"', '-1', '5, 6', "'5'", '""', '5.0', '1e1']) {
      expectFields(await under(bad), 'If-Match');
    }
    for (const bad of [0, -1, '5', 1.5, true, {}]) expectFields(await put({ name, version: bad }), 'version');
    expect((await config(name)).version).to.equal(5);
    const conflict = await remove(name, 'anna', '', { 'If-Match': '4' });
    expectCode(conflict, 409, 'version_conflict');
    expect(conflict.json.current_version).to.equal(5);
    expectFields(await remove(name, 'anna', '', { 'If-Match': 'x' }), 'If-Match');
    expectOk(await remove(name, 'anna', '', { 'If-Match': '"5"' }));
  });

  it('takes a whole config back for another record, whose version starts anew', async () => {
    const { name, config: whole } = await made({ description: 'x', tools_allowed: ['t'] });
    const copy = await post({
      ...whole,
      name: `${name} copy`,
      details: { ...whole.details, token: 'token-of-a-copy' },
    });
    expectOk(copy);
    expect(copy.json.config.version).to.equal(1);
    expect(copy.json).to.not.have.property('warnings');
  });
}
