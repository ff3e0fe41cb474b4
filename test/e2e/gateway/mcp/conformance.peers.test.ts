import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { project } from '../../../support/e2e/build.ts';
import { expectStatus, type TestPlatform } from '../../../support/e2e/platform.ts';
import { startSigningProxy } from '../../../support/peers/aws/signingProxy.ts';
import { startReferenceTools } from '../../../support/peers/mcp/referenceTools.ts';
import { Peers } from '../../../support/peers/peers.ts';
import { gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';

const run = promisify(execFile);
const DOCUMENT = join(project, 'docs/mcp-conformance.md');
const SUITE = join(project, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

interface Results {
  /** Scenario and check -> message. */
  failed: Map<string, string>;
  passed: number;
}

const TRIES = 3;

/** Revision -> checks that a gateway of tools does not pass, as the document has them. */
function documented(): Map<string, Set<string>> {
  const rows = readFileSync(DOCUMENT, 'utf8').matchAll(/^\| `([^`]+)` \| `([^`]+)` \| ([^|]+) \| [^|]{10,} \|$/gm);
  const expected = new Map<string, Set<string>>();
  for (const [, scenario = '', check = '', revisions = ''] of rows) {
    for (const revision of revisions.split(',').map((part) => part.trim())) {
      const checks = expected.get(revision) ?? new Set();
      expected.set(revision, checks.add(`${scenario} ${check}`));
    }
  }
  return expected;
}

/** The frozen sets of the last revisions, and all scenarios of those before. */
const RUNS: Readonly<Record<string, readonly string[]>> = {
  '2026-07-28': ['--requirements', '2026-07-28'],
  '2025-11-25': ['--requirements', '2025-11-25'],
  '2025-06-18': ['--spec-version', '2025-06-18'],
  '2025-03-26': ['--spec-version', '2025-03-26'],
};

describe("MCP: the protocol's conformance suite", function () {
  this.timeout(300_000);
  const { started } = new Peers();
  let platform: TestPlatform;
  let url: string;

  before(async () => {
    platform = await gatewayPlatform({ ML_TLS: '0' });
    const tools = await started(startReferenceTools());
    const body = { name: 'reference', type: 'PLATFORM', details: { url: tools.url } };
    expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', body), 200, 'a connection');
    const session = `Splunk ${await platform.sessionKey('anna')}`;
    const proxy = await started(startSigningProxy(platform.url, session));
    const allowed = { allowed_origins: proxy.url.replace('127.0.0.1', 'localhost') };
    const stanza = '/servicesNS/nobody/ml_extension/configs/conf-ml_extension/gateway';
    expectStatus(await platform.admin('POST', stanza, allowed), 200, 'the setting');
    url = `${proxy.url.replace('127.0.0.1', 'localhost')}${MOUNT}/mcp/reference`;
  });
  after(() => platform?.dispose());

  async function results(choice: readonly string[]): Promise<Results> {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
    try {
      const args = [SUITE, 'server', '--url', url, ...choice, '--output-dir', folder];
      // It fails because of the scenarios that are expected to.
      await run(process.execPath, args, { maxBuffer: 64 << 20 }).catch(() => {});
      return resultsIn(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  for (const [revision, choice] of Object.entries(RUNS)) {
    it(`passes what ${revision} asks of a server with tools`, async () => {
      const expected = documented().get(revision) ?? new Set();
      let { failed, passed } = await results(choice);
      // The suite waits half a second for some answers, which a busy machine exceeds.
      for (let tries = 1; tries < TRIES && [...failed.keys()].some((check) => !expected.has(check)); tries += 1)
        ({ failed, passed } = await results(choice));
      const texts = [...failed].map(([check, why]) => `${check}: ${why}`).join('\n');
      expect([...failed.keys()].sort(), texts).to.deep.equal([...expected].sort());
      // The suite has nothing else of the first revision, which test/adapters/mcp covers.
      if (revision !== '2025-03-26') expect(passed, 'checks that passed').to.be.above(30);
    });
  }
});

function resultsIn(folder: string): Results {
  const failed = new Map<string, string>();
  let passed = 0;
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('checks.json')) continue;
    // server-<scenario>-<time>
    const scenario = /^server-(.+?)-\d{4}-/.exec(path)?.[1] ?? path;
    // Extensions of the protocol are not part of a revision.
    if (scenario.startsWith('tasks-') || scenario.startsWith('sep-2640-')) continue;
    for (const { id, status, errorMessage } of JSON.parse(readFileSync(join(folder, path), 'utf8')) as Check[]) {
      if (status === 'FAILURE') failed.set(`${scenario} ${id}`, errorMessage ?? '');
      else if (status === 'SUCCESS') passed += 1;
    }
  }
  return { failed, passed };
}
