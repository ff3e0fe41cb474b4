import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { version } from '../../src/contract/version.ts';
import { project } from '../support/e2e/build.ts';
import { ADMIN_PASSWORD, TestPlatform } from '../support/e2e/platform.ts';

const run = promisify(execFile);

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

describe('examples of the typed client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ml-examples-'));
  let platform: TestPlatform;

  before(async () => {
    platform = await new TestPlatform().start();
    // As somebody has them who installed the package.
    await run('npm', ['pack', join(project, 'client'), '--silent'], { cwd: folder });
    cpSync(join(project, 'client/examples'), folder, { recursive: true });
    await run('npm', ['init', '-y'], { cwd: folder });
    await run('npm', ['pkg', 'set', 'type=module'], { cwd: folder });
    const options = ['--silent', '--no-audit', '--no-fund', '--offline'];
    await run('npm', ['install', ...options, `./ml-extension-client-${version}.tgz`], { cwd: folder });
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await platform?.dispose();
  });

  const example = async (file: string, ...args: string[]): Promise<Ended> => {
    const env = {
      ...process.env,
      ML_URL: platform.url,
      ML_PASSWORD: ADMIN_PASSWORD,
      NODE_EXTRA_CA_CERTS: join(platform.home, 'etc/auth/server.pem'),
    };
    return run(process.execPath, [join(folder, file), ...args], { cwd: folder, env }).then(
      (done) => ({ code: 0, ...done }),
      (error: Ended) => error,
    );
  };
  const connect = async (name: string, url: string) => {
    const body = { name, type: 'PLATFORM', details: { url } };
    expect((await platform.ml('admin', 'POST', '/mcp_connection', body)).status).to.equal(200);
  };

  it('compile, and say how they are run', async () => {
    const files = globSync('*.ts', { cwd: folder });
    expect(files).to.have.length.of.at.least(3);
    const types = ['--typeRoots', join(project, 'node_modules/@types'), '--types', 'node'];
    const settings = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', ...types];
    await run(join(project, 'node_modules/.bin/tsc'), [...settings, ...files], { cwd: folder });
    for (const file of files) expect(readFileSync(join(folder, file), 'utf8')).to.include(`node ${basename(file)}`);
  });

  it('inventory: every page of every list', async () => {
    for (let n = 0; n < 60; n++) await connect(`listed ${n}`, 'https://mcp.example.invalid/mcp');
    const { code, stdout, stderr } = await example('inventory.ts');
    expect(code, stderr).to.equal(0);
    const lines = stdout.trim().split('\n');
    expect(lines).to.have.length(60);
    expect(lines).to.include('MCP\tlisted 7\tnever');
    for (let n = 0; n < 60; n++) await platform.ml('admin', 'DELETE', `/mcp_connection/listed%20${n}`);
  });

  it('checkConnections: the reason, and an exit code for a scheduler', async () => {
    expect(await example('checkConnections.ts')).to.include({ code: 0, stdout: '' });
    await connect('gone', 'https://mcp.example.invalid/mcp');
    const { code, stdout } = await example('checkConnections.ts');
    expect([code, stdout.split(':').slice(0, 2)]).to.deep.equal([1, ['gone', ' dns_failed']]);
    await platform.ml('admin', 'DELETE', '/mcp_connection/gone');
  });

  it('changeDescription: nothing is lost when several change one record at a time', async () => {
    await connect('shared', 'https://mcp.example.invalid/mcp');
    const all = await Promise.all(
      ['one', 'two', 'three'].map((word) => example('changeDescription.ts', 'shared', word)),
    );
    expect(all.map(({ code, stderr }) => [code, stderr])).to.deep.equal(Array(3).fill([0, '']));
    const { config } = (await platform.ml('admin', 'GET', '/mcp_connection/shared')).json;
    expect([config.version, config.description.split(' ').sort()]).to.deep.equal([4, ['one', 'three', 'two']]);
  });
});
