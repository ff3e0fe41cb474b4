import { LEAST_EVERYWHERE } from '../policy/kinds.ts';
import { Lookup } from '../spans/lookup.ts';
import type { Placeholders } from './placeholders.ts';
import { isWithin, type PlaceholderWord, type WordFinder } from './words.ts';

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
  const lookup = new Lookup<string>();
  let isEmpty = true;
  for (const [{ kind }, spellings] of placeholders.entries) {
    for (const spelling of spellings) {
      if (spelling.length < LEAST_EVERYWHERE) continue;
      isEmpty = false;
      for (const form of formsOf(spelling)) lookup.add(form, kind);
    }
  }
  if (isEmpty) return undefined;
  for (const text of textsOf(body, isExempt)) {
    const kind = kindIn(text, lookup, finder, placeholders);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

function formsOf(value: string): string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  return [value, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(value.toWellFormed())];
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

/** All strings of a body but keys, which are names, also those of objects that a string holds as JSON. */
function textsOf(body: string, isExempt: Exemption): string[] {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return [body];
  }
  const texts: string[] = [];
  const walk = (item: unknown, path: Path): void => {
    if (typeof item === 'string') {
      if (isExempt(path, item)) return;
      const inner = innerJson(item);
      if (inner === undefined) texts.push(item);
      else walk(inner, path);
    } else if (typeof item === 'object' && item !== null) {
      for (const [name, below] of Object.entries(item))
        walk(below, [...path, Array.isArray(item) ? Number(name) : name]);
    }
  };
  walk(value, []);
  return texts;
}

function innerJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
