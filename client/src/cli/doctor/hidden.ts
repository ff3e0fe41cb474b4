import type { Visit } from './visit.ts';

const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;

/** Removes secrets, and names of the site unless requested. */
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
    // Replace whole words only.
    const word = new RegExp(`(?<![\\w-])${name.replaceAll(/[^\w]/g, '\\$&')}(?![\\w-])`, 'gi');
    result = result.replaceAll(word, instead);
  }
  return result.replaceAll(IPV4, '<address>');
}
