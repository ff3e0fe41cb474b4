import { expect } from 'chai';

interface Visible {
  escapeMisleading(text: string): string;
  withVisibleCharacters(text: string): string;
}
interface Element {
  props: Record<string, unknown>;
}
interface Runtime {
  jsx(type: string, props: object): Element;
  jsxs(type: string, props: object): Element;
}

// The types of the pages are compiled separately.
const load = (file: string) => import(new URL(`../../../console/parts/text/${file}`, import.meta.url).href);
const { escapeMisleading, withVisibleCharacters }: Visible = await load('visible.ts');
const { jsx, jsxs }: Runtime = await load('jsxRuntime.ts');

describe('the console: characters that are not displayed', () => {
  it('are shown by their number', () => {
    expect(withVisibleCharacters('a\u200bb\u202ec\u{e0041} d\u00e4\n')).to.equal(
      'a[U+200B]b[U+202E]c[U+E0041] d\u00e4\n',
    );
    expect(withVisibleCharacters('a\u0007b\u009bc\td\r\n')).to.equal('a[U+0007]b[U+009B]c\td\r\n');
  });

  it('stay in text of people where emoji and scripts need them', () => {
    const family = '\u{1f468}\u200d\u{1f469} \u2764\ufe0f \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645';
    expect(escapeMisleading(family)).to.equal(family);
    expect(escapeMisleading('a\u202eb\u2066c\u200bd\ufeffe\u0000f\u{e0041}')).to.equal(
      'a[U+202E]b[U+2066]c[U+200B]d[U+FEFF]e[U+0000]f[U+E0041]',
    );
  });

  it('are in no text that an element shows, and in every value that it keeps', () => {
    const { props } = jsx('button', {
      children: 'a\u202e',
      label: 'b\u202e',
      'aria-label': 'c\u202e',
      value: 'd\u202e',
    });
    expect(props).to.deep.equal({
      children: 'a[U+202E]',
      label: 'b[U+202E]',
      'aria-label': 'c[U+202E]',
      value: 'd\u202e',
    });
    const child = jsx('b', {});
    expect(jsxs('p', { children: ['a\u202e', child, ['b\u202e']] }).props.children).to.deep.equal([
      'a[U+202E]',
      child,
      ['b[U+202E]'],
    ]);
    const given = { children: ['a', child] };
    expect(jsxs('p', given).props.children).to.equal(given.children);
  });
});
