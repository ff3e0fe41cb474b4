import { expect } from 'chai';
import { CERTIFICATE as cert } from '../../support/records/certificate.ts';
import { pastedForms } from '../../support/records/pasted.ts';
import { expectCode } from '../../support/replies.ts';
import { expectFields, expectOk, type Json, type McpCalls, URL } from './calls.ts';

export function fieldsTopic(mcp: McpCalls): void {
  const { post, put, made } = mcp;
  let names = 0;
  const create = (details: Json, type = 'PLATFORM') => {
    names += 1;
    return post({ name: `field ${names}`, type, details: { url: URL, ...details } });
  };

  it('refuses addresses that are not plain http(s), without quoting them', async () => {
    const bad = ['', ' ', 'x', '/mcp', 'mcp.example', '//mcp.example', 'ftp://mcp.example', 'file:///etc/passwd'];
    bad.push('https://', 'https:///x', 'http:mcp.example', 'mcp.example/mcp', 'javascript:alert(1)', 'ws://x/');
    bad.push('https://u@mcp.example/', 'https://u:p@mcp.example', 'https://@x/', 'https://user:pw@mcp.example/');
    bad.push('https://mcp.example\\@evil.example/', 'https://mcp.example/a b', 'https://mcp.example/ x');
    bad.push(' https://mcp.example', 'https://a\tb/', 'https://mcp.example/\n', 'https://mcp.example/\nx');
    bad.push('https://mcp.example:99999/', 'https://[::1', `https://mcp.example/${'x'.repeat(2048)}`);
    bad.push('https://mcp.example\u00a0/', 'https://mcp.example/\u0000');
    for (const url of bad) {
      for (const [field, reply] of [
        ['url', await create({ url })],
        ['token_url', await create({ token_url: url || 'x' }, 'ISSUE_TRACKER')],
      ] as const) {
        expectFields(reply, `details.${field}`);
        if (url.length > 8) expect(JSON.stringify(reply.json)).to.not.include(url);
      }
    }
    for (const url of [null, 3, {}, ['https://x/']]) expectFields(await create({ url }), 'details.url');
  });

  it('takes loopback, private and unusual but plain addresses', async () => {
    const good = ['http://127.0.0.1:8080/mcp', 'http://[::1]/mcp', 'HTTPS://MCP.Example', 'https://10.0.0.1/sse?x=1#y'];
    for (const url of good) expect((await create({ url })).json.config.details.url, url).to.equal(url);
  });

  it('takes kinds that the server may get, and removes them with null', async () => {
    const { config } = (await create({ unmask_kinds: ['host', 'ipv4', 'field'] })).json;
    expect(config.details.unmask_kinds).to.deep.equal(['host', 'ipv4', 'field']);
    const change = async (unmask_kinds: unknown) => (await put({ name: config.name, details: { unmask_kinds } })).json;
    expect((await change(['user'])).config.details.unmask_kinds).to.deep.equal(['user']);
    expect((await change([])).config.details.unmask_kinds).to.deep.equal([]);
    expect((await change(null)).config.details).to.not.have.property('unmask_kinds');
  });

  it('refuses secret and unknown kinds for the server', async () => {
    for (const kind of ['pem', 'jwt', 'key', 'url_secret', 'password', 'hosts', '', 7]) {
      expectFields(await create({ unmask_kinds: ['host', kind] }), 'details.unmask_kinds.1');
    }
    expectFields(await create({ unmask_kinds: 'host' }), 'details.unmask_kinds');
  });

  it('takes one or more PEM certificates and nothing else', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'canary+key/'.repeat(5)}\n-----END PRIVATE KEY-----\n`;
    const forms = pastedForms(cert).map(([, text]) => text);
    for (const ca of [cert, `${cert}\n${cert}`, `${cert}trailing`, ...forms]) {
      expect((await create({ ca_certificate: ca })).json.config.details.ca_certificate, ca).to.equal(cert);
    }
    const empty = '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----';
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    const bad = [
      'x',
      key,
      `${cert}${key}`,
      `${cert}${cert.slice(0, 200)}`,
      cert.replace('MII', 'XXX'),
      cert.slice(0, 200),
    ];
    for (const ca of [...bad, empty, broken, '/etc/ssl/cert.pem', 7]) {
      const reply = await create({ ca_certificate: ca });
      expectFields(reply, 'details.ca_certificate');
      expect(JSON.stringify(reply.json)).to.not.contain('canary');
    }
  });

  it('refuses fields of an issue tracker on a PLATFORM connection', async () => {
    const only = { client_id: 'a', client_secret: 'b', refresh_token: 'c', is_auto_refresh_enabled: true };
    const all = { ...only, token_url: 'https://auth.example/', scope: 'read' };
    for (const [field, value] of Object.entries(all)) {
      expectFields(await create({ [field]: value }), `details.${field}`);
      const { name } = await made();
      expectFields(await put({ name, details: { [field]: value } }), `details.${field}`);
    }
    expectFields(await create(all), ...Object.keys(all).map((field) => `details.${field}`));
    // False and empty say that there is none.
    expectOk(await create({ client_id: '', client_secret: null, refresh_token: '', token_url: null, scope: '' }));
  });

  it('asks for client and refresh token, but no client secret, where tokens are refreshed', async () => {
    const auto = { is_auto_refresh_enabled: true };
    expectFields(await create(auto, 'ISSUE_TRACKER'), 'details.client_id', 'details.refresh_token');
    for (const more of [{}, { refresh_token: '' }]) {
      expectFields(await create({ ...auto, client_id: 'c', ...more }, 'ISSUE_TRACKER'), 'details.refresh_token');
    }
    const reply = await create({ ...auto, client_id: 'c', refresh_token: 'r' }, 'ISSUE_TRACKER');
    expectOk(reply);
    const { name } = reply.json.config;
    expectFields(await put({ name, details: { refresh_token: '' } }), 'details.refresh_token');
    expectFields(await put({ name, details: { client_id: null } }), 'details.client_id');
    expectOk(await put({ name, details: { refresh_token: '', is_auto_refresh_enabled: false } }));
  });

  it('refuses headers that are not the caller’s to set, and those that are none', async () => {
    const reserved = ['Authorization', 'authorization', 'Connection', 'connection', 'Keep-Alive', 'TE', 'Trailer'];
    reserved.push('Transfer-Encoding', 'Upgrade', 'Proxy-Authorization', 'Host', 'Content-Length');
    for (const name of [...reserved, 'a b', 'a:', 'a:b', 'ä', 'a\nb', '', '*']) {
      const reply = await create({ headers: { [name]: 'canary-value' } });
      expectFields(reply, `details.headers.${name}`);
      expect(JSON.stringify(reply.json)).to.not.include('canary-value');
    }
    const longest = 'X'.repeat(128);
    expectFields(await create({ headers: { [`${longest}X`]: 'canary-value' } }), `details.headers.${longest}…`);
    expectOk(await create({ headers: { [longest]: 'canary-value' } }));
    expectCode(await create({ headers: { 'X-A': '1', 'x-a': '2' } }), 400, 'validation_failed');
    const proto = `{"name":"x","type":"PLATFORM","details":{"url":"${URL}","headers":{"__proto__":"x"}}}`;
    expectCode(await post(proto), 400, 'validation_failed');
  });

  it('refuses values that no header can carry', async () => {
    for (const value of ['a\nb', 'a\r\nX: y', 'a\u0000', '名']) {
      expectFields(await create({ headers: { 'X-Key': value } }), 'details.headers.X-Key');
      expectFields(await create({ token: `x${value}` }), 'details.token');
    }
    expectFields(await create({ headers: { 'X-Key': 7 } }), 'details.headers.X-Key');
  });
}
