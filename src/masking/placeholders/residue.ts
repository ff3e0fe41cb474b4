import { LEAST_EVERYWHERE } from '../policy/kinds.ts';
import { Lookup } from '../spans/lookup.ts';
import type { Placeholders } from './placeholders.ts';
import { isWithin, type PlaceholderWord, type WordFinder } from './words.ts';

/** Where a string stands in a body: names of members and indexes of lists. */
export type Path = readonly (string | number)[];

/**
 * Looks in a finished body for values that were masked, as they are, escaped for JSON and for URLs. It reads the body anew, without
 * the rules that found the values.
 * @param isExempt whether the string at a path is not looked at: signed content, images and names
 * @returns the kind of the first value that is left; undefined as it must be
 */
export function residueKind(
  body: string,
  placeholders: Placeholders,
  finder: WordFinder,
  isExempt: (path: Path) => boolean = () => false,
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

function textsOf(body: string, isExempt: (path: Path) => boolean): string[] {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return [body];
  }
  const texts: string[] = [];
  const walk = (item: unknown, path: Path): void => {
    if (typeof item === 'string') {
      if (!isExempt(path)) texts.push(item);
    } else if (typeof item === 'object' && item !== null) {
      for (const [name, below] of Object.entries(item))
        walk(below, [...path, Array.isArray(item) ? Number(name) : name]);
    }
  };
  walk(value, []);
  return texts;
}
