import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from 'chai';
import { skewedEnvironment } from '../../src/cluster/clockSkew.ts';
import { temporaryFolder } from '../support/platform.ts';

const HOUR = 3_600_000;

const ASK = `
const { Worker } = require('node:worker_threads');
const date = new Date();
const answer = {
  now: Date.now(),
  made: date.getTime(),
  text: Date.parse(Date()),
  given: new Date(5).getTime(),
  parts: new Date(2020, 1, 2, 3).getHours(),
  utc: Date.UTC(2020, 0),
  isDate: date instanceof Date && date.constructor === Date && new (class extends Date {})() instanceof Date,
  uptime: performance.now(),
};
new Worker('require("node:worker_threads").parentPort.postMessage(Date.now())', { eval: true }).on('message', (worker) =>
  console.log(JSON.stringify({ ...answer, worker })));
`;

describe('clock of another member', () => {
  let home: string;
  before(() => {
    home = join(temporaryFolder(), 'a home with blanks');
    mkdirSync(home);
  });
  after(() => rmSync(join(home, '..'), { recursive: true, force: true }));

  for (const ms of [HOUR, -HOUR]) {
    it(`is shifted by ${ms} ms, in threads too, and monotonic time is not`, () => {
      const env = skewedEnvironment(home, { ...process.env, NODE_OPTIONS: '--no-warnings' }, ms);
      assert.match(env.NODE_OPTIONS ?? '', /^--no-warnings --require /);
      const out = execFileSync(process.execPath, ['-e', ASK], { env: env as NodeJS.ProcessEnv, encoding: 'utf8' });
      const answer = JSON.parse(out);
      for (const name of ['now', 'made', 'text', 'worker']) {
        assert.closeTo(answer[name] - Date.now(), ms, 10_000, name);
      }
      assert.include(answer, { given: 5, parts: 3, utc: Date.UTC(2020, 0), isDate: true });
      assert.isBelow(answer.uptime, 60_000);
    });
  }

  it('is unchanged without a shift', () => {
    assert.deepEqual(skewedEnvironment(home, { A: 'b' }, 0), { A: 'b' });
  });
});
