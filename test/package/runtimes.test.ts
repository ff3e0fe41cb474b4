import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { create } from 'tar';
import { type Runtime, runtimePackage } from '../../src/codegen/package/runtimes.ts';

const OTHER: Runtime = { folder: 'linux_riscv64', package: 'node-linux-riscv64', arch: 'riscv64' };
const VERSION = '22.1.0';

/** `npm pack` of a registry that has one package. */
const npm = (archive: string) => `#!/bin/sh
while [ "$1" != --pack-destination ]; do shift; done
cp "${archive}" "$2/packed.tgz" && echo '[{"filename": "packed.tgz"}]'
`;

describe('runtimes of other machines', () => {
  let folder: string;
  let path: string | undefined;
  let lock: Parameters<typeof runtimePackage>[2];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'runtimes-'));
    for (const name of ['package/bin', 'path', 'project']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'package/bin/node'), 'a runtime');
    writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ version: VERSION }));
    const archive = join(folder, 'runtime.tgz');
    await create({ gzip: true, file: archive, cwd: folder }, ['package']);
    const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    lock = { [`node_modules/${OTHER.package}`]: { version: VERSION, integrity } } as typeof lock;
    writeFileSync(join(folder, 'path/npm'), npm(archive), { mode: 0o755 });
    path = process.env.PATH;
    process.env.PATH = `${join(folder, 'path')}${delimiter}${path}`;
  });
  afterEach(() => {
    process.env.PATH = path;
    rmSync(folder, { recursive: true, force: true });
  });

  it('are fetched once and cached', async () => {
    const cached = await runtimePackage(join(folder, 'project'), OTHER, lock);
    const file = join(folder, 'project', cached, 'bin/node');
    expect(readFileSync(file, 'utf8')).to.equal('a runtime');
    rmSync(join(folder, 'runtime.tgz'));
    expect(await runtimePackage(join(folder, 'project'), OTHER, lock)).to.equal(cached);
  });

  it('are not taken from under somebody who reads them, when two fetch the same at once', async () => {
    const project = join(folder, 'project');
    const inode = (cached: string) => statSync(join(project, cached, 'bin/node')).ino;
    const fetching = [1, 2, 3].map(async () => inode(await runtimePackage(project, OTHER, lock)));
    const [first, ...others] = await Promise.all(fetching);
    expect(others).to.deep.equal([first, first]);
  });

  it('replace an incomplete package', async () => {
    const project = join(folder, 'project');
    const cached = await runtimePackage(project, OTHER, lock);
    rmSync(join(project, cached, 'package.json'));
    expect(await runtimePackage(project, OTHER, lock)).to.equal(cached);
    expect(statSync(join(project, cached, 'package.json')).isFile()).to.equal(true);
  });

  it('are updated together by Renovate', () => {
    const { packageRules } = JSON.parse(readFileSync('renovate.json', 'utf8'));
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const rule = packageRules.find(({ groupName }: { groupName?: string }) => groupName === 'Node runtimes');
    const pattern = new RegExp(rule.matchPackageNames[0].slice(1, -1));
    expect(Object.keys(optionalDependencies).filter((name) => !pattern.test(name))).to.deep.equal([]);
  });
});
