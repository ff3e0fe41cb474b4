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
import { needsInstalled } from '../support/programs/part.ts';
import { preparePython, pythonPrograms } from '../support/programs/python.ts';

const run = promisify(execFile);
/** The sets of checks that the platform's vetting asks for; '' is all checks. */
const TAGS = ['', 'cloud', 'private_app', 'private_victoria', 'private_classic', 'future'];
/** No x86-64 binary passes it, beside its twin neither: the other variants are for those who need it. */
const NOT_FOR_RUNTIME = 'check_aarch64_compatibility';
/** Each has its answer in the README that ships. */
const ANSWERED = [
  ...['check_collections_conf', 'check_hostnames_and_ips'],
  ...['check_for_splunk_js', 'check_for_splunk_js_header_and_footer_view'],
];
/** They end otherwise than as `not_applicable` only where an alert action is seen. */
const ALERT_CHECKS = [
  ...['check_alert_actions_exe_exist', 'check_for_payload_format', 'check_for_explicit_exe_args'],
  'check_alert_actions_conf_for_alert_execute_cmd_properties',
];
/** The variant for releases before 10.4 has a page of its own. */
const OF_CLASSIC_PAGES = 'check_for_custom_mako_templates';

interface Check {
  name: string;
  result: string;
  tags: string[];
  messages: { message: string }[];
}

describe("the platform's own validator", function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'ml-inspect-'));
  const reports: Record<string, Check[]> = {};

  before(async function () {
    const test = this as unknown as Mocha.Context;
    await needsInstalled(test, 'splunk-appinspect', () => preparePython('appinspect'));
    const app = builtApp();
    const variant = (name: string, runtimes: readonly Runtime[]) =>
      makeVariant(project, app, join(folder, name, 'ml_extension'), runtimes);
    await variant('bare', []);
    await variant('arm', [ARM64]);
    await variant('whole', [X64, ARM64]);
    makeClassic(join(folder, 'bare/ml_extension'), join(folder, 'classic/ml_extension'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Without tags, every check runs: tags only select checks, and each check is reported with its own. */
  async function inspect(name: string): Promise<Check[]> {
    const report = join(folder, `${name}.json`);
    const { file } = await packApp(join(folder, name, 'ml_extension'), join(folder, `${name}.spl`));
    const program = join(pythonPrograms('appinspect'), 'splunk-appinspect');
    await run(program, ['inspect', file, '--mode', 'precert', '--data-format', 'json', '--output-file', report], {
      maxBuffer: 64 * 1024 * 1024,
    });
    const { reports: found } = JSON.parse(readFileSync(report, 'utf8')) as {
      reports: { groups: { checks: Check[] }[] }[];
    };
    return found.flatMap(({ groups }) => groups.flatMap((group) => group.checks));
  }

  async function checksOf(name: string, tag: string): Promise<Check[]> {
    reports[name] ??= await inspect(name);
    const checks = reports[name].filter(({ tags }) => tag === '' || tags.includes(tag));
    expect(checks.length, 'a report without checks says nothing').to.be.greaterThan(10);
    return checks;
  }

  const refused = (checks: readonly Check[]) =>
    checks
      .filter(({ result }) => ['error', 'failure', 'future_failure'].includes(result))
      .map(({ name, messages }) => `${name}: ${messages[0]?.message}`);

  for (const tag of TAGS) {
    it(`accepts the package without runtime under ${tag || 'all tags'}`, async () => {
      const checks = await checksOf('bare', tag);
      expect(refused(checks)).to.deep.equal([]);
      const open = checks.filter(({ result }) => ['warning', 'manual_check'].includes(result)).map(({ name }) => name);
      expect(
        open.filter((name) => !ANSWERED.includes(name)),
        'warnings without an answer in app/README.md',
      ).to.deep.equal([]);
    });
  }

  it('accepts the alert action in each check of alert actions', async () => {
    const checks = await checksOf('bare', '');
    const results = ALERT_CHECKS.map((name) => [name, checks.find((check) => check.name === name)?.result]);
    expect(results).to.deep.equal(ALERT_CHECKS.map((name) => [name, 'success']));
  });

  it('accepts the package with classic pages', async () => {
    const checks = await checksOf('classic', 'cloud');
    expect(refused(checks)).to.deep.equal([]);
    const open = checks.filter(({ result }) => ['warning', 'manual_check'].includes(result)).map(({ name }) => name);
    expect(open.filter((name) => ![...ANSWERED, OF_CLASSIC_PAGES].includes(name))).to.deep.equal([]);
  });

  for (const tag of TAGS) {
    it(`accepts the package for ARM under ${tag || 'all tags'}`, async () => {
      expect(refused(await checksOf('arm', tag))).to.deep.equal([]);
    });

    it(`accepts the package with both runtimes under ${tag || 'all tags'} but for the check that no x86-64 binary passes`, async () => {
      const checks = await checksOf('whole', tag);
      expect(refused(checks).filter((line) => !line.startsWith(NOT_FOR_RUNTIME))).to.deep.equal([]);
    });
  }
});
