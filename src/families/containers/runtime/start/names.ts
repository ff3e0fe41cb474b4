import { createHash } from 'node:crypto';

const shortHash = (...parts: string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 8);

/** A DNS label with room for a suffix. The hash separates similar names, and installations that share an engine. */
export function safeName(prefix: string, text: string, ...scope: string[]): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replace(/^-+|(?<!-)-+$/g, '');
  return [prefix, slug, shortHash(text, ...scope)].filter(Boolean).join('-');
}
