import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ADMIN_PASSWORD, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { needsInstalled } from '../support/programs/part.ts';
import { preparePython, pythonPrograms } from '../support/programs/python.ts';
import { DOCUMENT, ran } from './tools.ts';

const HOOKS = join(import.meta.dirname, 'schemathesis');
const CHECKS = [
  'form_is_accepted',
  'nothing_unforeseen',
  'forbidden_is_refused',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
];

/** Black box: thousands of requests made of the document alone, those that it allows and those that it forbids. */
describe('the document against the app (schemathesis)', function () {
  this.timeout(1_200_000);
  let platform: TestPlatform;
  /** It keeps what it has found where it runs, and begins with that the next time. */
  let cwd: string;
  before(async function () {
    await needsInstalled(this, 'packages of Python', () => preparePython('document'));
    // Nothing that is made up here may be looked for outside.
    const env = { ML_TLS: '0', ML_DRIVER_IDLE_S: '3600', AWS_EC2_METADATA_DISABLED: 'true' };
    platform = await startPlatform({ env });
    cwd = mkdtempSync(join(tmpdir(), 'schemathesis-'));
  });
  after(async () => {
    if (cwd) rmSync(cwd, { recursive: true, force: true });
    await platform?.dispose();
  });

  it('accepts what it allows, refuses what it forbids, and answers nothing else', async () => {
    const args = ['--config-file', join(HOOKS, 'schemathesis.toml'), 'run', DOCUMENT];
    const auth = ['--url', `${platform.url}/services`, '--auth', `admin:${ADMIN_PASSWORD}`];
    const how = ['--phases', 'examples,coverage,fuzzing', '--max-examples', '10', '--seed', '14', '--no-color'];
    const limits = ['--checks', CHECKS.join(','), '--continue-on-failure', '--request-timeout', '60'];
    const env = { ...process.env, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: HOOKS, PYTHONDONTWRITEBYTECODE: '1' };
    const program = join(pythonPrograms('document'), 'schemathesis');
    const health = ['--suppress-health-check', 'all'];
    const { code, said } = await ran(program, [...args, ...auth, ...how, ...limits, ...health], { env, cwd });
    const failures = said.slice(Math.max(0, said.indexOf('FAILURES')));
    expect(code, failures.slice(0, 12_000)).to.equal(0);
    expect(Number(/(\d+) generated/.exec(said)?.[1]), said.slice(-1000)).to.be.greaterThan(3000);
  });
});
