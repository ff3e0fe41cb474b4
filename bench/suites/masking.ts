import { maskingTools } from '../../src/adapters/masking/tools.ts';
import { maskContent, unmasked } from '../../src/masking/outgoing.ts';
import { cases, everything, KEY } from '../../test/masking/cases.ts';
import type { Bench } from '../bench.ts';

const KB = 1000;
const TEXT = 10 * KB;
const RUNS = 30;
const NUMBER_OF_LINES = 6000;

function lineOf(n: number): string {
  const time = `2026-11-${10 + (n % 18)}T09:${10 + (n % 49)}:${10 + (n % 47)}.${100 + (n % 800)}Z`;
  const fields = `status=200 bytes=${n * 31} path=/api/v1/items/${n} src=10.${n % 25}.3.${n % 250} user=u${n % 30}.x`;
  return `${time} wks-${n % 50} app[${n}]: INFO request ${n * 977} finished in ${n % 300} ms ${fields} msg="took the next job"`;
}

/** Looks at each character of a text once, which no masking can avoid. */
function fixedLoop(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) sum = (sum * 31 + text.charCodeAt(index)) | 0;
  return sum;
}

const filled = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

/** 1 ms for 10 KB, where the fixed loop takes 20 µs. */
const AIM = 50;

/** Masking of the labelled texts, in which nearly each word is a value, and of lines of a log. */
export async function masking(bench: Bench): Promise<void> {
  const { judgePhone, clock } = maskingTools();
  const policies = [{ kinds: everything(), regions: ['US', 'DE'] }];
  const parts = { policies, key: KEY, clock, judgePhone };
  const walk = ({ text }: { text: string }, replace: (text: string) => string) => ({ text: replace(text) });
  for (const [what, piece] of [
    ['dense texts', `${cases.map(({ text }) => text).join('\n')}\n`],
    ['lines of a log', Array.from({ length: NUMBER_OF_LINES }, (_, n) => lineOf(n)).join('\n')],
  ] as const) {
    for (const size of [TEXT, 1000 * KB]) {
      const text = filled(piece, size);
      await bench.times(
        { what: `masking ${size / KB} KB of ${what}`, against: 'a loop over the characters', aim: AIM },
        RUNS,
        async () => repeat(TEXT * 100, size, () => maskContent({ text }, walk, parts)),
        async () => repeat(TEXT * 100, size, () => fixedLoop(text)),
      );
    }
  }
  const text = filled('a', TEXT);
  await bench.times(
    { what: 'a chat of 10 KB to which no policy applies', against: 'a loop over the characters', aim: 1 },
    RUNS,
    async () => repeat(TEXT * 1000, TEXT, () => unmasked({ text })),
    async () => repeat(TEXT * 1000, TEXT, () => fixedLoop(text)),
  );
}

/** Works on so many characters altogether, so that each run can be measured. */
function repeat(total: number, size: number, work: () => unknown): void {
  for (let done = 0; done < total; done += size) work();
}
