import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expectStatus, startPlatform, type TestPlatform } from '../../../support/e2e/platform.ts';

/** Says that it makes rows, and makes none for as long as its search lives. */
const COMMAND = `#!${process.execPath}
const reply = JSON.stringify({ type: 'stateful', generating: true });
let hasAnswered = false;
process.stdin.on('data', () => {
  if (!hasAnswered) process.stdout.write('chunked 1.0,' + reply.length + ',0\\n' + reply);
  hasAnswered = true;
});
process.stdin.on('end', () => process.exit(0));
setInterval(() => {}, 1000);
`;

const APP: Record<string, string> = {
  'default/app.conf': '[ui]\nlabel = Slow\n',
  'default/commands.conf': '[slow]\nchunked = true\nfilename = slow\nmaxwait = 0\n',
  'metadata/default.meta': '[]\nexport = system\n',
  'bin/slow': COMMAND,
};

/** A search that the platform keeps. */
export interface KeptJob {
  sid: string;
  search: string;
  isDone: boolean;
  label: string;
  autoCancel: string;
}

/**
 * A platform with users `anna` and `bob`, and a search tool for each of these times in seconds, `slow_<seconds>`, whose search ends by
 * itself at no time.
 */
export async function slowSearchPlatform(times: readonly number[]): Promise<TestPlatform> {
  const home = mkdtempSync(join(tmpdir(), 'e2e-slow-'));
  for (const [name, text] of Object.entries(APP)) {
    const path = join(home, 'etc/apps/slow', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (name.startsWith('bin/')) chmodSync(path, 0o755);
  }
  const platform = await startPlatform({ home, env: { ML_TLS: '0' } });
  for (const user of ['anna', 'bob']) await platform.createUser(user, ['ml_admin']);
  await platform.setConf('search_tools', { allow_commands: 'slow' });
  for (const timeout_s of times) {
    const acl = { sharing: 'app', perms: { read: ['ml_admin'], write: [] } };
    const body = { name: `slow_${timeout_s}`, search: `| slow | eval limit=${timeout_s}`, timeout_s, acl };
    const saved = await platform.ml('anna', 'POST', '/search_tools', body);
    expectStatus(saved, 200, body.name);
    if (saved.json.config.read_only !== true) throw new Error(saved.text);
  }
  return platform;
}

/** Searches of a tool that the platform keeps, whoever made them. */
export async function keptJobs(platform: TestPlatform, seconds: number): Promise<KeptJob[]> {
  const reply = await platform.admin('GET', '/servicesNS/-/-/search/jobs?count=0');
  expectStatus(reply, 200, 'the jobs');
  const jobs = (reply.json.entry as { name: string; content: Record<string, unknown> }[]).map(({ name, content }) => ({
    ...{ sid: String(content.sid), search: name, isDone: content.isDone === true, label: String(content.label) },
    autoCancel: String((content.runtime as { auto_cancel?: unknown } | undefined)?.auto_cancel),
  }));
  return jobs.filter(({ search }) => search.endsWith(`limit=${seconds}`));
}
