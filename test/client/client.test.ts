import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { extract } from 'tar';
import { type ClientOptions, operations } from '../../client/src/index.ts';
import { version } from '../../src/contract/version.ts';
import { table } from '../../src/table.ts';
import { ADMIN_PASSWORD, TestPlatform } from '../support/e2e/platform.ts';

const run = promisify(execFile);
const project = join(import.meta.dirname, '../..');

/** What a user does who trusts the platform's own certificate: a fetch of their own. */
const trusting: typeof fetch = (input, init) =>
  new Promise((resolve, reject) => {
    const headers = init?.headers as Record<string, string>;
    const options = { method: init?.method ?? 'GET', headers, rejectUnauthorized: false };
    const call = request(String(input), options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 0 })));
    });
    call.on('error', reject);
    call.end(init?.body as string | undefined);
  });

describe('typed client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ml-client-'));
  let platform: TestPlatform;
  let packed: typeof import('../../client/src/index.ts');
  let options: ClientOptions;

  before(async () => {
    platform = await new TestPlatform().start();
    options = { baseUrl: platform.url, auth: { username: 'admin', password: ADMIN_PASSWORD }, fetch: trusting };
    // As a user gets it: packed, unpacked, and imported from there.
    await run('npm', ['pack', '--pack-destination', folder], { cwd: join(project, 'client') });
    await extract({ file: join(folder, `ml-extension-client-${version}.tgz`), cwd: folder });
    packed = await import(pathToFileURL(join(folder, 'package/dist/index.js')).href);
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await platform?.dispose();
  });

  it('has the version of the app and every operation of the table', () => {
    const manifest = JSON.parse(readFileSync(join(project, 'client/package.json'), 'utf8'));
    expect(manifest.version).to.equal(version);
    expect(Object.keys(operations).sort()).to.deep.equal(table.map((row) => row.id).sort());
  });

  it('creates, reads, changes under a condition and deletes', async () => {
    const ml = new packed.MlExtension(options);
    const created = await ml.call('createMcpConnection', {
      body: { name: 'from the client', type: 'PLATFORM', details: { url: 'https://mcp.example.com/mcp', token: 't' } },
    });
    expect(created.config.details.token).to.equal('***MASKED***');
    const page = await ml.call('listMcpConnections', { query: { search: 'THE CLIENT' } });
    expect(page.result?.map((one) => one.name)).to.deep.equal(['from the client']);
    const changed = await ml.call('updateMcpConnection', {
      body: { name: 'from the client', description: 'x' },
      ifMatch: 1,
    });
    expect(changed.config.version).to.equal(2);
    const gone = await ml.call('deleteMcpConnection', { params: { name: 'from the client' } });
    expect(gone.name).to.equal('from the client');
    expect((await ml.call('getHealth')).version).to.equal(version);
  });

  it('throws the failure with its code, fields and request id', async () => {
    const ml = new packed.MlExtension(options);
    const failure = await ml
      .call('createMcpConnection', { body: { name: '', type: 'PLATFORM', details: { url: 'ftp://x' } } })
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(packed.MlExtensionError);
    const { status, code, errors, requestId } = failure as InstanceType<typeof packed.MlExtensionError>;
    expect([status, code, errors[0]?.field]).to.deep.equal([400, 'validation_failed', 'name']);
    expect(requestId).to.match(/^[0-9a-f-]{36}$/);
  });

  it("passes on the platform's own refusal", async () => {
    const ml = new packed.MlExtension({ ...options, auth: { sessionKey: 'no such key' } });
    const failure = await ml.call('getHealth').catch((error: unknown) => error);
    expect(failure).to.include({ status: 401, code: undefined, message: 'call not properly authenticated' });
  });
});
