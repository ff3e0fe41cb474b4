import type { Finding } from '../history/checker.ts';
import type { Report } from '../report.ts';
import { type Answer, isAnswer } from '../site/client.ts';
import { startHost } from '../site/hosts.ts';
import { usageOf } from '../site/processes.ts';
import { Site } from '../site/site.ts';
import { CALLERS, type Caller, SECRET } from './callers.ts';
import { cutAfter, type Misbehaviour, misbehaviours, startPeer } from './peers.ts';

const CODES = new Set(
  `auth_failed permission_denied model_not_found model_not_invokable rate_limited quota_exceeded bad_request upstream_error
  timeout dns_failed connection_refused connection_reset tls_untrusted tls_hostname_mismatch tls_expired tls_protocol
  blocked_by_policy configuration_invalid not_supported`.split(/\s+/),
);
const AT_ONCE = 8;
/** A machine under load is late; a call without a deadline never comes. */
const GRACE = { factor: 2, seconds: 10 };
/** The limit of one message is 8 MiB: a process that grows by this much reads without one. */
const MOST_GROWTH_MIB = 400;

let serial = 0;

interface Case {
  caller: Caller;
  misbehaviour: Misbehaviour;
}

/** Every caller against every peer that hangs, lies, redirects, never ends, or resets at each byte of its answer. */
export async function upstreams(
  report: Report,
  { cutEvery, isShort }: { cutEvery: number; isShort: boolean },
): Promise<void> {
  const trap = await startHost();
  const server = await startHost();
  const site = await Site.start({ drivers: AT_ONCE });
  const cuts = (caller: Caller) =>
    Array.from({ length: Math.ceil(caller.good('_ping').length / cutEvery) }, (_, index) => cutAfter(index * cutEvery));
  // Each of the endless ones takes a whole deadline: a short run has one of the kind for each caller, saying nothing.
  const bad = misbehaviours(trap.url).filter(({ isEndless }) => !isShort || !isEndless);
  await run(
    report,
    site,
    server.url,
    'peers that misbehave',
    CALLERS.flatMap((caller) => bad.map((misbehaviour) => ({ caller, misbehaviour }))),
  );
  const resets = CALLERS.flatMap((caller) => cuts(caller).map((misbehaviour) => ({ caller, misbehaviour })));
  await run(report, site, server.url, 'peers that reset within an answer', resets);
  const met = trap.arrivals.length;
  const findings: Finding[] =
    met > 0 ? [{ what: `${met} requests followed a redirect`, story: trap.arrivals.map(({ path }) => path) }] : [];
  for (const line of site.bugs().slice(0, 5)) findings.push({ what: `a bug in the log: ${line}`, story: [] });
  if (site.platform.log().includes(SECRET)) findings.push({ what: 'a secret is in the log', story: [] });
  report.part('after all of them', { findings, figures: [`${met} requests at the place where redirects lead`] });
  await site.dispose();
}

async function run(report: Report, site: Site, server: string, title: string, cases: readonly Case[]): Promise<void> {
  const findings: Finding[] = [];
  const codes = new Map<string, number>();
  // Every driver has to run before its size can be a measure.
  await Promise.all(
    Array.from({ length: AT_ONCE * 2 }, () =>
      site.ml(0, 'admin', { method: 'GET', path: '/health', timeoutMs: 60_000 }),
    ),
  );
  const before = Math.max(0, ...site.driverPids().map((pid) => usageOf(pid).rss));
  let [next, slowest, most] = [0, 0, 0];
  const watch = setInterval(() => {
    most = Math.max(most, ...site.driverPids().map((pid) => usageOf(pid).rss));
  }, 200);
  const client = async () => {
    for (let one = cases[next++]; one; one = cases[next++]) {
      const { caller, misbehaviour } = one;
      const peer = await startPeer(misbehaviour, caller.good);
      serial += 1;
      const name = `upstream-${serial}`;
      if (caller.prepare) await site.ml(0, 'admin', caller.prepare(peer.url, name, server));
      const started = performance.now();
      const limit = caller.deadline * GRACE.factor + GRACE.seconds;
      const reply = await site.ml(0, 'admin', { ...caller.call(peer.url, name), timeoutMs: limit * 1000 });
      slowest = Math.max(slowest, (performance.now() - started) / 1000 / caller.deadline);
      await peer.close();
      const what = isAnswer(reply) ? faultOf(reply, misbehaviour) : `no answer within ${limit} s: ${reply.because}`;
      const code = isAnswer(reply) ? codeOf(reply) : 'none';
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (what) findings.push({ what: `${caller.name}, ${misbehaviour.name}: ${what}`, story: [] });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  clearInterval(watch);
  if (most - before > MOST_GROWTH_MIB) {
    findings.push({ what: `a driver grew from ${Math.round(before)} to ${Math.round(most)} MiB`, story: [] });
  }
  const figures = [
    `${cases.length} calls; ${[...codes].map(([code, count]) => `${code} ${count}`).join(', ')}`,
    `the slowest took ${slowest.toFixed(1)} of its deadline; largest driver ${Math.round(most)} MiB`,
  ];
  report.part(title, { findings, figures });
}

const codeOf = ({ json }: Answer): string =>
  json?.success === true || json?.status === 'success'
    ? 'success'
    : String(json?.problems?.[0]?.code ?? json?.error_code);

function faultOf(reply: Answer, { mayPass = false }: Misbehaviour): string | undefined {
  const { status, json, text } = reply;
  if (text.includes(SECRET)) return 'the secret is in the reply';
  const code = codeOf(reply);
  if (code === 'success') return mayPass ? undefined : `success: ${text.slice(0, 300)}`;
  const isVerification = status === 500 && json?.error_code === 'verification_failed';
  if (isVerification) return code === 'internal_error' ? `${status} ${text.slice(0, 400)}` : undefined;
  if (![200, 429, 502, 504].includes(status) || !CODES.has(code)) return `${status} ${text.slice(0, 400)}`;
  return undefined;
}
