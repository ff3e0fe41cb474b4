import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { needsInstalled } from '../support/part.ts';
import { type Environment, isPrepared, pythonOf } from '../support/python.ts';

const run = promisify(execFile);
const MODULE = pathToFileURL(join(import.meta.dirname, '../support/python.ts')).href;

/** As `venv` does it: looks whether the folder is there, and makes it a moment later. What is in `refuses` is the answer. */
const PYTHON = `#!/bin/sh
said=$(dirname "$0")
if [ -e "$said/refuses" ]; then cat "$said/refuses" >&2; exit 1; fi
for folder; do :; done
echo "made $folder" >> "$said/log"
rm -rf "$folder"
sleep 0.3
mkdir -p "$(dirname "$folder")"
mkdir "$folder" "$folder/bin" || exit 1
printf '#!/bin/sh\\necho "$@" >> "%s/log"\\n' "$said" > "$folder/bin/python"
chmod +x "$folder/bin/python"
`;

describe('environments of Python for the tests', function () {
  this.timeout(120_000);
  let folder: string;
  let under: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pythons-'));
    under = join(folder, 'environments');
    mkdirSync(join(folder, 'path'));
    writeFileSync(join(folder, 'path/python3'), PYTHON, { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A test file's process that wants one: what it was told. */
  async function wants(environment: Environment): Promise<string> {
    const script = `import { preparePython } from '${MODULE}';
      process.stdout.write(String(await preparePython('${environment}', ${JSON.stringify(under)})));`;
    const env = { ...process.env, PATH: `${join(folder, 'path')}${delimiter}${process.env.PATH}` };
    return (await run(process.execPath, ['--input-type=module', '-e', script], { env })).stdout;
  }
  const readLog = () => readFileSync(join(folder, 'path/log'), 'utf8');

  it('are made once each, however many processes want one at the same moment', async () => {
    const requested = ['splunkSdk', 'splunkSdk', 'aws', 'litellm', 'aws'] as const;
    expect(await Promise.all(requested.map(wants))).to.deep.equal(requested.map(() => 'undefined'));
    for (const environment of requested) expect(isPrepared(environment, under), environment).to.equal(true);
    expect(readLog().match(/^made /gm), readLog()).to.have.length(3);
    expect(readLog().match(/pip install/g), readLog()).to.have.length(3);
  });

  it('are made anew where a process was ended half way', async () => {
    await wants('aws');
    for (const name of ['aws/half', 'splunkSdk/bin/python']) {
      mkdirSync(join(under, name, '..'), { recursive: true });
      writeFileSync(join(under, name), '');
    }
    expect(await wants('splunkSdk')).to.equal('undefined');
    expect(await wants('aws')).to.equal('undefined');
    expect(readLog().match(/^made .*splunkSdk$/gm), readLog()).to.have.length(1);
    expect(existsSync(join(under, 'aws/half')), 'what is whole stays').to.equal(true);
    rmSync(pythonOf('aws', under));
    expect(await wants('aws')).to.equal('undefined');
    expect(existsSync(join(under, 'aws/half')), 'what has lost its Python is cleared').to.equal(false);
  });

  it('are waited for longer than a test may take', async function () {
    this.timeout(100);
    await needsInstalled(this, 'a part', () => new Promise((resolve) => setTimeout(() => resolve(undefined), 300)));
    expect(this.timeout(), 'and the rest as long as before').to.be.within(390, 3000);
  });

  it('say why they cannot be had, and are tried again', async () => {
    writeFileSync(join(folder, 'path/refuses'), 'ensurepip is not available');
    expect(await wants('aws')).to.equal('ensurepip is not available');
    expect(isPrepared('aws', under)).to.equal(false);
    rmSync(join(folder, 'path/refuses'));
    expect(await wants('aws')).to.equal('undefined');
  });
});
