import { expect } from 'chai';
import { isInstalled, needs } from '../support/programs/part.ts';
import { isRun, Reader, steps } from './guide.ts';
import { guidePages } from './markdown.ts';
import { differences, lastDocument } from './same.ts';

const LANGUAGES = new Set([
  'sh',
  'sh docker',
  'sh python',
  'json',
  'console',
  'ini',
  'text',
  'spl',
  'python',
  'dockerfile',
  'js',
]);

describe('examples of the guide', function () {
  this.timeout(300_000);
  let reader: Reader;
  before(async function () {
    needs(this, isInstalled('curl'), 'curl');
    reader = await Reader.start();
  });
  after(() => reader?.stop());

  for (const page of guidePages()) {
    it(`${page.path} does what it shows`, async () => {
      const plain = steps(page).filter(({ block }) => block.language === 'sh' || block.language === 'spl');
      await reader.follow(page, plain);
    });

    it(`${page.path} has only blocks of known kinds, each output after its command`, () => {
      for (const [index, { language, line }] of page.blocks.entries()) {
        const where = `${page.path}:${line}`;
        expect(LANGUAGES, where).to.include(language);
        if (language === 'json') expect(page.blocks[index - 1], where).to.satisfy(isRun);
      }
    });
  }

  it('leave nothing behind', () => reader.assertNothingLeft());
});

describe('reading of examples', () => {
  it('takes the last document of an output', () => {
    expect(lastDocument('text {"a": "}"}{"b": [1, "\\"]"]}\n')).to.deep.equal({ b: [1, '"]'] });
    expect(() => lastDocument('{"a": 1} and more')).to.throw('no JSON document');
    expect(() => lastDocument('')).to.throw('no JSON document');
  });

  it('sees every difference', () => {
    const example = { a: '…', b: [1, '…'], c: 'from … to …', d: { e: 1 } };
    expect(differences(example, { a: { any: 1 }, b: [1, 2, 3], c: 'from 1 to 2', d: { e: 1 } })).to.deep.equal([]);
    expect(differences(example, { a: null, b: [2], c: 'from 1', d: { e: 1, f: 2 }, g: 3 })).to.deep.equal([
      '$.b[0] is 2 instead of 1',
      '$.c is "from 1" instead of "from … to …"',
      '$.d.f is not in the example: 2',
      '$.g is not in the example: 3',
    ]);
    expect(differences({ a: '…' }, {})).to.deep.equal(['$.a is missing']);
    expect(differences([1], [1, 2])).to.deep.equal(['$: 2 entries instead of 1']);
    expect(differences(1, '1')).to.deep.equal(['$ is "1" instead of 1']);
  });
});
