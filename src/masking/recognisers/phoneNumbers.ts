import { before, type Sink } from '../spans/span.ts';

/**
 * Judges one candidate.
 * @param region country of a number without `+`
 * @returns the number in E.164; undefined where it is none
 */
export type PhoneJudge = (candidate: string, region?: string) => string | undefined;

const INTERNATIONAL = /(?<![\w+])\+\d(?:[ ()./\u00a0-]{0,2}\d){6,14}(?!\w)/g;
const NATIONAL = /(?<![\w+.,:/-])\(?\d(?:[ ()/.-]{0,2}\d){6,12}(?![\w:]|[.-]\d)/g;
const PHONE_WORD =
  /(?:\b(?:tel|phone|telephone|call|called|mobile|cell|fax|dial|sms|whatsapp|handy|mobil|anruf|telefon|t[eé]l[eé]phone|portable|m[oó]vil)|r[uü]ckruf(?:nummer)?|telefon|phone(?: ?(?:no|number|nr))?|rufnummer|durchwahl)[.:=]{0,2}(?: (?:no|number|nr|at|an|is|on|me|unter)\.?)?["']?[ \t:=]{0,3}["']?$/i;
const JOINED = /^[ \t]{0,2}(?:,|;|\/|or|oder|ou|o|and|und)[ \t]{1,2}$/i;

export const phones =
  (judge: PhoneJudge, regions: readonly string[]) =>
  (text: string, sink: Sink): void => {
    const ends = new Set<number>();
    const take = (start: number, candidate: string, region?: string): boolean => {
      const plain = judge(candidate, region);
      if (plain === undefined) return false;
      sink.take('phone', start, start + candidate.length, plain);
      ends.add(start + candidate.length);
      return true;
    };
    if (text.includes('+')) for (const { index, 0: candidate } of text.matchAll(INTERNATIONAL)) take(index, candidate);
    if (regions.length === 0) return;
    for (const { index, 0: candidate } of text.matchAll(NATIONAL)) {
      const context = before(text, index, 28);
      if (PHONE_WORD.test(context) || isBehindPhone(text, index, ends)) {
        regions.some((region) => take(index, candidate, region));
      }
    }
  };

/** A number just after a phone number, joined by a comma or *or*, has its context. */
function isBehindPhone(text: string, start: number, ends: ReadonlySet<number>): boolean {
  for (let end = start - 1; end > start - 10; end -= 1) {
    if (ends.has(end)) return JOINED.test(text.slice(end, start));
  }
  return false;
}
