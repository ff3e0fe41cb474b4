import { expect } from 'chai';
import { expectCode, fieldsOf } from '../../support/replies.ts';
import { CONNECTIONS, expectFields, expectOk, MASK, type McpCalls, URL } from './calls.ts';

export function createTopic(mcp: McpCalls): void {
  const { world, post, put, get, list, remove } = mcp;

  it('answers the record with its metadata, masked, and reads show the same', async () => {
    const earliest = world.now();
    const reply = await post({
      name: 'Issue Tracker',
      type: 'ISSUE_TRACKER',
      description: 'what it is for',
      details: {
        url: `${URL}?tenant=1`,
        token: 'access-of-a-test',
        client_id: 'client',
        client_secret: 'shh-of-a-test',
        refresh_token: 'again-of-a-test',
        is_auto_refresh_enabled: true,
        token_url: 'https://auth.example/token',
        scope: 'read:work offline_access',
        verify_tls: false,
        headers: { 'X-Api-Key': 'key-of-a-test' },
      },
      tools_allowed: ['search', 'search', 'get'],
    });
    expectOk(reply);
    const { created_at } = reply.json.config;
    expect(created_at).to.be.within(earliest, world.now());
    expect(reply.json).to.deep.equal({
      status: 'success',
      message: 'MCP connection created',
      config: {
        name: 'Issue Tracker',
        type: 'ISSUE_TRACKER',
        description: 'what it is for',
        details: {
          url: `${URL}?tenant=1`,
          token: MASK,
          client_id: 'client',
          client_secret: MASK,
          refresh_token: MASK,
          is_auto_refresh_enabled: true,
          token_url: 'https://auth.example/token',
          scope: 'read:work offline_access',
          verify_tls: false,
          headers: { 'X-Api-Key': MASK },
        },
        tools_allowed: ['search', 'get'],
        acl: { owner: 'anna', sharing: 'user', perms: { read: [], write: [] } },
        version: 1,
        created_at,
        created_by: 'anna',
        last_updated_at: created_at,
        last_updated_by: 'anna',
        auth_state: 'unknown',
      },
    });
    expect((await get('Issue Tracker')).json.config).to.deep.equal(reply.json.config);
    expect((await list('?name=Issue%20Tracker')).json.config).to.deep.equal(reply.json.config);
    expect(await mcp.secrets('Issue Tracker')).to.deep.equal({
      'details/token': 'access-of-a-test',
      'details/client_secret': 'shh-of-a-test',
      'details/refresh_token': 'again-of-a-test',
      'details/headers/X-Api-Key': 'key-of-a-test',
    });
  });

  it('omits secrets that are not set', async () => {
    const before = await world.secretRefs();
    const { config } = (await post({ name: 'least', type: 'PLATFORM', details: { url: URL, token: '' } })).json;
    expect(config.details).to.deep.equal({ url: URL, verify_tls: true });
    expect(await world.secretRefs()).to.deep.equal(before);
  });

  it('names every problem at once, those of the schema and those beyond it', async () => {
    expectFields(await post({}), 'name', 'type', 'details');
    expectFields(await post({ name: 'x', type: 'PLATFORM', details: {} }), 'details.url');
    const few = await post({ type: 'OTHER', details: { url: 5, verify_tls: 'x' } });
    expectFields(few, 'name', 'type', 'details.url', 'details.verify_tls');
    const wrong = { url: 'ftp://x', token: 7, ca_certificate: 'no', is_auto_refresh_enabled: 'yes' };
    const more = { tools_allowed: 'x', acl: { sharing: 'all' } };
    expect(fieldsOf(await post({ name: '', type: 'OTHER', details: wrong, ...more }))).to.include.members([
      'name',
      'type',
      'details.token',
      'details.is_auto_refresh_enabled',
      'tools_allowed',
      'acl.sharing',
    ]);
    const details = {
      url: 'ftp://x',
      token_url: 'nowhere',
      verify_tls: 'yes',
      ca_certificate: 'none',
      headers: { Host: 'x' },
    };
    expectFields(
      await post({ name: '', type: 'ISSUE_TRACKER', details, acl: { sharing: 'all' } }),
      'name',
      'acl.sharing',
      'details.verify_tls',
      'details.url',
      'details.token_url',
      'details.ca_certificate',
      'details.headers.Host',
    );
    expect(await world.records(CONNECTIONS)).to.deep.equal([]);
  });

  it('ignores unknown fields and names them in warnings, read-only ones without a word', async () => {
    const body =
      `{"name":"odd","type":"PLATFORM","details":{"url":"${URL}","shape":{"a":1}},"colour":"red","constructor":1,` +
      '"__proto__x":1,"secret_ref":"x","_key":"y","version":7,"auth_state":"ok","created_by":"x"}';
    const { json } = await post(body);
    expect(json.warnings).to.have.members(
      ['colour', 'constructor', 'details.shape', '__proto__x', 'secret_ref', '_key'].map(
        (field) => `Unknown field ignored: ${field}`,
      ),
    );
    expect(json.config).to.include({ version: 1, auth_state: 'unknown', created_by: 'anna' });
    expect(await mcp.config('odd')).to.not.have.any.keys('colour', 'secret_ref');
  });

  it('trims a name, compares it without case, shows it as written', async () => {
    const details = { url: URL };
    const { config } = (await post({ name: '  Spaced Name  ', type: 'PLATFORM', details })).json;
    expect(config.name).to.equal('Spaced Name');
    for (const name of ['Spaced Name', 'SPACED NAME', ' spaced name ']) {
      expectCode(await post({ name, type: 'PLATFORM', details }), 409, 'duplicate_name');
      expect((await get(name)).json.config.name, name).to.equal('Spaced Name');
      const listReply = await list(`?name=${encodeURIComponent(name)}`);
      expect(listReply.json.config.name).to.equal('Spaced Name');
      expect(listReply.json).to.not.have.property('result');
      expect((await put({ name })).json.config.name).to.equal('Spaced Name');
    }
    expect((await world.call('anna', 'GET', '/mcp_connection/%53paced%20name')).status).to.equal(200);
  });

  it('takes a name of every legal character, also those of the literals', async () => {
    for (const name of ['9_.-@+() z', '9a B_.-@+()', 'test', 'tools', 'a'.repeat(128), 'x__proto__']) {
      expectOk(await post({ name, type: 'PLATFORM', details: { url: URL } }), name);
      expect((await get(name)).json.config.name).to.equal(name);
      expect((await remove(name)).json.name).to.equal(name);
    }
  });

  it('refuses other names', async () => {
    const bad = ['', ' ', '   ', '_a', '.', '..', '.a', '-a', 'a/b', 'a%b', 'a%20b', 'a\\b', 'a\nb', 'a\u0000b'];
    bad.push('a\u0000', 'ä', 'a?', 'a'.repeat(129), '名前', 'a*b', 'a:b', 'a<b', '"a"', 'a#', 'a#b', '\u00a0');
    for (const name of bad) {
      expectFields(await post({ name, type: 'PLATFORM', details: { url: URL } }), 'name');
      expectFields(await put({ name }), 'name');
    }
    for (const name of [null, 7, true, [], {}, ['a']]) {
      expectFields(await post({ name, type: 'PLATFORM', details: { url: URL } }), 'name');
    }
    expectFields(await put({}), 'name');
  });
}
