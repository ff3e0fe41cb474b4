import { expect } from 'chai';
import fc from 'fast-check';
import { type CutSizes, cutText } from '../../../src/gateway/knowledge/cut.ts';
import { estimateTokens } from '../../../src/metering/tokens.ts';
import { holds } from '../../support/property.ts';

const PIECES = ['# Heading', '## Sub', 'Title\n===', 'A sentence. ', 'Is it so? ', 'word ', '\n', '\n\n', ' ', '```\n'];
const LONG = ['x'.repeat(200), '😀'.repeat(60), '漢字。'.repeat(30), '\ud83d', ' '.repeat(90), '- item\n'];
const texts = fc.array(fc.oneof(fc.constantFrom(...PIECES, ...LONG), fc.string({ unit: 'binary', maxLength: 9 })), {
  maxLength: 60,
});
const sizes = fc.record({ chunkTokens: fc.integer({ min: 20, max: 60 }), overlapTokens: fc.nat({ max: 19 }) });

/** What the passages leave out, and the problem of one that is not as it must be. */
function problemsOf(text: string, { chunkTokens }: CutSizes, cuts: ReturnType<typeof cutText>): string[] {
  const problems: string[] = [];
  let covered = 0;
  let before = { start: -1, end: -1 };
  for (const { start, end, context } of cuts) {
    const passage = text.slice(start, end);
    if (passage.trim() !== passage || passage === '') problems.push(`white space at the edges of ${start}`);
    if (estimateTokens(passage) > chunkTokens) problems.push(`too long at ${start}`);
    if (start <= before.start || end <= before.end) problems.push(`nothing new at ${start}`);
    if (passage.isWellFormed() !== true && text.isWellFormed()) problems.push(`half a character at ${start}`);
    if (2 * estimateTokens(context) > chunkTokens + 2) problems.push(`long context at ${start}`);
    let place = 0;
    for (const title of context === '' ? [] : context.split(' > ')) {
      place = text.indexOf(title, place) + title.length;
      if (place < title.length || place > start) problems.push(`no heading ${title} above ${start}`);
    }
    if (start > covered && text.slice(covered, start).trim() !== '') problems.push(`text lost before ${start}`);
    covered = end;
    before = { start, end };
  }
  if (text.slice(covered).trim() !== '') problems.push('text lost at the end');
  return problems;
}

describe('cutting of texts', () => {
  it('loses nothing, and keeps passages within their size, whatever the text', () => {
    const cut = fc.property(texts, sizes, (pieces, size) => {
      const text = pieces.join('');
      expect(problemsOf(text, size, cutText(text, size))).to.deep.equal([]);
    });
    holds(cut);
  });
});
