import { expect } from 'chai';
import { type Json, MemoryApp } from '../support/memory/app.ts';
import { patience } from '../support/time.ts';
import { CERTIFICATE } from './certificate.ts';

const MASKED = '***MASKED***';
const platform = (more: Json = {}, details: Json = {}) => ({
  name: 'alpha',
  type: 'PLATFORM',
  description: 'first',
  details: { url: 'https://mcp.example/mcp', token: 'canary-token', ...details },
  ...more,
});
const tracker = (details: Json = {}, more: Json = {}) => ({
  ...platform({ type: 'ISSUE_TRACKER', ...more }),
  details: {
    url: 'https://mcp.example/mcp',
    token: 'canary-token',
    client_id: 'client',
    client_secret: 'canary-secret',
    refresh_token: 'canary-refresh',
    is_auto_refresh_enabled: true,
    ...details,
  },
});
const fields = (json: { errors?: { field: string }[] }) => (json.errors ?? []).map((error) => error.field);
const PATH = '/mcp_connection';

describe('MCP connections as records', () => {
  let app: MemoryApp;
  const create = (body: unknown, user = 'editor') => app.call(user, 'POST', PATH, body);
  const update = (body: unknown, user = 'editor', headers: Json = {}) => app.call(user, 'PUT', PATH, body, headers);
  const stored = () => JSON.parse([...app.site.secrets.values.values()][0] ?? '{}');
  beforeEach(() => {
    app = new MemoryApp();
  });

  describe('create', () => {
    it('names every problem at once, those of the schema and those beyond it', async () => {
      const details = {
        url: 'ftp://x',
        token_url: 'nowhere',
        verify_tls: 'yes',
        ca_certificate: 'none',
        headers: { Host: 'x' },
      };
      const { status, json } = await create({ name: '', type: 'ISSUE_TRACKER', details, acl: { sharing: 'all' } });
      expect([status, json.error_code]).to.deep.equal([400, 'validation_failed']);
      expect(fields(json)).to.have.members([
        'name',
        'acl.sharing',
        'details.verify_tls',
        'details.url',
        'details.token_url',
        'details.ca_certificate',
        'details.headers.Host',
      ]);
    });

    it('answers the record with its secrets masked, and keeps them out of the records and the log', async () => {
      const reply = await create(tracker({ headers: { 'X-Api-Key': 'canary-header' } }, { tools_allowed: ['a', 'a'] }));
      const now = app.site.clock.seconds();
      expect(reply.status).to.equal(200);
      expect(reply.json).to.deep.equal({
        status: 'success',
        message: 'MCP connection created',
        config: {
          name: 'alpha',
          type: 'ISSUE_TRACKER',
          description: 'first',
          details: {
            url: 'https://mcp.example/mcp',
            verify_tls: true,
            client_id: 'client',
            is_auto_refresh_enabled: true,
            token: MASKED,
            client_secret: MASKED,
            refresh_token: MASKED,
            headers: { 'X-Api-Key': MASKED },
          },
          tools_allowed: ['a'],
          acl: { owner: 'editor', sharing: 'user', perms: { read: [], write: [] } },
          version: 1,
          created_at: now,
          created_by: 'editor',
          last_updated_at: now,
          last_updated_by: 'editor',
          auth_state: 'unknown',
        },
      });
      expect(app.leaks('canary')).to.deep.equal([]);
      expect(stored()).to.deep.equal({
        'details/token': 'canary-token',
        'details/client_secret': 'canary-secret',
        'details/refresh_token': 'canary-refresh',
        'details/headers/X-Api-Key': 'canary-header',
      });
    });

    it('omits secrets that are not set', async () => {
      const { json } = await create(platform({}, { token: '' }));
      expect(json.config.details).to.deep.equal({ url: 'https://mcp.example/mcp', verify_tls: true });
      expect(app.site.secrets.values.size).to.equal(0);
    });

    it('names each problem, every one of them', async () => {
      const reply = await create({ type: 'OTHER', details: { url: 5, verify_tls: 'x' } });
      expect([reply.status, reply.json.error_code]).to.deep.equal([400, 'validation_failed']);
      expect(fields(reply.json)).to.have.members(['name', 'type', 'details.url', 'details.verify_tls']);
    });

    const badNames = ['', ' ', '-a', 'a/b', 'a%b', 'a#b', 'ä', 'a\u0000', '.a', '_a', 'x'.repeat(129)];
    for (const name of badNames) {
      it(`refuses the name ${JSON.stringify(name.slice(0, 20))}`, async () => {
        const { status, json } = await create(platform({ name }));
        expect([status, json.error_code, fields(json)]).to.deep.equal([400, 'validation_failed', ['name']]);
      });
    }

    it('takes names of 128 characters and of every allowed kind, trimmed', async () => {
      expect((await create(platform({ name: 'x'.repeat(128) }))).status).to.equal(200);
      expect((await create(platform({ name: '  9a B_.-@+()  ' }))).json.config.name).to.equal('9a B_.-@+()');
    });

    const badUrls = {
      'user info': 'https://user:pw@mcp.example/',
      'an empty user': 'https://@mcp.example/',
      backslash: 'https://mcp.example\\@evil.example/',
      'white space': 'https://mcp.example/ x',
      'a line break': 'https://mcp.example/\nx',
      ftp: 'ftp://mcp.example/',
      file: 'file:///etc/passwd',
      javascript: 'javascript:alert(1)',
      'no host': 'https:///x',
      'no scheme': 'mcp.example/mcp',
      nothing: '',
    };
    for (const [what, url] of Object.entries(badUrls)) {
      it(`refuses a url with ${what}, without quoting it`, async () => {
        const { status, json } = await create(platform({}, { url }));
        expect([status, json.error_code, fields(json)]).to.deep.equal([400, 'validation_failed', ['details.url']]);
        if (url) expect(JSON.stringify(json)).not.to.include(url);
      });
      if (url) {
        it(`refuses a token_url with ${what}`, async () => {
          const { status, json } = await create(tracker({ token_url: url }));
          expect([status, fields(json)]).to.deep.equal([400, ['details.token_url']]);
        });
      }
    }

    it('refuses fields of the issue tracker on PLATFORM', async () => {
      const body = platform(
        {},
        {
          client_id: 'c',
          client_secret: 's',
          refresh_token: 'r',
          is_auto_refresh_enabled: true,
          token_url: 'https://auth.example/token',
        },
      );
      const { status, json } = await create(body);
      expect([status, json.error_code]).to.deep.equal([400, 'validation_failed']);
      expect(fields(json)).to.have.members([
        'details.client_id',
        'details.client_secret',
        'details.refresh_token',
        'details.is_auto_refresh_enabled',
        'details.token_url',
      ]);
    });

    it('needs client_id and refresh_token for automatic refresh, but no client_secret', async () => {
      const bare = await create(tracker({ client_id: undefined, refresh_token: undefined }));
      expect(fields(bare.json)).to.have.members(['details.client_id', 'details.refresh_token']);
      expect((await create(tracker({ refresh_token: '' }))).status).to.equal(400);
      expect((await create(tracker({ client_secret: undefined }))).status).to.equal(200);
    });

    it('takes one or more PEM certificates and nothing else', async () => {
      for (const ca_certificate of [CERTIFICATE, `${CERTIFICATE}\n${CERTIFICATE}\n`]) {
        const name = `c${ca_certificate.length}`;
        expect((await create(platform({ name }, { ca_certificate }))).status).to.equal(200);
      }
      const key = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
      const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
      for (const ca_certificate of ['nonsense', key, broken, CERTIFICATE + key, CERTIFICATE.slice(0, 200)]) {
        const { status, json } = await create(platform({}, { ca_certificate }));
        expect([status, fields(json)]).to.deep.equal([400, ['details.ca_certificate']]);
      }
    });

    const reserved = ['Authorization', 'connection', 'Keep-Alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade'];
    for (const name of [...reserved, 'Proxy-Authorization', 'Host', 'Content-Length', 'a b', 'a:b', 'ä', '', '*']) {
      it(`refuses the header name ${JSON.stringify(name)}`, async () => {
        const { status, json } = await create(platform({}, { headers: { [name]: 'canary-value' } }));
        expect([status, json.error_code]).to.deep.equal([400, 'validation_failed']);
        expect(fields(json)).to.deep.equal([`details.headers.${name}`]);
        expect(JSON.stringify(json)).not.to.include('canary-value');
      });
    }

    it('refuses a header called __proto__, a header given twice and a value that no header can carry', async () => {
      const proto = JSON.stringify(platform()).replace('"token"', '"headers":{"__proto__":"x"},"token"');
      expect((await app.call('editor', 'POST', PATH, proto)).status).to.equal(400);
      expect((await create(platform({}, { headers: { 'X-A': '1', 'x-a': '2' } }))).status).to.equal(400);
      expect((await create(platform({}, { headers: { 'X-A': 'a\r\nX-B: b' } }))).status).to.equal(400);
      expect((await create(platform({}, { token: 'a\nb' }))).status).to.equal(400);
    });

    it('a taken name is 409, in any case', async () => {
      await create(platform());
      for (const name of ['alpha', 'ALPHA', ' Alpha ']) {
        const { status, json } = await create(platform({ name }));
        expect([status, json.error_code]).to.deep.equal([409, 'duplicate_name']);
      }
    });

    it('names unknown fields in warnings and ignores them, read-only ones without a word', async () => {
      const { json } = await create(
        platform({ colour: 'red', constructor: 1, version: 7, auth_state: 'ok', created_by: 'x' }, { odd: 1 }),
      );
      expect(json.warnings).to.have.members([
        'Unknown field ignored: colour',
        'Unknown field ignored: constructor',
        'Unknown field ignored: details.odd',
      ]);
      expect(json.config).to.include({ version: 1, auth_state: 'unknown', created_by: 'editor' });
    });

    it('somebody else as owner is 403 acl_denied', async () => {
      const { status, json } = await create(platform({ acl: { owner: 'other' } }));
      expect([status, json.error_code]).to.deep.equal([403, 'acl_denied']);
      expect((await create(platform({ acl: { owner: 'other' } }), 'root')).json.config.acl.owner).to.equal('other');
    });

    it('the mask is refused: nothing is stored yet', async () => {
      const { status, json } = await create(platform({}, { token: MASKED }));
      expect([status, json.error_code]).to.deep.equal([400, 'masked_value_without_stored_secret']);
      expect(fields(json)).to.deep.equal(['details.token']);
    });

    it('white space of any amount around a token costs nothing, and a mask inside it is no mask', async () => {
      const started = performance.now();
      const { status } = await create(tracker({ client_secret: `x${' '.repeat(60_000)}x` }));
      expect(status).to.equal(200);
      expect(performance.now() - started).to.be.lessThan(patience(500));
      await update({ name: 'alpha', details: { client_secret: ` ${MASKED} `, token: '\n pasted \n' } });
      expect(stored()['details/client_secret']).to.equal(` ${MASKED} `);
      expect(stored()['details/token']).to.equal('pasted');
    });
  });

  describe('update', () => {
    beforeEach(async () => {
      await create(tracker({ token_url: 'https://auth.example/token', headers: { 'X-Key': 'canary-header' } }));
    });

    it('merges details and keeps secrets that are masked or left out', async () => {
      app.site.clock.advance(1000);
      const { status, json } = await update({ name: 'ALPHA', details: { client_id: 'another', token: MASKED } });
      expect(status).to.equal(200);
      expect(json.message).to.equal('MCP connection updated');
      expect(json.config.details).to.deep.equal({
        url: 'https://mcp.example/mcp',
        verify_tls: true,
        client_id: 'another',
        is_auto_refresh_enabled: true,
        token_url: 'https://auth.example/token',
        token: MASKED,
        client_secret: MASKED,
        refresh_token: MASKED,
        headers: { 'X-Key': MASKED },
      });
      expect(json.config.name).to.equal('alpha');
      expect(json.config.version).to.equal(2);
      expect(json.config.last_updated_at).to.equal(app.site.clock.seconds());
      expect(json.config.created_at).to.equal(app.site.clock.seconds() - 1);
      expect(Object.keys(stored())).to.have.length(4);
    });

    describe('how the server is verified binds the secrets like its address', () => {
      const anew = { token: 'a', client_secret: 'b', refresh_token: 'c', headers: { 'X-Key': 'd' } };
      const refused = async (details: Json) => {
        const before = stored();
        const { status, json } = await update({ name: 'alpha', details });
        expect([status, json.error_code], JSON.stringify(details)).to.deep.equal([400, 'secret_required_for_new_host']);
        expect(json.message).to.contain('details.verify_tls');
        expect(stored()).to.deep.equal(before);
        const test = await app.call('editor', 'POST', `${PATH}/test`, { name: 'alpha', details });
        expect([test.status, test.json.error_code]).to.deep.equal([400, 'secret_required_for_new_host']);
        expect(app.peers.targets).to.deep.equal([]);
      };

      it('no verification, or another authority, needs every secret anew, masked or absent, saved or inline', async () => {
        const masked = { token: MASKED, client_secret: MASKED, refresh_token: MASKED, headers: { 'X-Key': MASKED } };
        for (const change of [{ verify_tls: false }, { ca_certificate: CERTIFICATE }]) {
          for (const given of [{}, masked, { ...anew, headers: { 'X-Key': MASKED } }, { ...anew, token: MASKED }]) {
            await refused({ ...change, ...given });
          }
          expect((await update({ name: 'alpha', details: { ...change, ...anew } })).status).to.equal(200);
          await update({ name: 'alpha', details: { verify_tls: true, ca_certificate: null } });
        }
      });

      it('a stricter way keeps them', async () => {
        await update({ name: 'alpha', details: { verify_tls: false, ...anew } });
        expect((await update({ name: 'alpha', details: { verify_tls: true } })).status).to.equal(200);
        expect(stored()['details/token']).to.equal('a');
      });
    });

    it('a whole config sent back changes nothing and gives no warnings', async () => {
      const { json } = await app.call('editor', 'GET', `${PATH}/alpha`);
      const before = stored();
      const back = await update(json.config);
      expect(back.status).to.equal(200);
      expect(back.json).not.to.have.property('warnings');
      expect(back.json.config).to.deep.equal({ ...json.config, version: 2 });
      expect(stored()).to.deep.equal(before);
      // Its version is the condition.
      const again = await update(json.config);
      expect([again.status, again.json.error_code, again.json.current_version]).to.deep.equal([
        409,
        'version_conflict',
        2,
      ]);
    });

    it('null and "" clear', async () => {
      await update({ name: 'alpha', tools_allowed: ['a'] });
      const { json } = await update({
        name: 'alpha',
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
      expect(json.config).not.to.have.property('tools_allowed');
      expect(json.config.description).to.equal('');
      expect(json.config.details).to.deep.equal({
        url: 'https://mcp.example/mcp',
        verify_tls: true,
        is_auto_refresh_enabled: false,
        token_url: 'https://auth.example/token',
      });
      expect(app.site.secrets.values.size).to.equal(0);
    });

    it('clears token_url only with secrets sent anew: the default endpoint is another host', async () => {
      const refused = await update({ name: 'alpha', details: { token_url: '' } });
      expect([refused.status, refused.json.error_code]).to.deep.equal([400, 'secret_required_for_new_host']);
      expect(refused.json.message).to.include('details.token_url');
      const secrets = { token: 't', client_secret: 's', refresh_token: 'r', headers: { 'x-key': 'h' } };
      const done = await update({ name: 'alpha', details: { token_url: null, ...secrets } });
      expect(done.json.config.details).not.to.have.property('token_url');
      // A header has no case: it keeps its stored name.
      expect(done.json.config.details.headers).to.deep.equal({ 'X-Key': MASKED });
    });

    for (const url of ['http://mcp.example/mcp', 'https://mcp.example:444/mcp', 'https://mcp.example.evil/mcp']) {
      it(`binds secrets to the host: ${url} is another`, async () => {
        const secrets = { token: MASKED, client_secret: MASKED, refresh_token: MASKED, headers: { 'X-Key': MASKED } };
        for (const details of [{ url }, { url, ...secrets }, { url, token: 'new' }]) {
          const { status, json } = await update({ name: 'alpha', details });
          expect([status, json.error_code]).to.deep.equal([400, 'secret_required_for_new_host']);
        }
      });
    }

    it('another path or an explicit default port is the same host', async () => {
      const { status } = await update({ name: 'alpha', details: { url: 'https://MCP.example:443/other?x=1' } });
      expect(status).to.equal(200);
    });

    it('the type may be repeated, not changed', async () => {
      expect((await update({ name: 'alpha', type: 'ISSUE_TRACKER' })).status).to.equal(200);
      const { status, json } = await update({ name: 'alpha', type: 'PLATFORM' });
      expect([status, json.error_code, fields(json)]).to.deep.equal([400, 'validation_failed', ['type']]);
    });

    it('what a connection needs as a whole is checked on the merged record', async () => {
      const { status, json } = await update({ name: 'alpha', details: { refresh_token: '' } });
      expect([status, fields(json)]).to.deep.equal([400, ['details.refresh_token']]);
    });

    it('If-Match and version are conditions', async () => {
      expect((await update({ name: 'alpha', version: 1 })).json.config.version).to.equal(2);
      expect((await update({ name: 'alpha' }, 'editor', { 'if-match': '"2"' })).json.config.version).to.equal(3);
      const stale = await update({ name: 'alpha' }, 'editor', { 'If-Match': '2' });
      expect([stale.status, stale.json.error_code, stale.json.current_version]).to.deep.equal([
        409,
        'version_conflict',
        3,
      ]);
    });

    it('a connection that is not there is 404', async () => {
      const { status, json } = await update({ name: 'beta' });
      expect([status, json.error_code]).to.deep.equal([404, 'not_found']);
    });

    it('new credentials or a new host forget what was learned', async () => {
      await app.call('editor', 'POST', `${PATH}/test`, { name: 'alpha' });
      const known = (await app.call('editor', 'GET', `${PATH}/alpha`)).json.config;
      expect([known.auth_state, known.transport_detected]).to.deep.equal(['ok', 'streamable_http']);
      const fresh = await update({ name: 'alpha', details: { token: 'other' } });
      expect(fresh.json.config.auth_state).to.equal('unknown');
      const secrets = { token: 't', client_secret: 's', refresh_token: 'r', headers: { 'X-Key': 'h' } };
      const moved = await update({ name: 'alpha', details: { url: 'https://new.example', ...secrets } });
      expect(moved.json.config).not.to.have.property('transport_detected');
      expect(app.site.records.all('ml_mcp_connections')[0]).not.to.have.property('token_expires_at');
    });
  });

  describe('access', () => {
    beforeEach(async () => {
      app.user('second', { roles: ['team'], capabilities: ['edit_agent_connections'] });
      await create(platform());
    });
    const share = (perms: Json, sharing = 'app') => update({ name: 'alpha', acl: { sharing, perms } });

    it('a record of another is as if it were not there', async () => {
      const calls = [
        app.call('second', 'GET', `${PATH}/alpha`),
        app.call('second', 'GET', `${PATH}?name=alpha`),
        update({ name: 'alpha' }, 'second'),
        app.call('second', 'DELETE', `${PATH}/alpha`),
        app.call('second', 'POST', `${PATH}/test`, { name: 'alpha' }),
        app.call('second', 'POST', `${PATH}/tools`, { name: 'alpha' }),
      ];
      const absent = await app.call('second', 'GET', `${PATH}/nothing`);
      for (const { status, json } of await Promise.all(calls)) {
        expect([status, json.error_code, json.message]).to.deep.equal([404, 'not_found', absent.json.message]);
      }
      const list = await app.call('second', 'GET', PATH);
      expect(list.json.result).to.deep.equal([]);
      expect(list.json.pagination.total).to.equal(0);
      expect(app.peers.targets).to.deep.equal([]);
    });

    it('a reader reads and tests, but does not change', async () => {
      await share({ read: ['team'] });
      expect((await app.call('second', 'GET', `${PATH}/alpha`)).status).to.equal(200);
      expect((await app.call('second', 'POST', `${PATH}/test`, { name: 'alpha' })).status).to.equal(200);
      const refused = [
        await update({ name: 'alpha', description: 'x' }, 'second'),
        await app.call('second', 'DELETE', `${PATH}/alpha`),
        await app.call('second', 'POST', `${PATH}/test`, { name: 'alpha', details: {} }),
      ];
      for (const { status, json } of refused) expect([status, json.error_code]).to.deep.equal([403, 'acl_denied']);
    });

    it('a writer changes, but not the access list', async () => {
      await share({ read: [], write: ['team'] }, 'global');
      expect((await update({ name: 'alpha', description: 'x' }, 'second')).status).to.equal(200);
      const own = await update({ name: 'alpha', acl: { owner: 'second' } }, 'second');
      expect([own.status, own.json.error_code]).to.deep.equal([403, 'acl_denied']);
      // Sending back what is there is no change.
      const { json } = await app.call('second', 'GET', `${PATH}/alpha`);
      expect((await update(json.config, 'second')).status).to.equal(200);
    });

    it('an administrator sees and changes everything', async () => {
      expect((await app.call('root', 'GET', PATH)).json.pagination.total).to.equal(1);
      expect((await update({ name: 'alpha', acl: { owner: 'second' } }, 'root')).status).to.equal(200);
      expect((await app.call('editor', 'GET', `${PATH}/alpha`)).status).to.equal(404);
    });
  });

  describe('read', () => {
    beforeEach(async () => {
      for (const name of ['Beta', 'alpha', 'gamma']) await create(platform({ name, description: `about ${name}` }));
    });

    it('lists in the words of the contract', async () => {
      const { json } = await app.call('editor', 'GET', `${PATH}?count=2&sort_key=name&sort_dir=desc`);
      expect(json.result.map((item: Json) => item.name)).to.deep.equal(['gamma', 'Beta']);
      expect(json.pagination).to.deep.equal({
        offset: 0,
        count: 2,
        total: 3,
        returned: 2,
        has_more: true,
        next_offset: 2,
      });
      expect(json).not.to.have.property('config');
      const found = await app.call('editor', 'GET', `${PATH}?search=ABOUT b`);
      expect(found.json.result.map((item: Json) => item.name)).to.deep.equal(['Beta']);
    });

    it('with name= it answers the single form, case or not', async () => {
      const { json } = await app.call('editor', 'GET', `${PATH}?name=BETA`);
      expect(json.config.name).to.equal('Beta');
      expect(json).not.to.have.property('result');
      expect((await app.call('editor', 'GET', `${PATH}/%42eta`)).json.config.name).to.equal('Beta');
    });

    for (const query of [
      'count=-1',
      'count=x',
      'count=',
      'count=1.5',
      'count=Infinity',
      'offset=-1',
      'sort_key=token',
      'sort_dir=up',
    ]) {
      it(`?${query} is 400`, async () => {
        const { status, json } = await app.call('editor', 'GET', `${PATH}?${query}`);
        expect([status, json.error_code, fields(json)]).to.deep.equal([
          400,
          'validation_failed',
          [query.slice(0, query.indexOf('='))],
        ]);
      });
    }

    it('reads need a session only', async () => {
      expect((await app.call('reader', 'GET', PATH)).status).to.equal(200);
      app.settings.stanzas = { feature_flags: { mcp_connections: '0' } };
      expect((await app.call('reader', 'GET', PATH)).status).to.equal(200);
      const { status, json } = await create(platform({ name: 'new' }));
      expect([status, json.error_code]).to.deep.equal([403, 'feature_disabled']);
    });
  });

  describe('delete', () => {
    const agent = (name: string, owner: string) =>
      app.site.records.collection('ml_agents').set(
        name,
        JSON.stringify({
          _key: name,
          name,
          acl: { owner, sharing: 'user', perms: { read: [], write: [] } },
          mcps: [{ name: 'ALPHA' }],
        }),
      );
    beforeEach(async () => {
      await create(platform());
    });

    it('takes the record, its secrets and its listing', async () => {
      await app.call('editor', 'POST', `${PATH}/tools`, { name: 'alpha' });
      const { status, json } = await app.call('editor', 'DELETE', `${PATH}/Alpha`);
      expect([status, json]).to.deep.equal([
        200,
        { status: 'success', message: 'MCP connection deleted', name: 'alpha' },
      ]);
      expect(app.site.secrets.values.size).to.equal(0);
      expect(app.site.records.all('ml_mcp_listings')).to.deep.equal([]);
      expect((await app.call('editor', 'DELETE', `${PATH}/alpha`)).status).to.equal(404);
    });

    it('is refused while agents use it; those that the caller may not read are not named', async () => {
      agent('mine', 'editor');
      agent('theirs', 'other');
      const { status, json } = await app.call('editor', 'DELETE', `${PATH}/alpha`);
      expect([status, json.error_code, json.used_by]).to.deep.equal([409, 'in_use', ['mine']]);
      expect(JSON.stringify(json)).not.to.include('theirs');
      expect((await app.call('editor', 'DELETE', `${PATH}/alpha?force=false`)).status).to.equal(409);
      expect((await app.call('editor', 'DELETE', `${PATH}/alpha?force=true`)).status).to.equal(200);
    });

    it('honours If-Match', async () => {
      const { status, json } = await app.call('editor', 'DELETE', `${PATH}/alpha`, undefined, { 'If-Match': '9' });
      expect([status, json.error_code, json.current_version]).to.deep.equal([409, 'version_conflict', 1]);
      expect((await app.call('editor', 'DELETE', `${PATH}/alpha`, undefined, { 'If-Match': '1' })).status).to.equal(
        200,
      );
    });
  });

  it('each write and test needs edit_agent_connections, before the body is looked at', async () => {
    const calls: [string, string][] = [
      ['POST', PATH],
      ['PUT', PATH],
      ['DELETE', `${PATH}/alpha`],
      ['POST', `${PATH}/test`],
      ['POST', `${PATH}/tools`],
    ];
    for (const [method, path] of calls) {
      const { status, json } = await app.call('reader', method, path, '{broken');
      expect([status, json.error_code, json.required]).to.deep.equal([
        403,
        'missing_capability',
        ['edit_agent_connections'],
      ]);
    }
  });
});
