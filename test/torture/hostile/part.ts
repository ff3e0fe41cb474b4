import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtApp } from '../../support/e2e/build.ts';
import { assertDocumented, operations } from '../../support/e2e/document.ts';
import { Random } from '../../support/random.ts';
import type { Finding } from '../history/checker.ts';
import type { Report } from '../report.ts';
import { type Answer, type Call, isAnswer } from '../site/client.ts';
import { startHost } from '../site/hosts.ts';
import { Site } from '../site/site.ts';
import { Requests } from './requests.ts';
import { CANARY } from './values.ts';

const AT_ONCE = 12;
/** Longer than any deadline of a call that this part makes. */
const HANGS_MS = 60_000;
const ENOUGH = 20;

/** Requests from the document and by mutation: no bug, no undocumented answer, no hung driver, no secret seen again. */
export async function hostile(report: Report, { seed, requests }: { seed: number; requests: number }): Promise<void> {
  const host = await startHost();
  const AWS = {
    AWS_ENDPOINT_URL: host.url,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ACCESS_KEY_ID: '',
    AWS_SECRET_ACCESS_KEY: '',
  };
  const site = await Site.start({ drivers: 4, env: AWS });
  const document = JSON.parse(readFileSync(join(builtApp(), 'bin/lib/openapi.json'), 'utf8'));
  const urls = [`${host.url}/mcp`, `${host.url}/v1`, 'http://127.0.0.1:1/', host.name, 'not a url'];
  const source = new Requests(new Random(seed), operations(), document.components.schemas, urls);
  const drivers = await warm(site);
  const findings: Finding[] = [];
  const statuses = new Map<string, number>();
  let made = 0;
  const found = (what: string, call: Call) => {
    if (findings.length < ENOUGH) findings.push({ what, story: [show(call)] });
  };
  const client = async () => {
    while (made < requests) {
      made += 1;
      const call = source.next();
      const user = made % 5 === 0 ? 'anna' : 'admin';
      const reply = await site.ml(0, user, { ...call, timeoutMs: HANGS_MS });
      const status = isAnswer(reply) ? String(reply.status) : reply.failure;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const what = isAnswer(reply) ? faultOf(call, reply) : `no answer: ${reply.because}`;
      if (what) found(what, call);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  const seconds = (performance.now() - started) / 1000;
  findings.push(...(await after(site, drivers)));
  const shown = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
  const figures = [`${requests} requests, ${Math.round(requests / seconds)} a second`, `answers ${shown.join(', ')}`];
  report.part('hostile input', { findings, figures });
  await site.dispose();
}

async function warm(site: Site): Promise<number[]> {
  await Promise.all(Array.from({ length: 16 }, () => site.ml(0, 'admin', { method: 'GET', path: '/health' })));
  return site.driverPids();
}

function faultOf({ method, path }: Call, reply: Answer): string | undefined {
  if (reply.text.includes(CANARY)) return 'a secret is in the reply';
  if (method === 'HEAD' || method === 'OPTIONS') return undefined;
  const code = reply.json?.error_code as string | undefined;
  // Both stores are well: neither a bug nor an excuse has a place here.
  if (reply.status === 503 || (reply.status === 500 && code !== 'verification_failed')) {
    return `${reply.status} ${reply.text.slice(0, 400)}`;
  }
  if (code === 'unknown_endpoint' || code === 'method_not_allowed') return undefined;
  if (reply.status !== 200 && code === undefined && !isPlatforms(reply)) {
    return `a refusal without a code: ${reply.status} ${reply.text.slice(0, 200)}`;
  }
  try {
    // Paths that the platform itself refuses never reach the document.
    if (!isPlatforms(reply)) assertDocumented(method, `/ml${path}`, reply);
  } catch (error) {
    return `not in the document: ${(error as Error).message.slice(0, 600)}`;
  }
  return undefined;
}

/** splunkd's own refusals have messages and no status of ours. */
const isPlatforms = ({ json, status }: Answer) =>
  json?.status === undefined && [400, 404, 405, 413, 414, 431].includes(status);

async function after(site: Site, drivers: readonly number[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = (what: string, story: string[] = []) => findings.push({ what, story });
  const now = site.driverPids();
  const ended = drivers.filter((pid) => !now.includes(pid));
  if (ended.length > 0) add(`${ended.length} of ${drivers.length} drivers ended`, [site.platform.output.slice(-2000)]);
  const health = await site.ml(0, 'admin', { method: 'GET', path: '/health', timeoutMs: 10_000 });
  if (!isAnswer(health) || health.status !== 200) add('the app does not answer any more');
  for (const line of site.bugs().slice(0, 5)) add(`a bug in the log: ${line}`);
  const files = site.platform.filesWith([CANARY]);
  if (files.length > 0) add(`secrets stand in files: ${files.join(', ')}`);
  return findings;
}

function show({ method, path, body, headers }: Call): string {
  const text = Buffer.isBuffer(body) ? body.toString().slice(0, 700) : '';
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers ?? {}).slice(0, 200)} ${JSON.stringify(text)}`;
}
