import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { project } from '../support/e2e/build.ts';

export interface Block {
  language: string;
  text: string;
  /** Line of the opening fence, from 1. */
  line: number;
}

export interface Page {
  /** Path below the project's folder. */
  path: string;
  lines: string[];
  blocks: Block[];
}

const SKIPPED = new Set(['node_modules', 'dist', 'build', '.git', '.platform', '.venv', 'fixtures']);

/** Every Markdown file of the repository. */
export function allPages(): Page[] {
  return below(project).map(readPage);
}

function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return below(path);
    return entry.name.endsWith('.md') ? [relative(project, path)] : [];
  });
}

/** The pages whose examples are run. */
export function guidePages(): Page[] {
  const guide = readdirSync(join(project, 'docs/guide'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return ['README.md', ...guide.sort().map((name) => `docs/guide/${name}`)].map(readPage);
}

export function readPage(path: string): Page {
  const lines = readFileSync(join(project, path), 'utf8').split('\n');
  const blocks: Block[] = [];
  let open: (Block & { indent: number; fence: string; body: string[] }) | undefined;
  for (const [index, line] of lines.entries()) {
    const fence = /^( *)(`{3,})(.*)$/.exec(line);
    if (!open && fence) {
      const [, indent = '', ticks = '', language = ''] = fence;
      open = {
        language: language.trim(),
        text: '',
        line: index + 1,
        indent: indent.length,
        fence: ticks,
        body: [],
      };
    } else if (open && line.trim() === open.fence) {
      blocks.push({ language: open.language, text: open.body.join('\n'), line: open.line });
      open = undefined;
    } else open?.body.push(line.slice(open.indent));
  }
  if (open) throw new Error(`${path}:${open.line}: this block never ends`);
  return { path, lines, blocks };
}

/** The page without its blocks and code spans: where links and headings stand. Line numbers stay. */
export function prose({ lines, blocks }: Page): string[] {
  const inBlock = new Set(
    blocks.flatMap(({ line, text }) => Array.from({ length: text.split('\n').length + 2 }, (_, i) => line + i)),
  );
  return lines.map((line, index) => (inBlock.has(index + 1) ? '' : line));
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchors(page: Page): Set<string> {
  const found = new Set<string>();
  for (const line of prose(page)) {
    const title = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    if (title === undefined) continue;
    const plain = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replace(/ /g, '-');
    let name = slug;
    for (let n = 1; found.has(name); n += 1) name = `${slug}-${n}`;
    found.add(name);
  }
  return found;
}

/** Targets of the page's links with their lines. */
export function links(page: Page): { target: string; line: number }[] {
  return prose(page).flatMap((line, index) => {
    const plain = line.replace(/`[^`]*`/g, '');
    const inline = [...plain.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)];
    const references = [...plain.matchAll(/^ {0,3}\[[^\]]+\]:\s*(\S+)/g)];
    return [...inline, ...references].map((match) => ({ target: match[1] ?? '', line: index + 1 }));
  });
}
