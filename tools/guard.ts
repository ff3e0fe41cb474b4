import { statSync } from 'node:fs';
import { judgeSearch, type SearchPolicy, type Verdict } from '../src/spl/guard.ts';
import { type Detection, readSecurityContent } from './detections.ts';

/**
 * `npm run guard -- <folder>`: judges the searches of a copy of https://github.com/splunk/security_content by the guard of
 * read-only searches with its default settings, and prints what it allows and why it refuses the others. `--files` prints each
 * refused search too. Nothing is stored.
 */

const POLICY: SearchPolicy = { allowCommands: [], denyCommands: [], maxSpanDays: 30, requireIndex: true };
const RANGE = { earliest: '-24h', latest: 'now' };

const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
if (folder === undefined || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
  console.error('Usage: npm run guard -- <folder of a copy of splunk/security_content> [--files]');
  process.exit(1);
}

const start = performance.now();
const { detections, view, assumedLookups } = readSecurityContent(folder);
const now = new Date();
const read = performance.now();
const verdicts = detections.map((detection) => ({
  detection,
  verdict: judgeSearch(detection.search, RANGE, view, POLICY, now),
}));
const judged = performance.now();

for (const [group, members] of Map.groupBy(verdicts, ({ detection }) => detection.group)) {
  const allowed = members.filter(({ verdict }) => verdict.allowed).length;
  console.log(`${group}: ${members.length} searches, ${allowed} allowed (${percent(allowed, members.length)})`);
  const reasons = Map.groupBy(
    members.filter(({ verdict }) => !verdict.allowed),
    ({ verdict }) => reasonOf(verdict),
  );
  for (const [reason, refused] of [...reasons].sort(([, a], [, b]) => b.length - a.length)) {
    console.log(`  refused, ${reason}: ${refused.length}`);
    if (process.argv.includes('--files')) for (const each of refused) console.log(`    ${line(each)}`);
  }
}
if (assumedLookups.size > 0) {
  console.log(`Lookups that the folder does not define, taken for files: ${[...assumedLookups].sort().join(', ')}`);
}
console.log(`Read in ${Math.round(read - start)} ms, judged in ${Math.round(judged - read)} ms`);

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}

function reasonOf(verdict: Verdict): string {
  if (verdict.allowed) return '';
  return verdict.command === null ? verdict.reason : `${verdict.reason} ${verdict.command}`;
}

function line({ detection, verdict }: { detection: Detection; verdict: Verdict }): string {
  return verdict.allowed ? '' : `${detection.path}, offset ${verdict.position}: ${verdict.message}`;
}
