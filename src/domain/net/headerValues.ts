import { MASK } from '../../contract/basics.ts';

/** A token of HTTP (RFC 9110, 5.6.2). */
export const LONGEST_HEADER_NAME = 128;
export const HEADER_NAME_PATTERN = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";

/** Limits of one record. */
export const MAX_HEADERS = 50;
/** Maximum for all secrets of a record together. */
export const MAX_SECRET_BYTES = 32 * 1024;

/** No control characters, Latin-1 only. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export function headerProblem(value: string | null | undefined): string | undefined {
  if (!value || HEADER_VALUE.test(value)) return undefined;
  return 'contains characters that are not allowed in an HTTP header';
}

/** Fields of tokens that are sent as `Bearer <token>`, by their paths; the value of a header may begin with any scheme. */
const TOKEN = /(?:^|[/._])token(?:[/.]value)?$/;
const HEADERS = /(?:^|[/.])headers[/.]/;
const BEARER = /^bearer(?:\s+|$)/i;

/**
 * Trims a pasted key, and takes the scheme off a pasted token; blank counts as no key. A mask with spaces or a scheme is a
 * value, so it is not trimmed to the mask.
 * @param path of the field, with `/` or `.` between its keys
 */
export function trimPastedSecret(value: string, path: string): string | null {
  const isToken = TOKEN.test(path) && !HEADERS.test(path);
  const trimmed = isToken ? value.trim().replace(BEARER, '') : value.trim();
  return (trimmed === MASK ? value : trimmed) || null;
}
