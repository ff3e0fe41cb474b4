import { parseArgs } from 'node:util';
import { TestPlatform } from '../test/support/e2e/platform.ts';
import { agentRows } from './agents.ts';
import { auditRows } from './audit.ts';
import { cloudRows } from './cloud.ts';
import { consoleRows } from './console.ts';
import { containerRows } from './containers.ts';
import { driverRows, driverRowsAgainst } from './driver.ts';
import { experimentRows } from './experiments.ts';
import { llmRows } from './llm.ts';
import { type Row, table } from './measure.ts';

/**
 * `npm run bench`: every comparison of the product, side by side, medians of one run. Times are of this machine; ratios travel.
 * `npm run bench -- --only audit`: one of them.
 * `npm run bench -- --against <folder of another built app>`: start and memory of the driver beside those of that build.
 */
const suites: readonly ((platform: TestPlatform) => Promise<Row[]>)[] = [
  driverRows,
  experimentRows,
  llmRows,
  cloudRows,
  agentRows,
  auditRows,
  containerRows,
  consoleRows,
];

const { values } = parseArgs({ options: { against: { type: 'string' }, only: { type: 'string' } } });
const { against, only } = values;
const wanted =
  against === undefined
    ? suites.filter(({ name }) => only === undefined || name === `${only}Rows`)
    : [(on: TestPlatform) => driverRowsAgainst(on, against)];

const platform = await new TestPlatform().start();
try {
  const rows: Row[] = [];
  for (const suite of wanted) rows.push(...(await suite(platform)));
  process.stdout.write(`${table(rows)}\n`);
} finally {
  await platform.dispose();
}
