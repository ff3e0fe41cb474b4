import { LEAST_EVERYWHERE } from '../policy/kinds.ts';
import { Lookup } from '../spans/lookup.ts';
import { isEmbeddedJson, isWithoutText, keyOf, type Path } from './bodyPaths.ts';
import type { Placeholders } from './placeholders.ts';
import { isWithin, type PlaceholderWord, type WordFinder } from './words.ts';

/**
 * Looks in a finished body for values that were masked, as they are, escaped for JSON at any depth, and for URLs. It reads the body
 * anew, without the rules that found the values.
 * @param kept texts that are not looked at, such as names
 * @returns the kind of the first value that is left; undefined as it must be
 */
export function residueKind(
  body: string,
  placeholders: Placeholders,
  finder: WordFinder,
  kept: ReadonlySet<string> = new Set(),
): string | undefined {
  const lookup = new Lookup<string>();
  let isEmpty = true;
  for (const [{ kind }, spellings] of placeholders.entries) {
    for (const spelling of spellings) {
      if (spelling.length < LEAST_EVERYWHERE) continue;
      isEmpty = false;
      for (const form of [spelling, unescaped(spelling), unescaped(JSON.stringify(spelling).slice(1, -1))]) {
        lookup.add(form, kind);
      }
    }
  }
  if (isEmpty) return undefined;
  for (const text of textsOf(body, kept)) {
    const kind = formsOf(text)
      .map((form) => kindIn(form, lookup, finder, placeholders))
      .find((left) => left !== undefined);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** A text as it is, and without the escapes of JSON and URLs. */
function formsOf(text: string): string[] {
  const plain = text.includes('\\') ? unescaped(text) : text;
  const decoded = plain.includes('%') ? plain.replace(/(?:%[0-9a-f]{2})+/gi, decodedOrNot) : plain;
  return [...new Set([text, plain, decoded])];
}

/** Any number of backslashes before a character as one, and none before a quote or slash. */
const unescaped = (text: string): string =>
  text.replace(/\\+(?:u([0-9a-f]{4})|(["/]))?/gi, (_, hex?: string, mark?: string) =>
    hex === undefined ? (mark ?? '\\') : String.fromCharCode(Number.parseInt(hex, 16)),
  );

function decodedOrNot(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

/** A value may read as the label of a placeholder, as the user `mail`. */
function kindIn(
  text: string,
  lookup: Lookup<string>,
  finder: WordFinder,
  placeholders: Placeholders,
): string | undefined {
  let words: PlaceholderWord[] | undefined;
  for (const { start, end, value } of lookup.hits(text, true)) {
    words ??= [...finder.words(text)].filter(({ code }) => placeholders.get(code));
    if (!isWithin(words, start, end)) return value;
  }
  return undefined;
}

function textsOf(body: string, kept: ReadonlySet<string>): string[] {
  const value = parsed(body);
  if (value === undefined) return [body];
  const texts: string[] = [];
  const walk = (item: unknown, path: Path, parent: object): void => {
    if (typeof item === 'string') {
      const key = keyOf(path);
      const inner = isEmbeddedJson(key) ? parsed(item) : undefined;
      if (typeof inner === 'object') walk(inner, path, parent);
      else if (!kept.has(dataOf(item)) && !isWithoutText(key, item, parent)) texts.push(item);
    } else if (typeof item === 'object' && item !== null) {
      for (const [name, below] of Object.entries(item)) {
        walk(below, [...path, Array.isArray(item) ? Number(name) : name], item);
      }
    }
  };
  walk(value, [], {});
  return texts;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The data of a `data:` URL, else the text. */
const dataOf = (text: string): string => (text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text);
