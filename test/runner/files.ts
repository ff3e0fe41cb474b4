import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../support/e2e/build.ts';

/**
 * Tests of what `npm ci` brings, and tests that need foreign programs: Python packages, a Docker engine, a cluster. What takes long
 * for other reasons, such as size and load, runs with those.
 */
export type Group = 'own' | 'peers' | 'all';

const isPeers = (file: string) => /\.(peers|long)\.test\.ts$/.test(file);

export function filesOf(group: Group): string[] {
  return globSync(['test/**/*.test.ts', 'platform/test/**/*.test.ts'], { cwd: project })
    .filter((file) => group === 'all' || isPeers(file) === (group === 'peers'))
    .sort();
}

/** How long each file took when it ran last on this machine, in ms. */
export type Durations = Record<string, number>;
const KEPT = join(project, 'node_modules/.cache/test-durations.json');

export function lastDurations(): Durations {
  return existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, 'utf8')) as Durations) : {};
}

export function keepDurations(measured: Durations): void {
  try {
    writeFileSync(KEPT, JSON.stringify({ ...lastDurations(), ...measured }));
  } catch {
    // They only sort the files of the next run: a folder that cannot be written costs it a minute.
  }
}

/** What takes longest on another machine, in ms. */
const USUAL: Durations = {
  'test/console/looks/looks.peers.test.ts': 400_000,
  'test/console/families/everyFamily.peers.test.ts': 250_000,
  'test/families/longestInput.long.test.ts': 150_000,
  'test/e2e/llm-providers/servers.peers.test.ts': 250_000,
  'test/document/schemathesis.peers.test.ts': 150_000,
  'test/package/appinspect.peers.test.ts': 90_000,
  'test/e2e/durability.long.test.ts': 80_000,
  'test/e2e/agents/agents.test.ts': 55_000,
  'test/package/package.test.ts': 40_000,
  'test/docs/examples.test.ts': 30_000,
  'test/e2e/badInput.long.test.ts': 30_000,
  'test/e2e/containers/engine.test.ts': 25_000,
  'test/e2e/connections/mcpServers.test.ts': 25_000,
  'test/e2e/rules.test.ts': 40_000,
  'test/client/mlx/doctor.test.ts': 40_000,
  'test/client/mlx/mlx.test.ts': 25_000,
  'test/e2e/waiting.test.ts': 25_000,
  'test/adapters/onnx/inspector.test.ts': 20_000,
  'test/e2e/models/models.test.ts': 20_000,
  'test/e2e/lists/largeLists.long.test.ts': 20_000,
  'test/e2e/connections/suites.long.test.ts': 20_000,
  'test/adapters/mcp/exit.test.ts': 20_000,
  'platform/test/cluster/members.test.ts': 20_000,
  'platform/test/search/commands.test.ts': 20_000,
  'platform/test/drivers/scriptHttp.test.ts': 20_000,
  'platform/test/command.test.ts': 20_000,
  'test/adapters/aws/agentRuntimes.test.ts': 15_000,
};
/** A guess for the first run on this one: what starts whole platforms takes longer than the rest. */
const SLOW = /^test\/(e2e|package|docs|sdk|client|console)\/|^platform\/test\/(cluster|search)\//;
const guess = (file: string) => USUAL[file] ?? (SLOW.test(file) ? 5000 : 0) + statSync(join(project, file)).size / 10;

/** The longest first, so that the last one to end does not begin last. */
export function longestFirst(files: readonly string[], durations: Durations): string[] {
  const weight = new Map(files.map((file) => [file, durations[file] ?? guess(file)]));
  return files.toSorted((a, b) => (weight.get(b) ?? 0) - (weight.get(a) ?? 0));
}
