import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { allCodes } from '../../src/contract/codes/codes.ts';
import { REASONS, RIGHTS_REASONS, STORE_REASONS } from '../../src/contract/codes/reasons.ts';
import { PROVIDER_NAMES } from '../../src/contract/families/llmProviders.ts';
import { table } from '../../src/table.ts';
import { project } from '../support/e2e/build.ts';
import { allPages, anchors, guidePages, links, type Page, prose } from './markdown.ts';

/** What is wrong with a link of a page; undefined when it leads somewhere. */
function broken(page: Page, target: string, pages: ReadonlyMap<string, Page>): string | undefined {
  if (/^(https?|mailto):/.test(target)) return undefined;
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? page.path : normalize(join(dirname(page.path), decodeURIComponent(file)));
  if (path.startsWith('..') || !existsSync(join(project, path))) return 'leads to no file';
  if (anchor === undefined) return undefined;
  const other = pages.get(path);
  if (!other) return statSync(join(project, path)).isDirectory() ? 'has an anchor in a folder' : undefined;
  return anchors(other).has(anchor) ? undefined : 'leads to no heading';
}

/** What the first cells of tables name. */
const firstCells = (lines: readonly string[]): string[] =>
  lines.flatMap((line) =>
    [...(/^\|([^|]+)\|/.exec(line)?.[1] ?? '').matchAll(/`([a-z0-9_]+)`/g)].map(([, name = '']) => name),
  );

describe('documents', () => {
  const pages = new Map(allPages().map((page) => [page.path, page]));

  it('have links that lead to files and headings', () => {
    const all = [...pages.values()].flatMap((page) =>
      links(page).map(({ target, line }) => ({ where: `${page.path}:${line}`, target, page })),
    );
    const wrong = all.flatMap(({ where, target, page }) => {
      const why = broken(page, target, pages);
      return why ? [`${where}: ${target} ${why}`] : [];
    });
    expect(wrong).to.deep.equal([]);
    expect(all.length).to.be.greaterThan(30);
  });

  it('name no page that the repository lacks', () => {
    const named = [...pages.values()].flatMap((page) =>
      prose(page).flatMap((line) =>
        [...line.matchAll(/`([\w./-]+\.md)(?:#[\w-]*)?`/g)].map(([, name = '']) => ({ path: page.path, name })),
      ),
    );
    const missing = named.filter(
      ({ path, name }) => !existsSync(join(project, name)) && !existsSync(join(project, dirname(path), name)),
    );
    expect(missing).to.deep.equal([]);
    expect(named).to.not.have.length(0);
  });

  it('sees a link that leads nowhere', () => {
    const page: Page = {
      path: 'docs/errors.md',
      lines: ['# A `b`, c!', '[x](../README.md#no-such) [y](no.md) [z](#a-b-c)'],
      blocks: [],
    };
    const known = new Map([...pages, [page.path, page]]);
    expect(links(page).map(({ target }) => broken(page, target, known))).to.deep.equal([
      'leads to no heading',
      'leads to no file',
      undefined,
    ]);
  });

  it('can all be reached from the README', () => {
    const seen = new Set(['README.md']);
    for (const path of seen) {
      for (const { target } of links(pages.get(path) as Page)) {
        const next = normalize(join(dirname(path), target.split('#')[0] ?? ''));
        if (pages.has(next)) seen.add(next);
        for (const other of pages.keys())
          if (target.endsWith('/') && dirname(other) === next.replace(/\/$/, '')) seen.add(other);
      }
    }
    const shipped = ['app/README.md', 'client/README.md'];
    const lost = [...pages.keys()].filter((path) => !seen.has(path) && !shipped.includes(path));
    expect(lost).to.deep.equal([]);
  });

  it('name only npm scripts that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    const named = [...pages.values()].flatMap(({ path, lines }) =>
      lines.flatMap((line) =>
        [...line.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map((match) => ({ path, name: match[1] })),
      ),
    );
    expect(named.filter(({ name }) => !(String(name) in scripts))).to.deep.equal([]);
  });

  it('have every resource of the table on a page of the guide', () => {
    const guide = guidePages()
      .flatMap(({ lines }) => lines)
      .join('\n');
    const resources = new Set(table.map(({ path }) => path.split('/').slice(0, 3).join('/')));
    expect([...resources].filter((path) => !new RegExp(`${path}(?![\\w])`).test(guide))).to.deep.equal([]);
  });

  it('have a row for every service of language models', () => {
    const page = guidePages().find(({ path }) => path === 'docs/guide/llm-providers.md') as Page;
    const rows = prose(page).flatMap((line) => /^\| `([A-Z]\w+)` \|/.exec(line)?.[1] ?? []);
    expect(rows).to.have.members([...PROVIDER_NAMES]);
  });

  it('explain each error code in troubleshooting, and no other', () => {
    const guide = guidePages();
    const page = guide.find(({ path }) => path === 'docs/guide/troubleshooting.md') as Page;
    const lines = prose(page);
    const reasons = [lines.indexOf('## Containers'), lines.indexOf('## Servers outside')] as const;
    expect(firstCells(lines.slice(...reasons)).filter((name) => name in REASONS)).to.have.members(Object.keys(REASONS));
    const rows = firstCells(lines.toSpliced(reasons[0], reasons[1] - reasons[0]));
    const codes = allCodes().map(({ code }) => code as string);
    const others = Object.keys({ ...STORE_REASONS, ...RIGHTS_REASONS });
    const named = rows.filter((name) => name.includes('_') || codes.includes(name) || others.includes(name));
    expect(named).to.have.members([...codes, ...others]);
  });
});
