import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { makeClassic } from '../../src/codegen/package/classicPages.ts';
import { packApp } from '../../src/codegen/package/pack.ts';
import { ARM64, type Runtime, X64 } from '../../src/codegen/package/runtimes.ts';
import { makeVariant } from '../../src/codegen/package/variants.ts';
import { builtApp, project } from '../support/e2e/build.ts';
import { needsInstalled } from '../support/part.ts';
import { preparePython, pythonPrograms } from '../support/python.ts';

const run = promisify(execFile);
/** Every tag under which the platform's own validator looks at an app; '' is its default set. */
const TAGS = ['', 'cloud', 'private_app', 'private_victoria', 'private_classic', 'future'];
/** No x86-64 binary passes it, beside its twin neither: the other variants are for those who need it. */
const NOT_FOR_RUNTIME = 'check_aarch64_compatibility';
/** Each has its answer in the README that ships. */
const ANSWERED = [
  ...['check_collections_conf', 'check_hostnames_and_ips'],
  ...['check_for_splunk_js', 'check_for_splunk_js_header_and_footer_view'],
];
/** The variant for releases before 10.4 has a page of its own. */
const OF_CLASSIC_PAGES = 'check_for_custom_mako_templates';

interface Check {
  name: string;
  result: string;
  messages: { message: string }[];
}

describe("the platform's own validator", function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'ml-inspect-'));
  let bare: string;
  let arm: string;
  let whole: string;
  let classic: string;

  before(async function () {
    const test = this as unknown as Mocha.Context;
    await needsInstalled(test, 'splunk-appinspect', () => preparePython('appinspect'));
    const app = builtApp();
    const pack = async (name: string, runtimes: readonly Runtime[]) => {
      await makeVariant(project, app, join(folder, name, 'ml_extension'), runtimes);
      return (await packApp(join(folder, name, 'ml_extension'), join(folder, `${name}.spl`))).file;
    };
    bare = await pack('bare', []);
    arm = await pack('arm', [ARM64]);
    whole = await pack('whole', [X64, ARM64]);
    makeClassic(join(folder, 'bare/ml_extension'), join(folder, 'classic/ml_extension'));
    classic = (await packApp(join(folder, 'classic/ml_extension'), join(folder, 'classic.spl'))).file;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function inspect(file: string, tag: string): Promise<Check[]> {
    const report = join(folder, `report-${tag || 'default'}.json`);
    const program = join(pythonPrograms('appinspect'), 'splunk-appinspect');
    const tags = tag === '' ? [] : ['--included-tags', tag];
    await run(
      program,
      ['inspect', file, '--mode', 'precert', ...tags, '--data-format', 'json', '--output-file', report],
      {
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    const { reports } = JSON.parse(readFileSync(report, 'utf8')) as { reports: { groups: { checks: Check[] }[] }[] };
    const checks = reports.flatMap(({ groups }) => groups.flatMap((group) => group.checks));
    expect(checks.length, 'a report without checks says nothing').to.be.greaterThan(10);
    return checks;
  }

  const refused = (checks: readonly Check[]) =>
    checks
      .filter(({ result }) => ['error', 'failure', 'future_failure'].includes(result))
      .map(({ name, messages }) => `${name}: ${messages[0]?.message}`);

  for (const tag of TAGS) {
    it(`accepts the package without runtime under ${tag || 'its default tags'}`, async () => {
      const checks = await inspect(bare, tag);
      expect(refused(checks)).to.deep.equal([]);
      const open = checks.filter(({ result }) => ['warning', 'manual_check'].includes(result)).map(({ name }) => name);
      expect(
        open.filter((name) => !ANSWERED.includes(name)),
        'warnings without an answer in app/README.md',
      ).to.deep.equal([]);
    });
  }

  it('accepts the package with classic pages', async () => {
    const checks = await inspect(classic, 'cloud');
    expect(refused(checks)).to.deep.equal([]);
    const open = checks.filter(({ result }) => ['warning', 'manual_check'].includes(result)).map(({ name }) => name);
    expect(open.filter((name) => ![...ANSWERED, OF_CLASSIC_PAGES].includes(name))).to.deep.equal([]);
  });

  // Each by itself: beside browsers and clusters, one takes up to a minute.
  for (const tag of TAGS) {
    it(`accepts the package for ARM under ${tag || 'its default tags'}`, async () => {
      expect(refused(await inspect(arm, tag))).to.deep.equal([]);
    });

    it(`accepts the package with both runtimes under ${tag || 'its default tags'} but for the check that no x86-64 binary passes`, async () => {
      const checks = await inspect(whole, tag);
      expect(refused(checks).filter((line) => !line.startsWith(NOT_FOR_RUNTIME))).to.deep.equal([]);
    });
  }
});
