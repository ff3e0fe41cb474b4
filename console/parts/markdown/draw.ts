import MarkdownIt, { type Token } from 'markdown-it';
import { Fragment, createElement as make, type ReactNode } from 'react';
import { escapeMisleading } from '../text/visible.ts';

/** The parser leaves out deeper nesting, since each level nests elements of the page. */
const MOST_NESTING = 30;

const parser = new MarkdownIt('default', { html: false, linkify: false, maxNesting: MOST_NESTING });

/** The elements that a text can become; everything else in it stays text. */
const BLOCKS = ['p', 'ul', 'ol', 'li', 'blockquote', 'thead', 'tbody', 'tr', 'th', 'td'] as const;
const PHRASES = ['em', 'strong', 's'] as const;
const BLOCK_TAGS: ReadonlySet<string> = new Set(BLOCKS);
const PHRASE_TAGS: ReadonlySet<string> = new Set(PHRASES);

/** An element whose end has not been reached. */
interface OpenElement {
  token?: Token;
  children: ReactNode[];
}

/**
 * Draws Markdown as elements of a fixed list, made without HTML: it cannot run anything, and loads nothing. Images are their
 * text and address; links show where they lead, and open apart from this page.
 */
export const drawMarkdown = (text: string): ReactNode[] => drawTokens(parser.parse(escapeMisleading(text), {}));

function drawTokens(tokens: readonly Token[]): ReactNode[] {
  const top: OpenElement = { children: [] };
  const opened: OpenElement[] = [top];
  for (const [index, token] of tokens.entries()) {
    const here = opened.at(-1) ?? top;
    if (token.nesting > 0) opened.push({ token, children: [] });
    else if (token.nesting === 0) here.children.push(leafOf(token, index));
    else if (opened.length > 1) {
      opened.pop();
      (opened.at(-1) ?? top).children.push(elementOf(here.token ?? token, here.children, index));
    }
  }
  return top.children;
}

function leafOf(token: Token, key: number): ReactNode {
  const { type, content, children } = token;
  switch (type) {
    case 'inline':
      return drawTokens(children ?? []);
    case 'hardbreak':
      return make('br', { key });
    case 'softbreak':
      return '\n';
    case 'hr':
      return make('hr', { key });
    case 'code_inline':
      return make('code', { key }, content);
    case 'fence':
    case 'code_block':
      return make('pre', { key }, make('code', null, content));
    case 'image':
      return `[image: ${content}] (${token.attrGet('src') ?? ''})`;
    default:
      return content;
  }
}

function elementOf(token: Token, children: ReactNode[], key: number): ReactNode {
  const { tag } = token;
  if (tag === 'a') return linkOf(String(token.attrGet('href') ?? ''), children, key);
  // The focus lets the keyboard scroll wide tables.
  const scrolling = { key, role: 'region', 'aria-label': 'Table', tabIndex: 0, style: { overflowX: 'auto' } } as const;
  if (tag === 'table') return make('div', scrolling, make('table', null, children));
  // The page itself has the first two levels.
  if (/^h[1-6]$/.test(tag)) return make(`h${Math.min(6, Number(tag[1]) + 2)}`, { key, dir: 'auto' }, children);
  if (tag === 'p' && token.hidden) return children;
  if (tag === 'ol') return make(tag, { key, start: startOf(token) }, children);
  if (BLOCK_TAGS.has(tag)) return make(tag, { key, dir: 'auto' }, children);
  return PHRASE_TAGS.has(tag) ? make(tag, { key }, children) : children;
}

function startOf(token: Token): number | undefined {
  const start = Number(token.attrGet('start') ?? Number.NaN);
  return Number.isSafeInteger(start) ? start : undefined;
}

function linkOf(to: string, words: ReactNode[], key: number): ReactNode {
  const after = words.length === 1 && words[0] === to ? '' : ` (${escapeMisleading(to)})`;
  const isWeb = URL.canParse(to) && /^https?:$/.test(new URL(to).protocol);
  if (!isWeb) return make(Fragment, { key }, words, after);
  const apart = {
    href: to,
    target: '_blank',
    rel: 'noopener noreferrer nofollow',
    referrerPolicy: 'no-referrer',
  } as const;
  return make(Fragment, { key }, make('a', apart, words), after);
}
