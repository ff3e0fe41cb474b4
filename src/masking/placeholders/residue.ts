import { LEAST_EVERYWHERE } from '../policy/kinds.ts';
import { Lookup } from '../spans/lookup.ts';
import { isEmbeddedJson, isWithoutText, keyOf, type Path } from './bodyPaths.ts';
import type { Placeholders } from './placeholders.ts';
import { isWithin, type PlaceholderWord, type WordFinder } from './words.ts';

<<<<<<< HEAD
/** Where a string stands in a body: names of members and indexes of lists. */
export type Path = readonly (string | number)[];

/** Whether a string at a path is not looked at: signed content, images and names. */
export type Exemption = (path: Path, text: string) => boolean;

/**
 * Looks in a finished body for values that were masked, as they are, escaped for JSON and for URLs. It reads the body anew, without
 * the rules that found the values.
 * @returns the kind of the first value that is left; undefined as it must be
 */
export function residueKind(
  body: string,
  placeholders: Placeholders,
  finder: WordFinder,
  isExempt: Exemption = () => false,
): string | undefined {
=======
/**
 * Looks in a finished body for values that were masked, as they are, escaped for JSON at any depth, and for URLs. It reads the body
 * anew, without the rules that found the values.
 * @returns the kind of the first value that is left; undefined as it must be
 */
export function residueKind(body: string, placeholders: Placeholders, finder: WordFinder): string | undefined {
>>>>>>> w-parts
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
  for (const text of textsOf(body)) {
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

<<<<<<< HEAD
/** All strings of a body but keys, which are names, also those of objects that a string holds as JSON. */
function textsOf(body: string, isExempt: Exemption): string[] {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return [body];
  }
=======
function textsOf(body: string): string[] {
  const value = parsed(body);
  if (value === undefined) return [body];
>>>>>>> w-parts
  const texts: string[] = [];
  const walk = (item: unknown, path: Path, parent: object): void => {
    if (typeof item === 'string') {
<<<<<<< HEAD
      if (isExempt(path, item)) return;
      const inner = innerJson(item);
      if (inner === undefined) texts.push(item);
      else walk(inner, path);
=======
      const key = keyOf(path);
      const inner = isEmbeddedJson(key) ? parsed(item) : undefined;
      if (typeof inner === 'object') walk(inner, path, parent);
      else if (!isWithoutText(key, item, parent)) texts.push(item);
>>>>>>> w-parts
    } else if (typeof item === 'object' && item !== null) {
      for (const [name, below] of Object.entries(item)) {
        walk(below, [...path, Array.isArray(item) ? Number(name) : name], item);
      }
    }
  };
  walk(value, [], {});
  return texts;
}

<<<<<<< HEAD
function innerJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
=======
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
>>>>>>> w-parts
  } catch {
    return undefined;
  }
}
