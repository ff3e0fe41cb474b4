import { expect } from 'chai';
import { createElement, Fragment, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

interface Claim {
  texts: readonly string[];
  isCased: boolean;
  isCut: boolean;
}
interface Mark {
  from: number;
  to: number;
  claim: number;
}
interface Part {
  text: string;
  key: string;
  isEnd: boolean;
  isInLink: boolean;
}
interface Modules {
  findMarks(text: string, claims: readonly Claim[]): Mark[];
  textOf(nodes: ReactNode): string;
  withMarks(nodes: ReactNode, marks: readonly Mark[], draw: (mark: Mark, part: Part) => ReactNode): ReactNode;
  drawMarkdown(text: string): ReactNode[];
}

// The types of the pages are compiled separately.
const load = (name: string) => import(new URL(`../../../console/parts/${name}.ts`, import.meta.url).href);
const { findMarks, textOf, withMarks, drawMarkdown }: Modules = {
  ...(await load('evidence/marks')),
  ...(await load('evidence/markNodes')),
  ...(await load('markdown/draw')),
};

const claim = (text: string, more: Partial<Claim> = {}): Claim => ({
  ...{ texts: [text], isCased: false, isCut: false },
  ...more,
});

/** The text with brackets around what is marked, and the number of the claim where there are several. */
function marked(text: string, ...claims: (string | Claim)[]): string {
  const list = claims.map((each) => (typeof each === 'string' ? claim(each) : each));
  const marks = findMarks(text, list);
  const end = marks.at(-1)?.to ?? 0;
  const parts = marks.map(({ from, to, claim: index }, place) => {
    const before = text.slice(marks[place - 1]?.to ?? 0, from);
    return `${before}[${list.length > 1 ? `${index}:` : ''}${text.slice(from, to)}]`;
  });
  return parts.join('') + text.slice(end);
}

describe('marks at the claims of an answer', () => {
  for (const [what, expected, text, ...claims] of [
    ['each occurrence', '[db-3], [DB-3] and ([db-3]).', 'db-3, DB-3 and (db-3).', 'db-3'],
    ['no part of a number', '10.0.0.55, 110.0.0.5, [10.0.0.5].', '10.0.0.55, 110.0.0.5, 10.0.0.5.', '10.0.0.5'],
    ['no part of a longer name', 'www.db.test db.test.org [db.test]', 'www.db.test db.test.org db.test', 'db.test'],
    ['no part of a mail address', 'anna@x.test CORP\\anna [anna]', 'anna@x.test CORP\\anna anna', 'anna'],
    ['no group of digits', '1,042 and 42,1 and [42], [42]', '1,042 and 42,1 and 42, 42', '42'],
    ['a word before a sign', "[anna]'s [anna]: [anna], [anna]!", "anna's anna: anna, anna!", 'anna'],
    ['a number before a port', '[10.0.0.5]:443', '10.0.0.5:443', '10.0.0.5'],
    ['a value with a unit', 'It has [512 MB].', 'It has 512 MB.', '512 MB'],
    ['a value over two lines', 'It has [512\nMB].', 'It has 512\nMB.', '512 MB'],
    ['a part of a word where there is no other', '[db-3].example.org', 'db-3.example.org', 'db-3'],
    ['nothing inside of a word', 'xdb-3x', 'xdb-3x', 'db-3'],
    ['nothing that is not there', 'nothing', 'nothing', 'db-3'],
    ['words between letters of other scripts', '用户[anna]登录', '用户anna登录', 'anna'],
    ['no part of a word of another script', 'नमस्ते [नमस्]', 'नमस्ते नमस्', 'नमस्'],
    [
      'text from right to left',
      'הכתובת [203.0.113.7] והמשתמש [דנה]',
      'הכתובת 203.0.113.7 והמשתמש דנה',
      '203.0.113.7',
      'דנה',
    ],
    ['emoji beside it', '🔥[db-3]🔥', '🔥db-3🔥', 'db-3'],
    ['an empty text nowhere', 'x', 'x', ''],
  ] as const)
    it(`are ${what}`, () => {
      const numbers = claims.length > 1 ? claims.entries() : [];
      const numbered = [...numbers].reduce<string>(
        (line, [index, each]) => line.replace(`[${each}`, `[${index}:${each}`),
        expected,
      );
      expect(marked(text, ...claims)).to.equal(numbered);
    });

  it('are of the longer claim where two overlap', () => {
    const url = 'https://evil.test/a?ip=10.0.0.5';
    expect(marked(`${url} and evil.test and 10.0.0.5`, 'evil.test', '10.0.0.5', url)).to.equal(
      `[2:${url}] and [0:evil.test] and [1:10.0.0.5]`,
    );
    expect(marked('9 am Monday', 'am Monday', '9 am')).to.equal('9 [0:am Monday]');
  });

  it('tell large letters from small ones only for files and paths', () => {
    expect(marked('/Tmp/a /tmp/a', claim('/tmp/a', { isCased: true }))).to.equal('/Tmp/a [/tmp/a]');
    expect(marked('ABC', 'abc')).to.equal('[ABC]');
    // Its small letter is longer.
    expect(marked('İ db-3', 'DB-3')).to.equal('İ [db-3]');
  });

  it('are at the start of a claim that was cut', () => {
    expect(marked('abcdef', claim('abc', { isCut: true }))).to.equal('[abc]def');
    expect(marked('xabcdef', claim('abc', { isCut: true }))).to.equal('xabcdef');
  });

  it('are found for many claims in a long text at once', () => {
    const claims = Array.from({ length: 200 }, (_, index) => claim(`10.1.${index}.7`));
    const text = claims.map(({ texts }) => `${texts[0]} ${'word '.repeat(45)}`).join('\n');
    expect(text.length).to.be.above(45_000);
    expect(findMarks(text, claims)).to.have.length(200);
  });
});

describe('marks in drawn Markdown', () => {
  /** HTML of the Markdown, with `u` for marks. */
  function drawn(text: string, ...texts: string[]): string {
    const nodes = drawMarkdown(text);
    const marks = findMarks(
      textOf(nodes),
      texts.map((each) => claim(each)),
    );
    const result = withMarks(nodes, marks, ({ claim: index }, { text: words, key, isEnd, isInLink }) =>
      createElement('u', { key, id: `${index}${isEnd ? '' : '-'}${isInLink ? 'a' : ''}` }, words),
    );
    return renderToStaticMarkup(createElement(Fragment, null, result)).replaceAll(' dir="auto"', '');
  }

  for (const [what, expected, text, ...texts] of [
    ['in a paragraph', '<p>on <u id="0">db-3</u>, <u id="0">db-3</u></p>', 'on db-3, db-3', 'db-3'],
    ['in code', '<p><code><u id="0">db-3</u></code></p>', '`db-3`', 'db-3'],
    ['in a fence', '<pre><code>on <u id="0">db-3</u>\n</code></pre>', '```\non db-3\n```', 'db-3'],
    ['in a list', '<ul><li><u id="0">db-3</u></li></ul>', '- db-3', 'db-3'],
    [
      'split by emphasis',
      '<p>on <strong><u id="0-">10.0</u></strong><u id="0">.0.5</u>!</p>',
      'on **10.0**.0.5!',
      '10.0.0.5',
    ],
    [
      'two that share a part of the text',
      '<p><em><u id="0">anna</u> on <u id="1-">db</u></em><u id="1">-3</u></p>',
      '*anna on db*-3',
      ...['anna', 'db-3'],
    ],
    ['not across paragraphs', '<p>10.0</p><p>.0.5</p>', '10.0\n\n.0.5', '10.0.0.5'],
    ['not in headings', '<h3>db-3</h3><p><u id="0">db-3</u></p>', '# db-3\n\ndb-3', 'db-3'],
    ['as text, never as HTML', '<p>&lt;b&gt;<u id="0">db-3</u>&lt;/b&gt;</p>', '<b>db-3</b>', 'db-3'],
    ['that look like HTML', '<p><u id="0">&lt;b&gt;x</u></p>', '<b>x', '<b>x'],
  ] as const)
    it(`are ${what}`, () => {
      expect(drawn(text, ...texts)).to.equal(expected);
    });

  it('are in cells, each for itself', () => {
    const html = drawn('| a | b |\n|---|---|\n| db-3 | 10 |\n| db | 42 |', 'db-3', '42');
    expect(html).to.contain('<td><u id="0">db-3</u></td><td>10</td>').and.to.contain('<td><u id="1">42</u></td>');
  });

  it('know that they stand in a link, and where a link leads is marked, too', () => {
    const html = drawn('[db-3](https://evil.test/x)', 'db-3', 'https://evil.test/x');
    expect(html).to.match(/<a [^>]*><u id="0a">db-3<\/u><\/a> \(<u id="1">https:\/\/evil\.test\/x<\/u>\)/);
  });

  it('change nothing else', () => {
    const text = '# T\n\na *b* `c` [d](https://e.test/) \n\n> q\n\n1. x\n2. y\n\n![i](z)\n\n---\n\nl  \nm';
    const plain = renderToStaticMarkup(createElement(Fragment, null, drawMarkdown(text))).replaceAll(' dir="auto"', '');
    expect(drawn(text)).to.equal(plain);
    expect(drawn(text, 'b', 'x', 'q', 'm').replaceAll(/<\/?u[^l>]*>/g, '')).to.equal(plain);
  });
});
