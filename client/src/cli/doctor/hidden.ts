import type { Visit } from './visit.ts';

const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;

/** A text that may be pasted into an issue: without secrets, and without names of the site unless they are wanted. */
export function hidden(
  text: string,
  { secrets, names }: Pick<Visit, 'secrets' | 'names'>,
  isWithNames: boolean,
): string {
  let result = text;
  for (const secret of secrets) {
    for (const form of [secret, encodeURIComponent(secret)]) if (form !== '') result = result.replaceAll(form, '***');
  }
  if (isWithNames) return result;
  for (const [name, instead] of names) {
    if (name === '') continue;
    // A name that is part of a longer word is another word.
    const word = new RegExp(`(?<![\\w-])${name.replaceAll(/[^\w]/g, '\\$&')}(?![\\w-])`, 'gi');
    result = result.replaceAll(word, instead);
  }
  return result.replaceAll(IPV4, '<address>');
}
