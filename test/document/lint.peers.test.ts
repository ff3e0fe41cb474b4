import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { needsInstalled } from '../support/programs/part.ts';
import { DOCUMENT, prepareRedocly, REDOCLY, ran } from './tools.ts';

describe('the document, as a linter reads it', () => {
  let folder: string;
  before(async function () {
    await needsInstalled(this, 'redocly', prepareRedocly);
    folder = mkdtempSync(join(tmpdir(), 'lint-'));
    writeFileSync(join(folder, 'broken.json'), '{"openapi": "3.1.0", "info": {"title": "x"}, "paths": {}}');
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('redocly finds no error, and would find one', async () => {
    const lint = (path: string) => ran(REDOCLY, ['lint', '--extends=recommended', path], { cwd: folder });
    const good = await lint(DOCUMENT);
    expect(good.code, good.said.slice(-3000)).to.equal(0);
    const bad = await lint(join(folder, 'broken.json'));
    expect(bad.code, bad.said.slice(-3000)).to.equal(1);
  });
});
