import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { needsInstalled } from '../support/part.ts';
import { preparePython, pythonOf } from '../support/python.ts';
import { DOCUMENT, prepareTools, ran, tool } from './tools.ts';

describe('the document, as linters read it', () => {
  let folder: string;
  before(async function () {
    await needsInstalled(this, 'programs of the registry', prepareTools);
    folder = mkdtempSync(join(tmpdir(), 'lint-'));
    writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
    writeFileSync(join(folder, 'broken.json'), '{"openapi": "3.1.0", "info": {"title": "x"}, "paths": {}}');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const LINTERS: Readonly<Record<string, readonly string[]>> = {
    redocly: ['lint', '--extends=recommended'],
    spectral: ['lint', '--fail-severity=error'],
  };
  for (const [name, args] of Object.entries(LINTERS)) {
    it(`${name} finds no error, and would find one`, async () => {
      const good = await ran(tool(name), [...args, DOCUMENT], { cwd: folder });
      expect(good.code, good.said.slice(-3000)).to.equal(0);
      const bad = await ran(tool(name), [...args, join(folder, 'broken.json')], { cwd: folder });
      expect(bad.code, bad.said.slice(-3000)).to.equal(1);
    });
  }

  it('openapi-spec-validator finds it valid 3.1', async function () {
    await needsInstalled(this, 'packages of Python', () => preparePython('document'));
    const python = pythonOf('document');
    const good = await ran(python, ['-m', 'openapi_spec_validator', '--schema', '3.1', DOCUMENT]);
    expect(good.code, good.said.slice(-3000)).to.equal(0);
    const bad = await ran(python, ['-m', 'openapi_spec_validator', '--schema', '3.1', join(folder, 'broken.json')]);
    expect(bad.code, bad.said.slice(-3000)).to.not.equal(0);
  });
});
