import { MASK } from '../../contract/basics.ts';

/** A token of HTTP (RFC 9110, 5.6.2). */
export const LONGEST_HEADER_NAME = 128;
export const HEADER_NAME_PATTERN = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";

/** What a header can carry: no control characters, nothing beyond Latin-1. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export function headerProblem(value: string | null | undefined): string | undefined {
  if (!value || HEADER_VALUE.test(value)) return undefined;
  return 'contains characters that an HTTP header cannot carry';
}

/**
 * A pasted key without the white space around it; nothing but white space counts as no key.
 * Only the mask itself is the mask: one with white space around it stays what it is, a value.
 */
export function trimPastedSecret(value: string): string | null {
  const trimmed = value.trim();
  return (trimmed === MASK ? value : trimmed) || null;
}
