import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { startPlatform } from '../support/e2e/platform.ts';
import { needsInstalled } from '../support/programs/part.ts';
import { preparePython, pythonOf, pythonPrograms } from '../support/programs/python.ts';
import { DOCUMENT, ran } from './tools.ts';

const PACKAGE = 'ml_client';
/** Most files of models, and most characters of a class, in a client that people like to read. */
const MOST_FILES = 440;
const LONGEST_NAME = 45;

describe('the document, as a generator for Python reads it', () => {
  const python = pythonOf('document');
  let folder: string;
  let env: NodeJS.ProcessEnv;
  before(async function () {
    this.timeout(300_000);
    await needsInstalled(this, 'packages of Python', () => preparePython('document'));
    folder = mkdtempSync(join(tmpdir(), 'python-client-'));
    env = {
      ...process.env,
      PATH: `${pythonPrograms('document')}${delimiter}${process.env.PATH}`,
      PYTHONPATH: folder,
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const output = ['--output-path', join(folder, PACKAGE), '--meta', 'none', '--fail-on-warning'];
    const made = await ran('openapi-python-client', ['generate', '--path', DOCUMENT, ...output], { env });
    expect(made.code, made.said.slice(-3000)).to.equal(0);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('makes few models, with short names', () => {
    const models = globSync(join(folder, PACKAGE, 'models/*.py'));
    expect(models.length).to.be.within(50, MOST_FILES);
    const classes = models.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/^class (\w+)/gm)]);
    expect(classes.length).to.be.greaterThan(50);
    expect(classes.map(([, name = '']) => name).filter((name) => name.length > LONGEST_NAME)).to.deep.equal([]);
  });

  it('whose modules can all be imported, and agree with their types', async () => {
    const walk = `import importlib, pkgutil, ${PACKAGE}
for module in pkgutil.walk_packages(${PACKAGE}.__path__, "${PACKAGE}."):
    importlib.import_module(module.name)
    print(module.name)`;
    const imported = await ran(python, ['-c', walk], { env });
    expect(imported.code, imported.said.slice(-3000)).to.equal(0);
    expect(imported.said.split('\n').length).to.be.greaterThan(100);
    // What the generator always writes (client.py) is not ours to judge.
    const ours = ['api', 'models'].map((part) => join(folder, PACKAGE, part));
    const how = ['--follow-imports=silent', '--cache-dir', join(folder, 'cache')];
    const typed = await ran(python, ['-m', 'mypy', ...how, ...ours], { env });
    expect(typed.code, typed.said.slice(-3000)).to.equal(0);
  });

  it('creates, reads, changes and deletes with them; no secret comes back', async () => {
    const platform = await startPlatform({ env: { ML_TLS: '0' } });
    try {
      cpSync(join(import.meta.dirname, 'round.py'), join(folder, 'round.py'));
      const login = await platform.sessionKey('admin');
      const done = await ran(python, [join(folder, 'round.py')], {
        env: { ...env, ML_URL: platform.url, ML_SESSION: login },
      });
      expect(done.said.slice(-3000)).to.equal('the round is done\n');
    } finally {
      await platform.dispose();
    }
  });
});
