import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { expect } from 'chai';
import { build } from 'esbuild';
import { operations } from '../../client/src/index.ts';
import { version } from '../../src/contract/version.ts';
import { table } from '../../src/table.ts';
import { readPage } from '../docs/markdown.ts';
import { connectCloud } from '../support/e2e/agentCloud.ts';
import { project } from '../support/e2e/build.ts';
import { ADMIN_PASSWORD, TestPlatform } from '../support/e2e/platform.ts';
import { AgentCorePeer } from '../support/peers/aws/agentCore.ts';
import { SplunkWeb } from './splunkWeb.ts';

const run = promisify(execFile);

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

describe('package of the typed client: examples and README', () => {
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

  const { blocks } = readPage('client/README.md');
  const texts = (language: string) => blocks.filter((block) => block.language === language).map(({ text }) => text);
  /** The blocks of the README are one program, as somebody would type it who reads on. */
  const readme = () =>
    texts('ts').join('\n').replace('https://localhost:8089', platform.url).replace('changeme1', ADMIN_PASSWORD);

  it('compile strictly, with the declarations of the package, whichever way modules are found', async () => {
    const files = globSync('*.ts', { cwd: folder });
    expect(files).to.have.length.of.at.least(4);
    for (const file of files) expect(readFileSync(join(folder, file), 'utf8')).to.include(`node ${basename(file)}`);
    writeFileSync(join(folder, 'readme.ts'), readme());
    const types = ['--typeRoots', join(project, 'node_modules/@types'), '--types', 'node'];
    const strict = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noUncheckedIndexedAccess',
      '--skipLibCheck',
      'false',
    ];
    const settings = ['--ignoreConfig', '--noEmit', '--target', 'es2024', ...strict, ...types];
    const compile = (...how: string[]) =>
      run(join(project, 'node_modules/.bin/tsc'), [...settings, ...how, ...files, 'readme.ts'], { cwd: folder });
    // Projects for Node alone know nothing of pages.
    const ways = [
      compile('--module', 'nodenext', '--lib', 'es2024'),
      compile('--module', 'esnext', '--moduleResolution', 'bundler'),
    ];
    for (const end of await Promise.allSettled(ways))
      expect(end.status === 'rejected' ? end.reason.stdout : '').to.equal('');
  });

  it('plain JavaScript imports the package, which needs no other', async () => {
    const script = "import * as all from 'ml-extension-client'; console.log(Object.keys(all).join());";
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
    expect(stdout.trim().split(',')).to.have.members([
      'MlExtension',
      'MlExtensionError',
      'TransportError',
      'followAgent',
      'followContainer',
      'followLog',
      'isFailure',
      'operations',
    ]);
    expect(globSync('node_modules/*', { cwd: folder })).to.deep.equal(['node_modules/ml-extension-client']);
    const packed = globSync('node_modules/ml-extension-client/**/*.*', { cwd: folder });
    expect(
      packed.filter(
        (file) =>
          !/\/(dist\/(cli\/(doctor\/)?)?\w+(\.d)?\.[jt]s|examples\/\w+\.ts|package\.json|README\.md)$/.test(file),
      ),
    ).to.deep.equal([]);
  });

  it('has the version of the app and every operation of the table', () => {
    const manifest = JSON.parse(readFileSync(join(project, 'client/package.json'), 'utf8'));
    expect(manifest.version).to.equal(version);
    expect(Object.keys(operations).sort()).to.deep.equal(table.map((row) => row.id).sort());
  });

  it('the command mlx is installed with it', async () => {
    const { stdout } = await run(join(folder, 'node_modules/.bin/mlx'), ['--version']);
    expect(stdout.trim()).to.equal(version);
  });

  it('the README does what it shows, in Node and in a page', async () => {
    expect(new Set(blocks.map(({ language }) => language))).to.deep.equal(new Set(['ts', 'js', 'text']));
    const paragraphs = texts('text');
    const cloud = await AgentCorePeer.start();
    const web = await SplunkWeb.start(platform);
    try {
      await connectCloud(platform, cloud.url);
      writeFileSync(join(folder, 'readme.ts'), readme());
      const { code, stdout, stderr } = await example('readme.ts');
      expect([code, stdout.trim()], stderr).to.deep.equal([0, paragraphs.slice(0, -1).join('\n')]);
      expect(await inPage(web, texts('js').join('\n'))).to.equal(paragraphs.at(-1));
    } finally {
      await web.peer[Symbol.asyncDispose]();
      await platform.ml('admin', 'DELETE', '/mcp_connection/Docs');
      await platform.ml('admin', 'DELETE', '/agents/triage');
      await cloud.stop();
    }
  });

  /** What a script prints in a page of Splunk Web that bundles the package. */
  async function inPage(web: SplunkWeb, contents: string): Promise<string> {
    const wrapped = `${contents.replace(/^(import .*;)$/m, '$1\nglobalThis.ended = (async () => {')}\n})();`;
    const { outputFiles } = await build({
      stdin: { contents: wrapped, resolveDir: folder },
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
    });
    const lines: string[] = [];
    const console = { log: (...words: unknown[]) => lines.push(words.join(' ')) };
    const page = createContext({ ...web.page(() => 'splunkweb_csrf_token_8000=1111'), console });
    await runInContext(`${outputFiles[0]?.text}; globalThis.ended`, page);
    return lines.join('\n');
  }

  it('inventory: every page of every list', async () => {
    for (let n = 0; n < 60; n++) await connect(`listed ${n}`, 'https://mcp.example.invalid/mcp');
    const { code, stdout, stderr } = await example('inventory.ts');
    expect(code, stderr).to.equal(0);
    const lines = stdout.trim().split('\n');
    expect(lines).to.have.length(60);
    expect(lines).to.include('MCP\tlisted 7\tnever');
    for (let n = 0; n < 60; n++) await platform.ml('admin', 'DELETE', `/mcp_connection/listed%20${n}`);
  });

  it('followLog: a failure with its remedy, and an exit code', async () => {
    const { code, stderr } = await example('followLog.ts', 'no_such');
    expect([code, stderr.split('\n').length]).to.deep.equal([1, 3]);
    expect(stderr).to.include('no_such').and.to.include('Check the name');
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
