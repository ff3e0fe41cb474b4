import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { connectionCheckSuite } from '../../suites/connectionChecks.ts';
import { connectionHealthSuite } from '../../suites/connectionHealth.ts';
import { ADMIN_PASSWORD, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { makeCertificate } from '../../support/peers/certificates.ts';
import { type Peer, readBody, startHttp } from '../../support/peers/listen.ts';
import { startModern } from '../../support/peers/mcp/modern.ts';
import { patience } from '../../support/time.ts';
import { overHttp } from '../../support/worlds/overHttp.ts';
import { searched } from '../agents/agentSupport.ts';

const TOKEN = 'canary-token-of-e2e-77aa';
const EVERYONE = { sharing: 'app', perms: { read: ['*'], write: [] } };

/** The public JavaScript SDK, as far as it is used here. */
interface Sdk {
  Service: new (options: object) => SdkService;
  Logger: { setLevel(level: string): void };
}
interface SdkService {
  login(): Promise<unknown>;
  savedSearches(): { fetch(): Promise<{ list(): { name: string; properties(): Saved }[] }> };
  oneshotSearch(search: string, options: object): Promise<{ results: Record<string, unknown>[] }>;
}
interface Saved {
  search: string;
  cron_schedule: string;
  description: string;
  disabled: boolean;
  is_scheduled: boolean;
}

async function sdkService(url: string): Promise<SdkService> {
  const { Service, Logger } = createRequire(import.meta.url)('splunk-sdk') as Sdk;
  Logger.setLevel('NONE');
  const { hostname, port, protocol } = new URL(url);
  const at = { scheme: protocol.replace(':', ''), host: hostname, port, app: 'ml_extension', owner: 'admin' };
  const service = new Service({ ...at, username: 'admin', password: ADMIN_PASSWORD, version: 'default' });
  await service.login();
  return service;
}

describe('connection health over HTTP', () => connectionHealthSuite(overHttp));

describe('checks of connections over HTTP', () => connectionCheckSuite(overHttp));

describe('connection health, as installed', () => {
  let platform: TestPlatform;
  let server: Peer;

  before(async () => {
    platform = await startPlatform();
    server = await startModern();
    await platform.createUser('anna', ['ml_admin']);
    await platform.createUser('carl', ['user']);
  });
  after(async () => {
    await platform.dispose();
    await server.close();
  });
  beforeEach(async () => {
    for (const collection of ['ml_mcp_connections', 'ml_container_connections'])
      await platform.removeDocuments(collection);
  });

  const mcp = async (name: string, url: string, details: object = {}, acl: object = EVERYONE) => {
    const body = { name, type: 'PLATFORM', details: { url, token: TOKEN, ...details }, acl };
    const reply = await platform.ml('anna', 'POST', '/mcp_connection', body);
    expect(reply.status, reply.text).to.equal(200);
  };

  describe('| mlhealth', () => {
    it('lists failures for an alert, with the rights of the searching user', async () => {
      await mcp('good', server.url);
      await mcp('gone', 'http://127.0.0.1:1/mcp');
      await mcp('private', 'http://127.0.0.1:1/mcp', {}, { sharing: 'user' });
      const looked = await searched(platform, 'carl', '| mlhealth');
      expect(looked.rows.map(({ name, state }) => [name, state])).to.deep.equal([
        ['gone', 'untested'],
        ['good', 'untested'],
      ]);
      const found = await searched(
        platform,
        'anna',
        '| mlhealth check=true | where state="failing" OR state="reauth_required"',
      );
      expect(found.rows.map(({ name }) => name)).to.deep.equal(['gone', 'private']);
      expect(found.rows[0]).to.include({
        family: 'mcp-connections',
        error_code: 'connection_refused',
        last_test_status: 'fail',
        checked: '1',
      });
      expect(JSON.stringify(found.rows)).to.not.contain(TOKEN);
    });

    it('the public JavaScript SDK runs the saved searches that the app ships, which are off', async () => {
      const end = (days: number) => new Date(Date.now() + days * 86_400_000);
      const { cert } = makeCertificate({ ca: true, notAfter: end(3) });
      const { cert: later } = makeCertificate({ ca: true, notAfter: end(20) });
      await mcp('soon', 'https://127.0.0.1:1/mcp', { ca_certificate: cert });
      await mcp('later', 'https://127.0.0.1:1/mcp', { ca_certificate: later });
      const service = await sdkService(platform.url);
      const saved = (await service.savedSearches().fetch()).list();
      const ours = saved.map((one) => ({ name: one.name, ...one.properties() }));
      const told = ours.map(({ name, disabled, is_scheduled }) => [name, disabled, is_scheduled]);
      expect(told).to.deep.equal([
        ['ML connections that fail', true, true],
        ['ML credentials that expire within 14 days', true, true],
        ['ML failures by code', true, true],
        ['ML runs that failed or hold unverified claims', true, true],
        ['ML runs that wait for approval', true, true],
        ['ML slowest upstreams', true, true],
        ['ML tokens and cost by user and model a day', true, true],
      ]);
      const rows: Record<string, string[]> = {};
      for (const { name, search, cron_schedule, description } of ours) {
        expect(cron_schedule, name).to.match(/^(\S+ ){4}\S+$/);
        expect(description, name).to.match(/\w+ .*\.$/);
        // Tests of the gateway look at the searches for events.
        if (search.startsWith('index=')) continue;
        const { results } = await service.oneshotSearch(search, { count: 0, output_mode: 'json' });
        rows[name] = results.map((row) => String(row.name));
      }
      expect(rows).to.deep.equal({
        'ML connections that fail': ['later', 'soon'],
        'ML credentials that expire within 14 days': ['soon'],
      });
    });
  });

  it('200 connections of which 20 hang: a reply within 25 s, with the others right', async () => {
    let running = 0;
    let most = 0;
    const peer = await startHttp(async (request, response) => {
      running += 1;
      most = Math.max(most, running);
      response.once('close', () => {
        running -= 1;
      });
      const text = await readBody(request).catch(() => '');
      if (request.url?.startsWith('/hang')) return;
      const { id, method } = (text === '' ? {} : JSON.parse(text)) as { id?: number; method?: string };
      if (request.url?.startsWith('/bad')) response.writeHead(403).end();
      else if (id === undefined) response.writeHead(202).end();
      else {
        const result =
          method === 'initialize'
            ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'p', version: '1' } }
            : { tools: [] };
        const error = { code: -32601, message: 'Method not found' };
        const known = method === 'initialize' || method === 'tools/list' || method === 'ping';
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(known ? { result } : { error }) }));
      }
    });
    try {
      await mcp('template', `${peer.url}/ok/mcp`, { token: '' });
      const [template] = await platform.documents('ml_mcp_connections');
      const kindOf = (n: number) => (n % 10 === 0 ? 'hang' : n % 10 === 1 ? 'bad' : 'ok');
      const docs = Array.from({ length: 200 }, (_, n) => ({
        ...template,
        ...{ _key: `c${n}`, name: `c${n}` },
        details: { ...(template?.details as object), url: `${peer.url}/${kindOf(n)}/mcp` },
      }));
      await platform.removeDocuments('ml_mcp_connections');
      await platform.putDocuments('ml_mcp_connections', docs);
      const began = performance.now();
      const reply = await platform.ml('anna', 'POST', '/connection_health/check', {});
      const tookMs = performance.now() - began;
      expect(reply.status, reply.text).to.equal(200);
      expect(tookMs).to.be.below(Math.max(25_000, patience(25_000)));
      const rows: { name: string; state: string; checked: boolean; error_code?: string }[] = reply.json.result;
      expect(rows).to.have.length(200);
      const wrong = rows.filter(({ name, state, checked, error_code }) => {
        const kind = kindOf(Number(name.slice(1)));
        if (kind !== 'hang' && !checked) return state !== 'untested';
        if (kind === 'ok') return state !== 'ok';
        if (kind === 'bad') return !(state === 'failing' && error_code === 'permission_denied');
        return !(checked ? state === 'failing' && error_code === 'timeout' : state === 'untested');
      });
      // The peer lives in this process, which other test files keep from running for seconds: to whom it was silent for the whole
      // of a calm look, it was silent.
      const late = wrong.filter(
        ({ name, error_code }) => kindOf(Number(name.slice(1))) === 'ok' && error_code === 'timeout',
      );
      expect(wrong.filter((row) => !late.includes(row))).to.deep.equal([]);
      expect(late.length, 'of 180 that answer, those that were called silent').to.be.at.most(2);
      // A machine with much else to do keeps some waiting for so long that they look silent at first; alone it reaches all.
      const unreached = rows.filter(({ name, checked }) => kindOf(Number(name.slice(1))) !== 'hang' && !checked);
      expect(unreached.length, 'of 180 that answer, those that were not reached').to.be.at.most(90);
      expect(most, 'requests at a time').to.be.at.most(16);
      const hanging = rows.filter(({ error_code }) => error_code === 'timeout').length;
      process.stdout.write(
        `      ${Math.round(tookMs)} ms, ${hanging} of 20 judged, at most ${most} requests at a time\n`,
      );
    } finally {
      await peer.close();
    }
  });

  it('reads certificates in files at each check, and skips one that is gone', async () => {
    const file = join(platform.home, 'etc/auth/engine-ca.pem');
    const renew = (days: number) =>
      writeFileSync(file, makeCertificate({ ca: true, notAfter: new Date(Date.now() + days * 86_400_000) }).cert);
    renew(3);
    const engine = { container_type: 'docker', connection_name: 'lab', docker_url: 'tcp://127.0.0.1:2376' };
    const saved = await platform.ml('anna', 'POST', '/container_connection', {
      payload: { ...engine, cluster_ca: 'engine-ca.pem' },
    });
    expect(saved.status, saved.text).to.equal(200);
    const row = async () =>
      (await platform.ml('anna', 'GET', '/connection_health?family=container-connections')).json.result[0];
    expect(await row())
      .to.include({ state: 'expiring' })
      .and.have.property('expires_at');
    renew(300);
    expect(await row())
      .to.include({ state: 'untested' })
      .and.have.property('expires_at');
    rmSync(file);
    expect(await row())
      .to.include({ state: 'untested' })
      .and.not.have.property('expires_at');
  });
});
