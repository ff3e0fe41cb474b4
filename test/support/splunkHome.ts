import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The platform sets it for every process of the app: locks of the machine are below it.
if (process.env.SPLUNK_HOME === undefined) {
  const home = mkdtempSync(join(tmpdir(), 'home-'));
  mkdirSync(join(home, 'var/run'), { recursive: true });
  process.env.SPLUNK_HOME = home;
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
}
