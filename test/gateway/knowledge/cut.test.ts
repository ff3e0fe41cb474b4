import { expect } from 'chai';
import { cutText } from '../../../src/gateway/knowledge/cut.ts';
import { estimateTokens } from '../../../src/metering/tokens.ts';

const passagesOf = (text: string, chunkTokens = 40, overlapTokens = 0): string[] =>
  cutText(text, { chunkTokens, overlapTokens }).map(({ start, end }) => text.slice(start, end));

const sentence = (index: number) => `This is the sentence number ${index}.`;
const sentences = (count: number) => Array.from({ length: count }, (_, index) => sentence(index));

describe('passages of a text', () => {
  it('are one for a short text, and none for white space', () => {
    expect(passagesOf('Restart the service.')).to.deep.equal(['Restart the service.']);
    expect(passagesOf(' \n\t\n ')).to.deep.equal([]);
  });

  it('begin at headings, which stay with their text', () => {
    const text = 'Intro.\n\n# Disk\n\n## Full\n\nDelete logs.\n\nClosing ##\n---\nMore.\n# End';
    expect(passagesOf(text)).to.deep.equal([
      'Intro.',
      '# Disk\n\n## Full\n\nDelete logs.',
      'Closing ##\n---\nMore.',
      '# End',
    ]);
    const long = `# Disk\n\n${sentences(9).join(' ')}`;
    expect(passagesOf(long)[0]).to.match(/^# Disk\n\nThis is the sentence number 0\./);
  });

  it('take comments in code for what they are', () => {
    expect(passagesOf('Run:\n```sh\n# no heading\nls\n```\nThen #1.')).to.have.length(1);
    expect(passagesOf('#no heading\ntext\n    # code')).to.have.length(1);
  });

  it('end between paragraphs, else between sentences, words, and at last characters', () => {
    const paragraphs = [0, 3, 6].map((from) => [0, 1, 2].map((index) => sentence(from + index)).join(' '));
    expect(passagesOf(paragraphs.join('\n\n'), 40)).to.deep.equal(paragraphs);
    for (const passage of passagesOf(sentences(20).join(' '))) expect(passage).to.match(/^This .*\.$/);
    for (const passage of passagesOf('lorem ipsum '.repeat(60))) expect(passage).to.match(/^(?:(?:lorem|ipsum) ?)+$/);
    const whole = '😀'.repeat(300);
    const pieces = passagesOf(whole);
    expect(pieces.join('')).to.equal(whole);
    expect(pieces.every((piece) => piece.isWellFormed())).to.equal(true);
    expect(Math.max(...pieces.map(estimateTokens))).to.equal(40);
  });

  it('repeat whole sentences of the passage before, but not over a heading', () => {
    const text = sentences(20).join(' ');
    const passages = passagesOf(text, 40, 12);
    for (const [index, passage] of passages.slice(1).entries()) {
      const [first] = passage.split(/(?<=\.) /) as [string];
      expect(passages[index]?.endsWith(first), passage).to.equal(true);
    }
    expect(passagesOf('# A\nOne two three.\n# B\nFour five six.', 40, 12)).to.have.length(2);
    expect(passagesOf('x'.repeat(300), 40, 39).map(({ length }) => length)).to.deep.equal([140, 140, 140, 90]);
  });

  it('are those of a text with offsets in UTF-16', () => {
    const text = '😀 one.\n\n# two 😀';
    expect(cutText(text, { chunkTokens: 40, overlapTokens: 0 })).to.deep.equal([
      { start: 0, end: 7 },
      { start: 9, end: 17 },
    ]);
  });
});
