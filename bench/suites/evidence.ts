import { checkEvidence } from '../../src/evidence/evidence.ts';
import type { Bench } from '../bench.ts';

const RUNS = 15;
const CHARS = 2 * 1024 * 1024;
const ENTITIES = 200;
const STARTED_AT = 1_795_521_600;

interface Event {
  _time: string;
  src_ip: string;
  host: string;
  user: string;
  bytes: string;
  url: string;
}

function eventOf(n: number): Event {
  return {
    _time: `2026-11-${10 + (n % 18)}T09:${10 + (n % 49)}:${10 + (n % 47)}.${100 + (n % 800)}Z`,
    src_ip: `10.${n % 250}.${(n >> 3) % 250}.${(n * 7) % 250}`,
    host: `wks-${n % 5000}.corp.example`,
    user: `CORP\\user${n % 3000}`,
    bytes: String(n * 977),
    url: `https://cdn-${n % 400}.badsite.example/p/${n}?q=${n % 77}`,
  };
}

/** 150 ms where the fixed loop takes 9.3 ms. */
const AIM = 16;

/** An entity of the results, or one that differs. */
function claimOf(n: number): string {
  const event = eventOf(n % 2 === 0 ? n : n + 1_000_000);
  return `${[event.src_ip, event.host, event.user, event.url, `${event.bytes} bytes`, event._time][n % 6]} was seen.`;
}

/** Looks at each character of a text once, which no check can avoid. */
function fixedLoop(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) sum = (sum * 31 + text.charCodeAt(index)) | 0;
  return sum;
}

/** The check of an answer of 200 entities against 2 MB of results. */
export async function evidence(bench: Bench): Promise<void> {
  const events = Array.from({ length: 30_000 }, (_, n) => eventOf(n));
  const csv = ['_time,src_ip,host,user,bytes,url', ...events.map((event) => Object.values(event).join(','))].join('\n');
  const log = events
    .map(
      ({ _time, src_ip, host, user, bytes, url }) =>
        `${_time} ${host} src=${src_ip} user="${user}" bytes=${bytes} ${url}`,
    )
    .join('\n');
  const output = Array.from({ length: ENTITIES }, (_, n) => claimOf(n)).join('\n');
  for (const [what, whole] of [
    ['CSV', csv],
    ['JSON', JSON.stringify(events)],
    ['lines of a log', log],
  ] as const) {
    const result = whole.slice(0, CHARS);
    const steps = [{ index: 1, name: 'search', output: result, isCut: false }];
    await bench.times(
      { what: `evidence for 200 entities in 2 MB of ${what}`, against: 'a loop over the characters', aim: AIM },
      RUNS,
      async () => checkEvidence({ output, input: '', steps, startedAt: STARTED_AT }),
      async () => fixedLoop(result),
    );
  }
}
