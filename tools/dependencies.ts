// npm run check:dependencies: known vulnerabilities and newer versions of dependencies.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readAudit, readOutdated } from './advisories.ts';

const HELP = `Lists dependencies with known vulnerabilities or newer versions.

usage: npm run check:dependencies

Exit code: 0 no known vulnerabilities; 1 vulnerabilities found; 2 the registry did not answer. Newer versions do not
affect it.
`;
const TIMEOUT_MS = 120_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const counted = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

/** npm exits with 1 on findings, so only its output counts. */
function npm(...args: string[]): string {
  const options = { cwd: join(import.meta.dirname, '..'), encoding: 'utf8', timeout: TIMEOUT_MS } as const;
  return spawnSync('npm', [...args, '--json'], { ...options, maxBuffer: 64 * 1024 * 1024 }).stdout ?? '';
}

/** @returns the exit code */
function vulnerabilities(): number {
  const audit = readAudit(npm('audit'));
  if (!audit.isAnswered) {
    say(`Vulnerabilities: not known. The registry did not answer: ${audit.why}`);
    return 2;
  }
  const { found } = audit;
  if (found.length === 0) {
    say('Vulnerabilities: the registry knows of none.');
    return 0;
  }
  say(`Vulnerabilities: ${counted(found.length, 'package', 'packages')}`);
  for (const { name, severity, range, about, fix } of found) {
    say(`  ${severity}  ${name} ${range}  (${fix})`);
    for (const line of about) say(`      ${line}`);
  }
  return 1;
}

function newerVersions(): void {
  const found = readOutdated(npm('outdated'));
  if (found === undefined) say('Newer versions: not known, the registry did not answer.');
  else if (found.length === 0) say('Newer versions: none.');
  else say(`Newer versions: ${counted(found.length, 'package', 'packages')}`);
  for (const { name, current, latest } of found ?? []) say(`  ${name}  ${current} -> ${latest}`);
}

if (process.argv.includes('--help')) process.stdout.write(HELP);
else {
  process.exitCode = vulnerabilities();
  newerVersions();
}
