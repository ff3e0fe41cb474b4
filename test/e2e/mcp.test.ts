import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { type Body, type Reply, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { makeCertificate } from '../support/peers/certificates.ts';

const MASK = '***MASKED***';
const URL = 'https://mcp.example/mcp';

describe('MCP connections (contract 2) over HTTP', () => {
  let platform: TestPlatform;

  before(async () => {
    platform = await startPlatform({ env: { ML_DRIVERS: '4' } });
    await platform.createRole('readers', ['user']);
    await platform.createRole('writers', ['user'], ['edit_agent_connections']);
    await platform.createUser('anna', ['ml_admin']);
    await platform.createUser('bert', ['writers']);
    await platform.createUser('carl', ['readers']);
  });
  after(() => platform.dispose());

  const post = (body: Body, user = 'anna') => platform.ml(user, 'POST', '/mcp_connection', body);
  const put = (body: Body, user = 'anna', headers: Record<string, string> = {}) =>
    platform.ml(user, 'PUT', '/mcp_connection', body, headers);
  const get = (name: string, user = 'anna') => platform.ml(user, 'GET', `/mcp_connection/${encodeURIComponent(name)}`);
  const remove = (name: string, user = 'anna', query = '', headers: Record<string, string> = {}) =>
    platform.ml(user, 'DELETE', `/mcp_connection/${encodeURIComponent(name)}${query}`, undefined, headers);
  const list = (query: string, user = 'anna') => platform.ml(user, 'GET', `/mcp_connection${query}`);

  let names = 0;
  /** A connection of this test alone. */
  async function made(more: Record<string, unknown> = {}, user = 'anna'): Promise<{ name: string; config: Config }> {
    names += 1;
    const name = `conn ${names}`;
    const reply = await post({ name, type: 'PLATFORM', details: { url: URL, token: 'first-token' }, ...more }, user);
    expect(reply.status, reply.text).to.equal(200);
    return { name, config: reply.json.config };
  }
  // biome-ignore lint/suspicious/noExplicitAny: a record as it came over the wire
  type Config = any;

  function expectCode(reply: Reply, status: number, code: string): void {
    expect(`${reply.status} ${reply.json?.error_code}`, reply.text).to.equal(`${status} ${code}`);
    expect(reply.json.status).to.equal('fail');
  }
  function expectFields(reply: Reply, fields: string[]): void {
    expectCode(reply, 400, 'validation_failed');
    expect(reply.json.errors.map((error: { field: string }) => error.field).sort(), reply.text).to.deep.equal(
      [...fields].sort(),
    );
    for (const field of fields) expect(reply.json.message).to.contain(field);
  }

  describe('create, read, update, delete', () => {
    it('makes a record with the metadata of 1.5, masked', async () => {
      const before = Date.now() / 1000;
      const reply = await post({
        name: 'Issue Tracker',
        type: 'ISSUE_TRACKER',
        description: 'what it is for',
        details: {
          url: `${URL}?tenant=1`,
          token: 'access',
          client_id: 'client',
          client_secret: 'shh',
          refresh_token: 'again',
          is_auto_refresh_enabled: true,
          token_url: 'https://auth.example/token',
          verify_tls: false,
          headers: { 'X-Api-Key': 'key' },
        },
        tools_allowed: ['search', 'search', 'get'],
      });
      expect(reply.status, reply.text).to.equal(200);
      expect(reply.json).to.have.all.keys('status', 'message', 'config');
      expect(reply.json.status).to.equal('success');
      const { created_at, last_updated_at, ...config } = reply.json.config;
      expect(config).to.deep.equal({
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
          verify_tls: false,
          headers: { 'X-Api-Key': MASK },
        },
        tools_allowed: ['search', 'get'],
        acl: { owner: 'anna', sharing: 'user', perms: { read: [], write: [] } },
        version: 1,
        created_by: 'anna',
        last_updated_by: 'anna',
        auth_state: 'unknown',
      });
      expect(created_at).to.be.within(before - 1, Date.now() / 1000 + 1);
      expect(last_updated_at).to.equal(created_at);
      expect((await get('Issue Tracker')).json.config).to.deep.equal(reply.json.config);
      expect((await list('?name=Issue%20Tracker')).json.config).to.deep.equal(reply.json.config);
    });

    it('fills in defaults', async () => {
      const reply = await post({ name: 'least', type: 'PLATFORM', details: { url: URL } });
      expect(reply.json.config.details).to.deep.equal({ url: URL, verify_tls: true });
      expect(reply.json.config.description).to.equal('');
      expect(reply.json.config).to.not.have.any.keys('tools_allowed', 'last_test', 'transport_detected');
    });

    it('updates a subset and merges details', async () => {
      const { name, config } = await made({ description: 'before', tools_allowed: ['a'] });
      const loosened = await put({ name, details: { verify_tls: false } }, 'anna');
      expect([loosened.status, loosened.json.error_code]).to.deep.equal([400, 'secret_required_for_new_host']);
      const reply = await put({ name, details: { verify_tls: false, token: 'anew' } }, 'anna');
      expect(reply.status, reply.text).to.equal(200);
      const after = reply.json.config;
      expect(after.details).to.deep.equal({ url: URL, token: MASK, verify_tls: false });
      expect(after).to.deep.include({ description: 'before', tools_allowed: ['a'], version: 2, created_by: 'anna' });
      expect(after.created_at).to.equal(config.created_at);
      expect(after.last_updated_at).to.be.greaterThan(config.last_updated_at);
      expect((await get(name)).json.config).to.deep.equal(after);
      const cleared = await put({ name, description: null, tools_allowed: null });
      expect(cleared.json.config.description).to.equal('');
      expect(cleared.json.config).to.not.have.property('tools_allowed');
    });

    it('deletes the record, its secrets, and answers its name', async () => {
      const { name } = await made();
      const before = await platform.secretRefs();
      const reply = await remove(name.toUpperCase());
      expect(reply.status, reply.text).to.equal(200);
      expect(reply.json).to.have.all.keys('status', 'message', 'name');
      expect(reply.json.name).to.equal(name);
      expectCode(await get(name), 404, 'not_found');
      expectCode(await remove(name), 404, 'not_found');
      expectCode(await put({ name }), 404, 'not_found');
      expect((await platform.secretRefs()).length).to.equal(before.length - 1);
    });

    it('answers 404 for a single that is not there', async () => {
      expectCode(await get('nowhere'), 404, 'not_found');
      expectCode(await list('?name=nowhere'), 404, 'not_found');
    });

    it('names every problem at once', async () => {
      const details = { url: 'ftp://x', token: 7, ca_certificate: 'no', is_auto_refresh_enabled: 'yes' };
      const reply = await post({ name: '', type: 'OTHER', details, tools_allowed: 'x', acl: { sharing: 'all' } });
      expect(reply.json.errors.map((error: { field: string }) => error.field)).to.include.members([
        'name',
        'type',
        'details.token',
        'details.is_auto_refresh_enabled',
        'tools_allowed',
        'acl.sharing',
      ]);
      expectFields(await post({}), ['name', 'type', 'details']);
      expectFields(await post({ name: 'x', type: 'PLATFORM', details: {} }), ['details.url']);
      expectFields(await put({}), ['name']);
    });

    it('keeps the type', async () => {
      const { name } = await made();
      expectFields(await put({ name, type: 'ISSUE_TRACKER' }), ['type']);
      expect((await put({ name, type: 'PLATFORM' })).status).to.equal(200);
    });
  });

  describe('names', () => {
    it('trims, compares without case, shows as written', async () => {
      const reply = await post({ name: '  Spaced Name  ', type: 'PLATFORM', details: { url: URL } });
      expect(reply.json.config.name).to.equal('Spaced Name');
      for (const name of ['Spaced Name', 'SPACED NAME', ' spaced name ']) {
        expectCode(await post({ name, type: 'PLATFORM', details: { url: URL } }), 409, 'duplicate_name');
        expect((await get(name)).json.config.name, name).to.equal('Spaced Name');
        expect((await list(`?name=${encodeURIComponent(name)}`)).json.config.name).to.equal('Spaced Name');
        expect((await put({ name })).json.config.name).to.equal('Spaced Name');
      }
    });

    it('takes every legal character, also the names of the literals', async () => {
      for (const name of ['9_.-@+() z', 'test', 'tools', 'a'.repeat(128), '__'.replace('__', 'x__proto__')]) {
        expect((await post({ name, type: 'PLATFORM', details: { url: URL } })).status, name).to.equal(200);
        expect((await get(name)).json.config.name).to.equal(name);
        expect((await remove(name)).json.name).to.equal(name);
      }
    });

    it('refuses the others', async () => {
      const bad = ['', '   ', '_a', '.', '..', '-a', ' ', 'a/b', 'a%b', 'a%20b', 'a\\b', 'a\nb', 'a\u0000b', 'ä', 'a?'];
      for (const name of [...bad, 'a'.repeat(129), '名前', 'a*b', 'a:b', 'a<b', '"a"', 'a#']) {
        expectFields(await post({ name, type: 'PLATFORM', details: { url: URL } }), ['name']);
        expectFields(await put({ name }), ['name']);
      }
      for (const name of [null, 7, true, [], {}, ['a']]) {
        expectFields(await post({ name, type: 'PLATFORM', details: { url: URL } }), ['name']);
      }
    });
  });

  describe('fields', () => {
    const create = (details: Record<string, unknown>, type = 'PLATFORM') => {
      names += 1;
      return post({ name: `field ${names}`, type, details: { url: URL, ...details } });
    };

    it('refuses addresses that are not plain http(s)', async () => {
      const bad = ['', ' ', 'x', '/mcp', 'mcp.example', '//mcp.example', 'ftp://mcp.example', 'file:///etc/passwd'];
      bad.push('https://', 'http:mcp.example', 'https://u@mcp.example/', 'https://u:p@mcp.example', 'https://@x/');
      bad.push(
        'https://mcp.example\\@evil.example/',
        'https://mcp.example/a b',
        ' https://mcp.example',
        'https://a\tb/',
      );
      bad.push(
        'https://mcp.example/\n',
        'javascript:alert(1)',
        'https://mcp.example:99999/',
        'https://[::1',
        'ws://x/',
      );
      bad.push(`https://mcp.example/${'x'.repeat(2048)}`, 'https://mcp.example\u00a0/', 'https://mcp.example/\u0000');
      for (const url of bad) {
        expectFields(await create({ url }), ['details.url']);
        const tracker = await create({ token_url: url || 'x' }, 'ISSUE_TRACKER');
        expectFields(tracker, ['details.token_url']);
      }
      for (const url of [null, 3, {}, ['https://x/']]) expectFields(await create({ url }), ['details.url']);
    });

    it('takes loopback, private and unusual but plain addresses', async () => {
      const good = [
        'http://127.0.0.1:8080/mcp',
        'http://[::1]/mcp',
        'HTTPS://MCP.Example',
        'https://10.0.0.1/sse?x=1#y',
      ];
      for (const url of good) expect((await create({ url })).json.config.details.url, url).to.equal(url);
    });

    it('takes one or more PEM certificates and nothing else', async () => {
      const { cert, key } = makeCertificate();
      expect(new X509Certificate(cert).subject).to.be.a('string');
      for (const ca of [cert, `${cert}\n${cert}`, `\n  ${cert.replaceAll('\n', '\r\n')}`]) {
        const reply = await create({ ca_certificate: ca });
        expect(reply.json.config.details.ca_certificate, reply.text).to.be.a('string');
      }
      const bad = [
        'x',
        key,
        `${cert}${key}`,
        cert.replace('MII', 'XXX'),
        '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----',
      ];
      for (const ca of [...bad, `${cert}trailing`, '/etc/ssl/cert.pem', 7]) {
        const reply = await create({ ca_certificate: ca });
        expectFields(reply, ['details.ca_certificate']);
        expect(reply.text).to.not.contain(key.split('\n')[2]);
      }
    });

    it('refuses tracker fields on a PLATFORM connection', async () => {
      const only = { client_id: 'a', client_secret: 'b', refresh_token: 'c', is_auto_refresh_enabled: true };
      const all = { ...only, token_url: 'https://auth.example/' };
      for (const [field, value] of Object.entries(all)) {
        expectFields(await create({ [field]: value }), [`details.${field}`]);
        const { name } = await made();
        expectFields(await put({ name, details: { [field]: value } }), [`details.${field}`]);
      }
      expectFields(
        await create(all),
        Object.keys(all).map((field) => `details.${field}`),
      );
      // False and empty say that there is none.
      const none = { client_id: '', client_secret: null, refresh_token: '', token_url: null };
      expect((await create(none)).status).to.equal(200);
    });

    it('asks for client and refresh token where tokens are refreshed', async () => {
      const auto = { is_auto_refresh_enabled: true };
      expectFields(await create(auto, 'ISSUE_TRACKER'), ['details.client_id', 'details.refresh_token']);
      expectFields(await create({ ...auto, client_id: 'c' }, 'ISSUE_TRACKER'), ['details.refresh_token']);
      const whole = { ...auto, client_id: 'c', refresh_token: 'r' };
      const reply = await create(whole, 'ISSUE_TRACKER');
      expect(reply.status, reply.text).to.equal(200);
      const { name } = reply.json.config;
      expectFields(await put({ name, details: { refresh_token: '' } }), ['details.refresh_token']);
      expectFields(await put({ name, details: { client_id: null } }), ['details.client_id']);
      expect((await put({ name, details: { refresh_token: '', is_auto_refresh_enabled: false } })).status).to.equal(
        200,
      );
    });

    it('refuses headers that are not the caller’s to set', async () => {
      for (const name of [
        'Authorization',
        'authorization',
        'Connection',
        'Transfer-Encoding',
        'TE',
        'Upgrade',
        'Host',
      ]) {
        expectFields(await create({ headers: { [name]: 'x' } }), [`details.headers.${name}`]);
      }
      for (const name of ['a b', 'a:', 'ä', 'a\nb']) {
        expectFields(await create({ headers: { [name]: 'x' } }), [`details.headers.${name}`]);
      }
      for (const value of ['a\nb', 'a\r\nX: y', 'a\u0000', '名']) {
        expectFields(await create({ headers: { 'X-Key': value } }), ['details.headers.X-Key']);
        expectFields(await create({ token: `x${value}` }), ['details.token']);
      }
      expectFields(await create({ headers: { 'X-Key': 7 } }), ['details.headers.X-Key']);
    });

    it('ignores unknown fields and names them', async () => {
      names += 1;
      const reply = await post({
        name: `field ${names}`,
        type: 'PLATFORM',
        colour: 'red',
        details: { url: URL, shape: { a: 1 } },
        __proto__x: 1,
        secret_ref: 'x',
        _key: 'y',
      });
      expect(reply.status, reply.text).to.equal(200);
      for (const field of ['colour', 'details.shape', '__proto__x', 'secret_ref', '_key']) {
        expect(
          reply.json.warnings.some((text: string) => text.includes(field)),
          field,
        ).to.equal(true);
      }
      expect((await get(`field ${names}`)).text).to.not.contain('colour');
    });
  });

  describe('secrets', () => {
    const tracker = (details: Record<string, unknown> = {}) =>
      made({
        type: 'ISSUE_TRACKER',
        details: { url: URL, token: 't1', client_secret: 's1', refresh_token: 'r1', client_id: 'c', ...details },
      });

    it('keeps what is masked or absent, sets values, deletes empty ones', async () => {
      const { name, config } = await tracker({ headers: { 'X-A': 'a', 'X-B': 'b' } });
      expect(config.details.headers).to.deep.equal({ 'X-A': MASK, 'X-B': MASK });
      const before = await storedSecrets(name);
      expect(before).to.deep.equal({
        'details/token': 't1',
        'details/client_secret': 's1',
        'details/refresh_token': 'r1',
        'details/headers/X-A': 'a',
        'details/headers/X-B': 'b',
      });
      await put({ name, description: 'x' });
      await put({ name, details: { token: MASK, headers: { 'X-A': MASK } } });
      expect(await storedSecrets(name)).to.deep.equal(before);
      const reply = await put({
        name,
        details: { token: 't2', client_secret: '', refresh_token: null, headers: { 'x-b': '', 'X-C': 'c' } },
      });
      expect(reply.status, reply.text).to.equal(200);
      const { details } = reply.json.config;
      expect(details).to.include({ token: MASK });
      expect(details).to.not.have.any.keys('client_secret', 'refresh_token');
      expect(details.headers).to.deep.equal({ 'X-A': MASK, 'X-C': MASK });
      expect(await storedSecrets(name)).to.deep.equal({
        'details/token': 't2',
        'details/headers/X-A': 'a',
        'details/headers/X-C': 'c',
      });
      await put({ name, details: { headers: null, token: '' } });
      expect(await storedSecrets(name)).to.equal(undefined);
      expect((await get(name)).json.config.details).to.not.have.any.keys('token', 'headers');
    });

    it('takes a value that contains the mask for a value', async () => {
      const { name } = await made({ details: { url: URL, token: `x${MASK}` } });
      expect(await storedSecrets(name)).to.deep.equal({ 'details/token': `x${MASK}` });
      await put({ name, details: { token: MASK.toLowerCase() } });
      expect(await storedSecrets(name)).to.deep.equal({ 'details/token': MASK.toLowerCase() });
    });

    it('keeps long and unusual values whole', async () => {
      const long = `${'x'.repeat(254)}:\\"%/é${'y'.repeat(60_000)}`;
      const { name } = await made({ details: { url: URL, token: long } });
      expect(await storedSecrets(name)).to.deep.equal({ 'details/token': long });
      await remove(name);
      expect((await platform.secretNames()).length).to.be.lessThan(200);
    });

    it('refuses the mask where nothing is stored', async () => {
      const reply = await post({ name: 'masked', type: 'PLATFORM', details: { url: URL, token: MASK } });
      expectCode(reply, 400, 'masked_value_without_stored_secret');
      expect(reply.json.errors[0].field).to.equal('details.token');
      const { name } = await made({ details: { url: URL } });
      expectCode(await put({ name, details: { token: MASK } }), 400, 'masked_value_without_stored_secret');
      expectCode(await put({ name, details: { headers: { X: MASK } } }), 400, 'masked_value_without_stored_secret');
      for (const action of ['test', 'tools']) {
        const inline = await platform.ml('anna', 'POST', `/mcp_connection/${action}`, {
          type: 'PLATFORM',
          details: { url: 'http://127.0.0.1:9/', token: MASK },
        });
        expectCode(inline, 400, 'masked_value_without_stored_secret');
      }
    });

    it('binds secrets to host, port and scheme of url and token_url', async () => {
      const start = { url: 'https://mcp.example/mcp', token_url: 'https://auth.example/token' };
      const moves: [string, Record<string, unknown>][] = [
        ['another host', { url: 'https://evil.example/mcp' }],
        ['a subdomain', { url: 'https://a.mcp.example/mcp' }],
        ['another port', { url: 'https://mcp.example:8443/mcp' }],
        ['a lower scheme', { url: 'http://mcp.example/mcp' }],
        ['a lower scheme on the same port', { url: 'http://mcp.example:443/mcp' }],
        ['another token host', { token_url: 'https://evil.example/token' }],
        ['another token port', { token_url: 'https://auth.example:444/token' }],
        ['a lower token scheme', { token_url: 'http://auth.example/token' }],
        ['no token_url', { token_url: null }],
      ];
      for (const [what, move] of moves) {
        const { name } = await tracker(start);
        const masks = { token: MASK, client_secret: MASK, refresh_token: MASK };
        const some = { token: 'new', client_secret: 'new' };
        for (const details of [move, { ...move, ...masks }, { ...move, ...some }]) {
          const reply = await put({ name, details });
          expectCode(reply, 400, 'secret_required_for_new_host');
          expect(
            reply.json.errors.map((error: { field: string }) => error.field),
            what,
          ).to.include('details.refresh_token');
          const test = await platform.ml('anna', 'POST', '/mcp_connection/test', { name, details });
          expectCode(test, 400, 'secret_required_for_new_host');
          const tools = await platform.ml('anna', 'POST', '/mcp_connection/tools', { name, details });
          expectCode(tools, 400, 'secret_required_for_new_host');
        }
        expect((await get(name)).json.config).to.include({ version: 1 });
        expect((await storedSecrets(name))?.['details/refresh_token']).to.equal('r1');
        const anew = await put({ name, details: { ...move, token: 'n', client_secret: '', refresh_token: 'n' } });
        expect(anew.status, `${what}: ${anew.text}`).to.equal(200);
        expect(await storedSecrets(name)).to.deep.equal({ 'details/token': 'n', 'details/refresh_token': 'n' });
      }
    });

    it('binds headers too', async () => {
      const { name } = await made({ details: { url: URL, headers: { 'X-Key': 'k' } } });
      const reply = await put({ name, details: { url: 'https://evil.example/' } });
      expectCode(reply, 400, 'secret_required_for_new_host');
      expect(reply.json.errors[0].field).to.equal('details.headers.X-Key');
    });

    it('lets path, case and http to https pass', async () => {
      const { name } = await tracker({ url: 'http://mcp.example/mcp', token_url: 'http://auth.example:8080/t' });
      const moves = [
        { url: 'http://mcp.example/other?x=1' },
        { url: 'http://MCP.example:80/other' },
        { url: 'https://mcp.example/other' },
        { token_url: 'http://auth.example:8080/other' },
        { token_url: 'https://auth.example:8080/other' },
      ];
      for (const move of moves) {
        const reply = await put({ name, details: move });
        expect(reply.status, `${JSON.stringify(move)} ${reply.text}`).to.equal(200);
      }
      expect((await storedSecrets(name))?.['details/token']).to.equal('t1');
    });

    it('lets a record without secrets go anywhere', async () => {
      const { name } = await made({ details: { url: URL } });
      expect((await put({ name, details: { url: 'https://other.example/' } })).status).to.equal(200);
    });

    /** Through the platform's own endpoints, as an administrator sees the password storage. */
    async function storedSecrets(name: string): Promise<Record<string, string> | undefined> {
      const records = await platform.documents('ml_mcp_connections');
      const record = records.find((doc) => doc.name === name) as { secret_ref: string | null };
      if (record.secret_ref === null) return undefined;
      const prefix = record.secret_ref.replace(/~\d+$/, '');
      const reply = await platform.admin('GET', '/servicesNS/nobody/ml_extension/storage/passwords?count=0');
      const parts = (reply.json.entry as { content: { username: string; clear_password: string } }[])
        .map(({ content }) => content)
        .filter(({ username }) => username.startsWith(`${prefix}.`))
        .sort((a, b) => Number(a.username.split('.').at(-1)) - Number(b.username.split('.').at(-1)));
      return JSON.parse(Buffer.from(parts.map((part) => part.clear_password).join(''), 'base64').toString());
    }
  });

  describe('versions', () => {
    it('makes a change only on the version that is named, in body or header', async () => {
      const { name } = await made();
      expect((await put({ name, version: 1 })).json.config.version).to.equal(2);
      expect((await put({ name }, 'anna', { 'If-Match': '2' })).json.config.version).to.equal(3);
      expect((await put({ name }, 'anna', { 'If-Match': '"3"' })).json.config.version).to.equal(4);
      expect((await put({ name, version: 4 }, 'anna', { 'If-Match': '"4"' })).json.config.version).to.equal(5);
      for (const stale of [() => put({ name, version: 4 }), () => put({ name }, 'anna', { 'If-Match': '"4"' })]) {
        const reply = await stale();
        expectCode(reply, 409, 'version_conflict');
        expect(reply.json.current_version).to.equal(5);
      }
      expectCode(await put({ name, version: 99 }), 409, 'version_conflict');
      expectFields(await put({ name, version: 5 }, 'anna', { 'If-Match': '4' }), ['If-Match']);
      for (const bad of ['W/"5"', 'x', '"x"', '-1', '5, 6', "'5'", '""', '5.0', '1e1']) {
        expectFields(await put({ name }, 'anna', { 'If-Match': bad }), ['If-Match']);
      }
      for (const bad of [0, -1, '5', 1.5, true, {}]) expectFields(await put({ name, version: bad }), ['version']);
      expect((await get(name)).json.config.version).to.equal(5);
      const conflict = await remove(name, 'anna', '', { 'If-Match': '4' });
      expectCode(conflict, 409, 'version_conflict');
      expect(conflict.json.current_version).to.equal(5);
      expectFields(await remove(name, 'anna', '', { 'If-Match': 'x' }), ['If-Match']);
      expect((await remove(name, 'anna', '', { 'If-Match': '"5"' })).status).to.equal(200);
    });

    it('takes a whole config back, without a warning', async () => {
      const { name, config } = await made({ description: 'x', tools_allowed: ['t'] });
      const sent = { ...config, description: 'y' };
      const reply = await put(sent);
      expect(reply.status, reply.text).to.equal(200);
      expect(reply.json).to.not.have.property('warnings');
      expect(reply.json.config).to.deep.include({ version: 2, description: 'y', acl: config.acl });
      expectCode(await put(sent), 409, 'version_conflict');
      const copy = await post({
        ...reply.json.config,
        name: `${name} copy`,
        details: { ...config.details, token: 'n' },
      });
      expect(copy.status, copy.text).to.equal(200);
      expect(copy.json.config.version).to.equal(1);
      expect(copy.json).to.not.have.property('warnings');
    });
  });

  describe('ACL', () => {
    const shared = (perms: { read?: string[]; write?: string[] }, sharing = 'app') => ({ acl: { sharing, perms } });

    it('is the owner’s alone by default; not readable and not there look the same', async () => {
      const { name } = await made();
      for (const user of ['bert', 'carl']) {
        const hidden = await get(name, user);
        expectCode(hidden, 404, 'not_found');
        const absent = await get('nowhere', user);
        const blank = (reply: Reply) => ({ ...reply.json, request_id: '' });
        expect(blank(hidden)).to.deep.equal(blank(absent));
        expect((await list('?count=0', user)).text).to.not.contain(`"${name}"`);
      }
      expectCode(await put({ name }, 'bert'), 404, 'not_found');
      expectCode(await remove(name, 'bert'), 404, 'not_found');
      for (const action of ['test', 'tools']) {
        expectCode(await platform.ml('bert', 'POST', `/mcp_connection/${action}`, { name }), 404, 'not_found');
      }
      expect((await get(name, 'admin')).status).to.equal(200);
      expect((await put({ name, description: 'by admin' }, 'admin')).json.config.last_updated_by).to.equal('admin');
    });

    it('sharing user closes the record whatever perms say', async () => {
      const { name } = await made(shared({ read: ['*'], write: ['*'] }, 'user'));
      expectCode(await get(name, 'bert'), 404, 'not_found');
    });

    for (const sharing of ['app', 'global']) {
      it(`sharing ${sharing}: perms decide, * is everyone, write implies read`, async () => {
        const readable = await made(shared({ read: ['readers'] }, sharing));
        expect((await get(readable.name, 'carl')).status).to.equal(200);
        expectCode(await get(readable.name, 'bert'), 404, 'not_found');
        const open = await made(shared({ read: ['*'] }, sharing));
        expect((await get(open.name, 'bert')).status).to.equal(200);
        expectCode(await put({ name: open.name }, 'bert'), 403, 'acl_denied');
        expectCode(await remove(open.name, 'bert'), 403, 'acl_denied');
        expectCode(await remove(open.name, 'bert', '?force=true'), 403, 'acl_denied');
        const inline = { name: open.name, details: { verify_tls: true } };
        expectCode(await platform.ml('bert', 'POST', '/mcp_connection/test', inline), 403, 'acl_denied');
        const writable = await made(shared({ write: ['writers'] }, sharing));
        expect((await get(writable.name, 'bert')).status).to.equal(200);
        expect((await put({ name: writable.name, description: 'b' }, 'bert')).json.config.last_updated_by).to.equal(
          'bert',
        );
        expectCode(await get(writable.name, 'carl'), 404, 'not_found');
        expect((await remove(writable.name, 'bert')).status).to.equal(200);
      });
    }

    it('is changed by owner and administrator only; unchanged values are no change', async () => {
      const { name, config } = await made(shared({ read: ['*'], write: ['writers'] }));
      const same = await put({ name, acl: { ...config.acl, perms: { write: ['writers'], read: ['*'] } } }, 'bert');
      expect(same.status, same.text).to.equal(200);
      for (const acl of [
        { sharing: 'user' },
        { perms: { read: [] } },
        { owner: 'bert' },
        { perms: { write: ['*'] } },
      ]) {
        expectCode(await put({ name, acl }, 'bert'), 403, 'acl_denied');
      }
      expectCode(await put({ name, acl: { owner: 'bert' } }, 'anna'), 403, 'acl_denied');
      const narrowed = await put({ name, acl: { perms: { read: ['readers'] } } });
      expect(narrowed.json.config.acl).to.deep.equal({
        owner: 'anna',
        sharing: 'app',
        perms: { read: ['readers'], write: ['writers'] },
      });
      const given = await put({ name, acl: { owner: 'bert', sharing: 'user' } }, 'admin');
      expect(given.json.config.acl.owner).to.equal('bert');
      expectCode(await get(name, 'anna'), 404, 'not_found');
      expect((await get(name, 'bert')).status).to.equal(200);
    });

    it('gives a new record to another only for an administrator', async () => {
      const body = { name: 'for bert', type: 'PLATFORM', details: { url: URL, token: 'x' }, acl: { owner: 'bert' } };
      const before = await platform.secretRefs();
      expectCode(await post(body), 403, 'acl_denied');
      expect(await platform.secretRefs()).to.deep.equal(before);
      expectCode(await get('for bert', 'admin'), 404, 'not_found');
      expect((await post(body, 'admin')).json.config.acl.owner).to.equal('bert');
      expect((await get('for bert', 'bert')).status).to.equal(200);
      const own = { ...body, name: 'for anna', acl: { owner: 'anna' } };
      expect((await post(own)).json.config.acl.owner).to.equal('anna');
    });

    it('refuses what is no ACL', async () => {
      const { name } = await made();
      expectFields(await put({ name, acl: { sharing: 'public' } }), ['acl.sharing']);
      expectFields(await put({ name, acl: { perms: { read: 'x' } } }), ['acl.perms.read']);
      expectFields(await put({ name, acl: { owner: '' } }), ['acl.owner']);
      expectFields(await put({ name, acl: [] }), ['acl']);
      expectFields(await put({ name, acl: { perms: { read: [7] } } }), ['acl.perms.read.0']);
    });

    it('does not tell of a taken name more than that it is taken', async () => {
      const { name } = await made();
      const reply = await post({ name, type: 'PLATFORM', details: { url: URL } }, 'bert');
      expectCode(reply, 409, 'duplicate_name');
      expect(reply.text).to.not.contain('anna');
    });

    it('keeps the collections from ordinary users', async () => {
      const path = '/servicesNS/nobody/ml_extension/storage/collections/data/ml_mcp_connections?output_mode=json';
      for (const user of ['anna', 'bert', 'carl']) {
        const read = await platform.call(user, 'GET', path);
        expect(read.status, `${user} ${read.text}`).to.be.oneOf([403, 404]);
        const write = await platform.call(user, 'POST', path, { name: 'x' });
        expect(write.status, `${user} ${write.text}`).to.be.oneOf([403, 404]);
      }
    });
  });

  describe('lists', () => {
    before(async () => {
      await platform.createUser('lister', ['writers']);
      const shown = (await list('?count=0', 'lister')).json.result;
      for (const { name } of shown) expect((await remove(name, 'admin')).status).to.equal(200);
      await Promise.all(
        Array.from({ length: 35 }, (_, index) =>
          post(
            {
              name: `${index % 2 ? 'Item' : 'item'} ${String(index).padStart(2, '0')}`,
              type: 'PLATFORM',
              description: index === 7 ? 'the Seventh' : '',
              details: { url: URL },
            },
            'lister',
          ),
        ),
      );
    });
    const of = (reply: Reply) => reply.json.result.map((item: { name: string }) => item.name.toLowerCase());
    const items = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `item ${String(from + index).padStart(2, '0')}`);

    it('shows 30 unless told otherwise, by name without case', async () => {
      const reply = await list('', 'lister');
      expect(of(reply)).to.deep.equal(items(0, 30));
      expect(reply.json.pagination).to.deep.equal({
        offset: 0,
        count: 30,
        total: 35,
        returned: 30,
        has_more: true,
        next_offset: 30,
      });
      expect(reply.json).to.have.all.keys('status', 'message', 'result', 'pagination');
    });

    it('pages', async () => {
      const last = await list('?offset=30', 'lister');
      expect(of(last)).to.deep.equal(items(30, 35));
      expect(last.json.pagination).to.deep.equal({
        offset: 30,
        count: 30,
        total: 35,
        returned: 5,
        has_more: false,
        next_offset: null,
      });
      const all = await list('?count=0', 'lister');
      expect(of(all)).to.deep.equal(items(0, 35));
      expect(all.json.pagination).to.include({ count: 0, total: 35, returned: 35, has_more: false, next_offset: null });
      expect(of(await list('?count=2&offset=3', 'lister'))).to.deep.equal(items(3, 5));
      const exact = await list('?count=5&offset=30', 'lister');
      expect(exact.json.pagination).to.include({ has_more: false, next_offset: null });
      const beyond = await list('?offset=1000', 'lister');
      expect(beyond.json.pagination).to.include({ total: 35, returned: 0, has_more: false, next_offset: null });
      expect(of(await list('?count=0&offset=33', 'lister'))).to.deep.equal(items(33, 35));
    });

    it('sorts', async () => {
      expect(of(await list('?sort_dir=desc&count=0', 'lister'))).to.deep.equal(items(0, 35).reverse());
      const byTime = await list('?sort_key=created_at&sort_dir=desc&count=0', 'lister');
      const times = byTime.json.result.map((item: { created_at: number }) => item.created_at);
      expect(times).to.deep.equal([...times].sort((a, b) => b - a));
    });

    it('searches name and description without case', async () => {
      expect(of(await list('?search=SEVENTH', 'lister'))).to.deep.equal(['item 07']);
      const found = await list('?search=em%202&count=3', 'lister');
      expect(found.json.pagination).to.include({ total: 10, returned: 3, has_more: true, next_offset: 3 });
      expect((await list('?search=nothing-like-it', 'lister')).json.pagination.total).to.equal(0);
      expect((await list('?search=.*', 'lister')).json.pagination.total).to.equal(0);
    });

    it('counts only what the caller may read', async () => {
      expect((await list('?search=item', 'carl')).json.pagination.total).to.equal(0);
      expect((await list('?search=item&count=0', 'admin')).json.pagination.total).to.equal(35);
    });

    it('refuses bad values with the field', async () => {
      const bad: [string, string][] = [
        ['count=-1', 'count'],
        ['count=x', 'count'],
        ['count=1.5', 'count'],
        ['count=', 'count'],
        ['count=NaN', 'count'],
        ['count=Infinity', 'count'],
        ['count=99999999999999999999', 'count'],
        ['offset=-1', 'offset'],
        ['offset=abc', 'offset'],
        ['sort_key=details', 'sort_key'],
        ['sort_key=secret_ref', 'sort_key'],
        ['sort_key=__proto__', 'sort_key'],
        ['sort_key=', 'sort_key'],
        ['sort_dir=up', 'sort_dir'],
        ['sort_dir=ASC', 'sort_dir'],
        ['count=1&count=2', 'count'],
        ['name=a/b', 'name'],
        ['name=', 'name'],
      ];
      for (const [query, field] of bad) expectFields(await list(`?${query}`, 'lister'), [field]);
      expectFields(await list('?count=-1&offset=x&sort_dir=up', 'lister'), ['count', 'offset', 'sort_dir']);
    });
  });

  describe('in use', () => {
    const agent = (name: string, more: Record<string, unknown>) => ({ _key: name, name, ...more });
    const acl = (owner: string, sharing = 'user') => ({ owner, sharing, perms: { read: ['*'], write: [] } });

    it('refuses to delete what an agent names, unless forced', async () => {
      const { name } = await made();
      await platform.putDocument(
        'ml_agents',
        agent('mine', { acl: acl('anna'), mcps: [{ name: name.toUpperCase(), tools: [] }] }),
      );
      await platform.putDocument('ml_agents', agent('hidden', { acl: acl('bert'), mcps: [{ name }] }));
      await platform.putDocument('ml_agents', agent('other', { acl: acl('anna'), mcps: [{ name: 'conn' }] }));
      const reply = await remove(name);
      expectCode(reply, 409, 'in_use');
      expect(reply.json.used_by).to.deep.equal(['mine']);
      expect(reply.text).to.not.contain('hidden');
      expectCode(await remove(name, 'anna', '?force=false'), 409, 'in_use');
      expect((await get(name)).status).to.equal(200);
      expectFields(await remove(name, 'anna', '?force=maybe'), ['force']);
      expect((await remove(name, 'anna', '?force=true')).json.name).to.equal(name);
      expectCode(await get(name), 404, 'not_found');
      for (const key of ['mine', 'hidden', 'other']) await platform.removeDocument('ml_agents', key);
    });

    it('is in use even where no agent may be read', async () => {
      const { name } = await made();
      await platform.putDocument('ml_agents', agent('hidden', { acl: acl('bert'), mcps: [{ name }] }));
      const reply = await remove(name);
      expectCode(reply, 409, 'in_use');
      expect(reply.json.used_by).to.deep.equal([]);
      await platform.removeDocument('ml_agents', 'hidden');
      expect((await remove(name)).status).to.equal(200);
    });
  });

  describe('simultaneous writers', () => {
    it('lets one of 20 creates win; one secret is left', async () => {
      const before = await platform.secretRefs();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          post({ name: index % 2 ? 'Race' : 'race', type: 'PLATFORM', details: { url: URL, token: `racer-${index}` } }),
        ),
      );
      const codes = replies.map((reply) => reply.json.error_code ?? 'ok').sort();
      expect(codes).to.deep.equal([...Array(19).fill('duplicate_name'), 'ok']);
      expect((await platform.secretRefs()).length).to.equal(before.length + 1);
      expect((await get('race')).json.config.version).to.equal(1);
    });

    it('lets one of 20 updates of a version win', async () => {
      const { name } = await made();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) => put({ name, description: `w${index}`, version: 1 })),
      );
      const codes = replies.map((reply) => reply.json.error_code ?? 'ok').sort();
      expect(codes).to.deep.equal(['ok', ...Array(19).fill('version_conflict')]);
      expect((await get(name)).json.config.version).to.equal(2);
    });

    it('carries out 20 updates without a version one after the other', async () => {
      const { name } = await made();
      const before = await platform.secretRefs();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          put({ name, details: { token: `t${index}` }, description: `d${index}` }),
        ),
      );
      expect(replies.map((reply) => reply.status)).to.deep.equal(Array(20).fill(200));
      const versions = replies.map((reply) => reply.json.config.version).sort((a, b) => a - b);
      expect(versions).to.deep.equal(Array.from({ length: 20 }, (_, index) => index + 2));
      const last = replies.find((reply) => reply.json.config.version === 21);
      expect((await get(name)).json.config).to.deep.equal(last?.json.config);
      expect((await platform.secretRefs()).length).to.equal(before.length);
      expect(await platform.documents('ml_leases')).to.deep.equal([]);
      expect(await platform.documents('ml_journal')).to.deep.equal([]);
    });

    it('leaves nothing over when creates, updates and deletes meet', async () => {
      const before = await platform.secretRefs();
      const statuses: number[] = [];
      await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          for (let round = 0; round < 4; round += 1) {
            const token = `m${index}.${round}`;
            const created = await post({ name: 'melee', type: 'PLATFORM', details: { url: URL, token } });
            const updated = await put({ name: 'melee', details: { token: `${token}u` } });
            const removed = await remove('melee');
            statuses.push(created.status, updated.status, removed.status);
          }
        }),
      );
      expect([...new Set(statuses)].sort()).to.deep.equal([200, 404, 409]);
      await remove('melee');
      expect(await platform.secretRefs()).to.deep.equal(before);
      expect(await platform.documents('ml_journal')).to.deep.equal([]);
    });
  });
});
