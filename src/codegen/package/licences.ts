import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that require nothing but their notice. */
const ALLOWED = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense']);
const TEXT_FILE = /^(?:(?:un)?licen[cs]e|copying|notice)(?:[-.](?:md|txt|mit|apache|bsd))?$/i;
/** A shorter README section names the licence without its text. */
const SHORTEST_TEXT = 400;

export interface Manifest {
  name: string;
  version: string;
  license?: string | { type: string };
  licenses?: { type: string }[];
  author?: string | { name?: string; email?: string };
}

export interface Licence {
  /** As the package declares it: an SPDX expression. */
  declared: string;
  /** The licence chosen from the declared alternatives; several, joined with `AND`, if all of them apply. */
  id: string;
  text: string;
}

/**
 * The licence of a package with its text: from its licence file, its README, or the standard text with the author named in
 * its manifest.
 * @param root the project, whose LICENSE is the standard text of Apache-2.0
 * @returns a string with the problem if the package must not ship
 */
export function licenceOf(root: string, folder: string, manifest: Manifest): Licence | string {
  const declared = declaredBy(manifest);
  if (declared === undefined) return 'declares no licence';
  const id = chosen(declared);
  if (id === undefined) return `is under ${declared}, which is not on the list of licences that may ship`;
  const text = bundledText(folder) ?? readmeText(folder) ?? standardText(root, folder, id, manifest);
  return text === undefined ? `has no text of its licence (${id})` : { declared, id, text };
}

function declaredBy({ license, licenses }: Manifest): string | undefined {
  const named = typeof license === 'object' ? license.type : license;
  // Some packages write the operator in small letters, which SPDX does not allow.
  return (named ?? licenses?.map(({ type }) => type).join(' OR '))?.replaceAll(' and ', ' AND ');
}

function chosen(declared: string): string | undefined {
  const alternatives = declared.replace(/^\(|\)$/g, '').split(' OR ');
  return alternatives.find((each) => each.split(' AND ').every((id) => ALLOWED.has(id)));
}

function bundledText(folder: string): string | undefined {
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (each) => each.isFile() && TEXT_FILE.test(each.name),
  );
  const texts = files.map(({ name }) => tidy(readFileSync(join(folder, name), 'utf8'))).filter(Boolean);
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

function readmeText(folder: string): string | undefined {
  const [, , after = ''] = /^(#+\s*licen[cs]e|licen[cs]e\n[-=]+)\s*$([\s\S]*)/im.exec(readme(folder)) ?? [];
  const text = tidy(after.split(/^#+ /m)[0] ?? '');
  return text.length >= SHORTEST_TEXT && /copyright/i.test(text) ? text : undefined;
}

function standardText(root: string, folder: string, id: string, manifest: Manifest): string | undefined {
  const author = typeof manifest.author === 'object' ? manifest.author.name : manifest.author;
  const line = /^.*(copyright (?:©|\(c\)) .*)$/im.exec(readme(folder))?.[1];
  if (author === undefined && line === undefined) return undefined;
  const holder = line?.trim() ?? `Copyright (c) ${author}`;
  const note = 'The package has no file with its licence; this is the standard text of the one that it declares.';
  if (id === 'MIT') return `${note}\n\n${holder}\n\n${MIT}`;
  if (id === 'Apache-2.0') return `${note}\n\n${holder}\n\n${tidy(readFileSync(join(root, 'LICENSE'), 'utf8'))}`;
  return undefined;
}

function readme(folder: string): string {
  const file = join(folder, 'README.md');
  return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : '';
}

/** Trims line ends and blank lines at both ends, but keeps the first line's indentation. */
function tidy(text: string): string {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trimEnd());
  const hasText = (line: string) => line !== '';
  return lines.slice(Math.max(0, lines.findIndex(hasText)), lines.findLastIndex(hasText) + 1).join('\n');
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
