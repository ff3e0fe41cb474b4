import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { certificateReader } from '../../src/adapters/certificates/certificates.ts';
import { readFileBelow } from '../../src/adapters/certificates/files.ts';
import { makeCertificate } from '../support/peers/certificates.ts';
import { patience } from '../support/time.ts';

describe('files with certificates', () => {
  const { cert, key } = makeCertificate();
  let root = '';
  let auth = '';
  let more = '';
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'certificate-files-'));
    auth = join(root, 'auth');
    more = join(root, 'more');
    for (const folder of [auth, join(auth, 'deep'), more, join(root, 'secret')]) mkdirSync(folder);
    for (const file of ['auth/a.pem', 'auth/deep/b.pem', 'more/c.pem', 'secret/d.pem']) {
      writeFileSync(join(root, file), `${cert}${key}`);
    }
    symlinkSync(join(root, 'secret', 'd.pem'), join(auth, 'out.pem'));
    symlinkSync(join(root, 'secret'), join(auth, 'outfolder'));
    symlinkSync(join(more, 'c.pem'), join(auth, 'across.pem'));
    symlinkSync('/proc/self/pagemap', join(auth, 'pagemap'));
    symlinkSync(more, join(root, 'alias'));
    symlinkSync(join(auth, 'loop'), join(auth, 'loop'));
    writeFileSync(join(auth, 'large.pem'), cert);
    appendFileSync(join(auth, 'large.pem'), ' '.repeat(1_000_000));
    execFileSync('mkfifo', [join(auth, 'pipe')]);
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const read = (text: string, folders = [auth, more]) => certificateReader(async () => folders).read(text);
  const readKey = (text: string, folders = [auth, more]) => certificateReader(async () => folders).readKey(text);

  it('are read below the allowed folders, links resolved', async () => {
    const plain = (pem: string) => pem.replaceAll('\r', '');
    for (const path of ['a.pem', 'deep/b.pem', './deep/../a.pem', 'across.pem']) {
      expect((await read(path))?.pem, path).to.equal(plain(cert));
      expect(await readKey(path), path).to.equal(plain(key));
    }
    for (const path of [join(auth, 'a.pem'), join(more, 'c.pem')])
      expect(await read(path), path).to.not.equal(undefined);
    const alias = join(root, 'alias');
    for (const path of [join(alias, 'c.pem'), join(more, 'c.pem')]) {
      expect(await read(path, [auth, alias]), path).to.not.equal(undefined);
    }
  });

  it('are not read anywhere else, whether they are there or not', async () => {
    const outside = [
      join(root, 'secret', 'd.pem'),
      join(root, 'secret', 'none.pem'),
      '../secret/d.pem',
      'deep/../../secret/d.pem',
      'out.pem',
      'outfolder/d.pem',
      'across.pem/../../secret/d.pem',
      `${auth}x/a.pem`,
      auth,
      '.',
      '..',
      '/etc/passwd',
      '/proc/self/environ',
      `${root}/auth/../secret/d.pem`,
      `\\\\host\\share\\a.pem`,
      '//host/share/a.pem',
      '\\/host\\share',
      '\\\\?\\C:\\a.pem',
      'a.pem\0.txt',
    ];
    for (const path of outside) {
      expect(await read(path), path).to.equal(undefined);
      expect(await readKey(path), path).to.equal(undefined);
    }
    expect(await read('across.pem', [auth])).to.equal(undefined);
    expect(await read('a.pem', [])).to.equal(undefined);
    expect(await readFileBelow([join(root, 'none'), auth], 'a.pem')).to.equal(undefined);
  });

  it('are regular files of a size: no more than a little is ever read', async () => {
    const before = process.memoryUsage().rss;
    const begun = performance.now();
    for (const path of ['pagemap', 'pipe', 'large.pem', 'loop', '/proc/self/pagemap', '/dev/zero']) {
      expect(await read(path), path).to.equal(undefined);
    }
    // Even where an administrator has opened a folder of such files.
    for (const path of ['/proc/self/pagemap', '/proc/self/maps', '/dev/zero', '/dev/full']) {
      expect(await read(path, ['/proc', '/dev']), path).to.equal(undefined);
    }
    expect(performance.now() - begun).to.be.below(patience(1000));
    expect((process.memoryUsage().rss - before) / 1024 ** 2).to.be.below(50);
  });
});
