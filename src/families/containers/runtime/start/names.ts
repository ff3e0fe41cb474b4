import { createHash } from 'node:crypto';

const shortHash = (...parts: string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 8);

/**
 * A name that every engine takes (a DNS label with room for a suffix): the readable part of a text, and a hash that
 * keeps names apart which read alike, and installations that share an engine.
 */
export function safeName(prefix: string, text: string, ...scope: string[]): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replace(/^-+|(?<!-)-+$/g, '');
  return [prefix, slug, shortHash(text, ...scope)].filter(Boolean).join('-');
}
