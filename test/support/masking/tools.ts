import { judgePhone } from '../../../src/masking/recognisers/phoneNumbers.ts';
import type { MaskingTools } from '../../../src/masking/tools.ts';

/** Patterns are those of JavaScript, but for what RE2 lacks. */
export const memoryMaskingTools = (): MaskingTools => ({
  compile(pattern) {
    if (/\(\?<?[=!]|\\[1-9]/.test(pattern)) throw new Error('invalid or unsupported Perl syntax');
    const expression = new RegExp(pattern, 'g');
    return (text) =>
      [...text.matchAll(expression)]
        .map((match) => ({ start: match.index, end: match.index + match[0].length }))
        .filter(({ start, end }) => end > start);
  },
  judgePhone,
  clock: () => 0,
});
