import { splitOpen, unquoted } from './scan.ts';

/** Words of a clause: commas and blanks separate them, outside of strings and brackets. */
export function wordsOf(text: string): string[] {
  return splitOpen(text)
    .flatMap((word) => splitOpen(word, ','))
    .filter((word) => word !== '');
}

/** The name that a word stands for, without the quotes around it. */
export function nameOf(word: string): string {
  if (word.length > 1 && word.startsWith("'") && word.endsWith("'")) return word.slice(1, -1);
  return unquoted(word);
}

/** A field and the name that `AS` gives it; the same without one. */
export interface Alias {
  field: string;
  name: string;
}

/** Reads `a AS b, c`. @param missing the error for an `AS` with nothing after it */
export function aliases(words: readonly string[], missing: (field: string) => Error): Alias[] {
  const result: Alias[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const field = nameOf(words[index] ?? '');
    if (words[index + 1]?.toLowerCase() !== 'as') {
      result.push({ field, name: field });
      continue;
    }
    const name = words[index + 2];
    if (name === undefined) throw missing(field);
    result.push({ field, name: nameOf(name) });
    index += 2;
  }
  return result;
}

/** The words in front of a keyword, and those after it; undefined after where it does not occur. */
export function cutAt(
  words: readonly string[],
  ...keywords: string[]
): { before: string[]; after: string[] | undefined } {
  const index = words.findIndex((word) => keywords.includes(word.toLowerCase()));
  if (index < 0) return { before: [...words], after: undefined };
  return { before: words.slice(0, index), after: words.slice(index + 1) };
}
