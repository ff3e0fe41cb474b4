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
      { start: 0, end: 7, context: '' },
      { start: 9, end: 17, context: '' },
    ]);
  });

  describe('have as their context', () => {
    const contextsOf = (text: string, chunkTokens = 40) =>
      cutText(text, { chunkTokens, overlapTokens: 0 }).map(({ context }) => context);

    it('the titles of the headings above, not of those within', () => {
      const text =
        'In.\n\n# Disk #\n\nOne.\n\n## Full\n\n### Logs\n\nTwo.\n\n## Slow\nThree.\n\n# C#\n\nFour.\n### Deep\nFive.';
      expect(contextsOf(text)).to.deep.equal(['', '', 'Disk', 'Disk', '', 'C#']);
    });

    it('those within the passage before it, where a part goes on', () => {
      const contexts = contextsOf(`Disk\n====\n\nOne.\n\nFull\n---\n\n${sentences(9).join(' ')}`);
      expect(contexts.slice(0, 3)).to.deep.equal(['', 'Disk', 'Disk > Full']);
      expect(contextsOf('   # Disk\nOne.')).to.deep.equal(['']);
    });

    it('no comments in code, and no lines without a title', () => {
      expect(contextsOf('# A\n---\n```sh\n# no\n```\n#\n## B\nOne.\n### C\nTwo.')).to.deep.equal(['', '', 'B']);
    });

    it('the nearest ones that take no more than half of a passage, and no more than 300 characters', () => {
      const text = [1, 2, 3, 4]
        .map((level) => `${'#'.repeat(level)} ${String(level).repeat(100)}\n\nText.`)
        .join('\n\n');
      const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(100)) as [string, string, string];
      expect(contextsOf(text, 400)).to.deep.equal(['', one, `${one} > ${two}`, `${two} > ${three}`]);
      expect(contextsOf(text, 60)).to.deep.equal(['', one, two, three]);
      expect(contextsOf(text, 50)).to.deep.equal(['', '', '', '']);
      expect(contextsOf(`# ${'long '.repeat(40)}\nOne.\n## Two\nThree.`, 400)).to.deep.equal(['', '']);
    });
  });
});
