import { expect } from 'chai';
import { type Reply, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { readBody, startHttp } from '../support/peers/listen.ts';
import { startModern } from '../support/peers/mcp/modern.ts';

/** Contract 1.6: secrets stand in the password storage and nowhere else. */
describe('secrets leave no trace', () => {
  let platform: TestPlatform;
  const canaries: string[] = [];
  const replies: { text: string }[] = [];
  const open: { close(): Promise<void> }[] = [];

  before(async () => {
    platform = await startPlatform();
    await platform.createUser('anna', ['ml_admin']);
  });
  after(async () => {
    await Promise.all(open.map((one) => one.close()));
    await platform.dispose();
  });

  function canary(what: string): string {
    const text = `cAnArY${what}${canaries.length}x${Math.random().toString(36).slice(2)}Zq`;
    canaries.push(text);
    return text;
  }

  async function call(method: string, path: string, body?: string | object): Promise<Reply> {
    const reply = await platform.ml('anna', method, path, body);
    replies.push({ text: `${method} ${path} ${JSON.stringify(reply.headers)} ${reply.text}` });
    return reply;
  }

  const tracker = (url: string) => ({
    url,
    token: canary('token'),
    client_id: 'client',
    client_secret: canary('clientsecret'),
    refresh_token: canary('refresh'),
    headers: { 'X-Api-Key': canary('header'), 'X-Other': canary('other') },
  });

  it('every write path, successful and failed', async () => {
    const url = 'https://mcp.example/mcp';
    const made = await call('POST', '/mcp_connection', { name: 'one', type: 'ISSUE_TRACKER', details: tracker(url) });
    expect(made.status, made.text).to.equal(200);
    const steps: [string, number, string, object][] = [
      ['update', 200, 'PUT', { name: 'one', details: tracker(url) }],
      ['duplicate', 409, 'POST', { name: 'ONE', type: 'ISSUE_TRACKER', details: tracker(url) }],
      ['wrong version', 409, 'PUT', { name: 'one', version: 99, details: tracker(url) }],
      ['unknown record', 404, 'PUT', { name: 'two', details: tracker(url) }],
      ['wrong type', 400, 'PUT', { name: 'one', type: 'PLATFORM', details: tracker(url) }],
      ['wrong fields', 400, 'POST', { name: 'two', type: 'PLATFORM', details: tracker(url) }],
      ['bad name', 400, 'POST', { name: canary('name/'), type: 'ISSUE_TRACKER', details: tracker(url) }],
      [
        'bad url',
        400,
        'POST',
        { name: 'two', type: 'ISSUE_TRACKER', details: tracker(`https://u:${canary('pw')}@x.y/`) },
      ],
      ['bad token url', 400, 'PUT', { name: 'one', details: { token_url: `https://${canary('user')}@x.y/` } }],
      ['unsendable token', 400, 'PUT', { name: 'one', details: { token: `${canary('line')}\nx` } }],
      ['unsendable header', 400, 'PUT', { name: 'one', details: { headers: { 'X-A': `${canary('hl')}\u0000` } } }],
      ['token of a wrong type', 400, 'PUT', { name: 'one', details: { token: [canary('list')] } }],
      ['key as certificate', 400, 'PUT', { name: 'one', details: { ca_certificate: canary('pem') } }],
      ['another host', 400, 'PUT', { name: 'one', details: { url: 'https://evil.example', token: canary('moved') } }],
      [
        'foreign ACL',
        403,
        'POST',
        { name: 'two', type: 'ISSUE_TRACKER', details: tracker(url), acl: { owner: 'bob' } },
      ],
      [
        'unknown field',
        200,
        'PUT',
        { name: 'one', password: canary('unknown'), details: { api_key: canary('unknown') } },
      ],
    ];
    for (const [what, status, method, body] of steps) {
      expect((await call(method, '/mcp_connection', body)).status, what).to.equal(status);
    }
    const text = JSON.stringify({ name: 'one', details: tracker(url) });
    for (const bad of [
      text.slice(0, -1),
      `${text}${text}`,
      `[${text}]`,
      JSON.stringify(text),
      text.replaceAll('"', "'"),
    ]) {
      for (const [method, path] of [
        ['POST', '/mcp_connection'],
        ['PUT', '/mcp_connection'],
        ['POST', '/mcp_connection/test'],
        ['POST', '/mcp_connection/tools'],
      ] as const) {
        expect((await call(method, path, bad)).status).to.equal(400);
      }
    }
    await platform.setFlag('mcp_connections', '0');
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect((await call('PUT', '/mcp_connection', { name: 'one', details: tracker(url) })).status).to.equal(403);
    await platform.setFlag('mcp_connections', '1');
    await new Promise((resolve) => setTimeout(resolve, 2500));
    for (const fault of ['kvstore', 'passwords'] as const) {
      for (const mode of ['down', 'read_only']) {
        await platform.faults({ [fault]: mode });
        expect((await call('PUT', '/mcp_connection', { name: 'one', details: tracker(url) })).status).to.equal(503);
        expect(
          (await call('POST', '/mcp_connection', { name: 'two', type: 'ISSUE_TRACKER', details: tracker(url) })).status,
        ).to.equal(503);
        await platform.faults({ [fault]: 'ok' });
      }
    }
  });

  it('servers that echo the request', async () => {
    const echo = async (status: number, headers: Record<string, string> = {}) => {
      const peer = await startHttp(async (request, response) => {
        const body = await readBody(request).catch(() => '');
        const sent = JSON.stringify(request.headers);
        const authorization = String(request.headers.authorization);
        response.writeHead(status, { ...headers, 'www-authenticate': `Bearer error_description="${authorization}"` });
        response.end(
          `<html>${sent} ${body} ${encodeURIComponent(sent)} ${Buffer.from(authorization.slice(7)).toString('base64')} ${request.url}`,
        );
      });
      open.push(peer);
      return peer.url;
    };
    const places = [
      await echo(200),
      await echo(400),
      await echo(401),
      await echo(403),
      await echo(404),
      await echo(500),
    ];
    places.push(await echo(500, { 'content-type': 'application/json' }), await echo(429, { 'retry-after': '1' }));
    places.push(await echo(302, { location: 'http://127.0.0.1:1/?token=x' }));
    for (const [index, url] of places.entries()) {
      const name = `echo ${index}`;
      const details = {
        ...tracker(`${url}/mcp?key=${canary('query')}`),
        token_url: `${url}/token`,
        is_auto_refresh_enabled: true,
      };
      // The query of an address is no secret of the record, but is not shown by a test (contract 2).
      const query = canaries.splice(
        canaries.findIndex((text) => details.url.includes(text)),
        1,
      )[0] as string;
      const made = await platform.ml('anna', 'POST', '/mcp_connection', { name, type: 'ISSUE_TRACKER', details });
      expect(made.status, made.text).to.equal(200);
      for (const action of ['test', 'tools']) {
        const saved = await call('POST', `/mcp_connection/${action}`, { name });
        const inline = await call('POST', `/mcp_connection/${action}`, {
          type: 'ISSUE_TRACKER',
          details: { ...tracker(url), is_auto_refresh_enabled: false },
        });
        for (const reply of [saved, inline]) {
          expect(reply.json.success, reply.text).to.equal(false);
          expect(reply.text).to.not.contain(query);
        }
      }
    }
  });

  it('a server that works', async () => {
    const server = await startModern();
    open.push(server);
    const name = 'works';
    const details = { url: server.url, token: canary('works'), headers: { 'X-Api-Key': canary('worksheader') } };
    expect((await call('POST', '/mcp_connection', { name, type: 'PLATFORM', details })).status).to.equal(200);
    for (const action of ['test', 'tools']) {
      expect((await call('POST', `/mcp_connection/${action}`, { name })).json.success).to.equal(true);
    }
    expect(server.seen.at(-1)?.headers.authorization).to.equal(`Bearer ${details.token}`);
  });

  it('reads, deletes, then: no canary in any reply, record, log or file', async () => {
    await call('GET', '/mcp_connection?count=0');
    await call('GET', '/mcp_connection/one');
    await call('GET', '/mcp_connection?name=one');
    const documents = await Promise.all(
      ['ml_mcp_connections', 'ml_mcp_listings', 'ml_leases', 'ml_journal', 'ml_audit'].map((name) =>
        platform.documents(name),
      ),
    );
    expect(documents[0]?.length).to.be.greaterThan(5);
    expect(canaries.length).to.be.greaterThan(150);
    const found = (text: string) => canaries.filter((one) => text.includes(one));
    for (const { text } of replies) expect(found(text), text.slice(0, 300)).to.deep.equal([]);
    expect(found(JSON.stringify(documents)), 'records').to.deep.equal([]);
    expect(found(platform.log()), 'splunkd.log').to.deep.equal([]);
    expect(found(platform.output), 'stdout and stderr').to.deep.equal([]);
    expect(platform.filesWith(canaries), 'files').to.deep.equal([]);
    expect((await call('DELETE', '/mcp_connection/one')).status).to.equal(200);
    await platform.restart();
    expect(platform.filesWith(canaries), 'files after a restart').to.deep.equal([]);
  });

  it('this scan finds a secret that is there', async () => {
    const text = canary('shown');
    const body = { name: 'shown', type: 'PLATFORM', description: text, details: { url: 'https://mcp.example/' } };
    expect((await platform.ml('anna', 'POST', '/mcp_connection', body)).status).to.equal(200);
    expect(platform.filesWith([text])).to.not.deep.equal([]);
  });
});
