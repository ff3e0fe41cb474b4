import { X509Certificate } from 'node:crypto';

/** Something that a connection cannot do without, and that has an end. */
export interface Expiry {
  /** For a sentence: `the client certificate`. */
  what: string;
  /** The field that takes a new one. */
  field: string;
  /** What a server says of one that has ended, if that is known beforehand. */
  code?: 'tls_expired';
  /** Epoch seconds. */
  at: number;
}

const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** What is wrong with a text that should be one or more certificates; undefined when nothing is. */
export function certificateProblem(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const message = 'must be one or more PEM certificates';
  const blocks = text.match(PEM) ?? [];
  // Anything besides certificates and white space is refused: a private key pasted with them would be stored in the open.
  if (blocks.length === 0 || text.replaceAll(PEM, '').trim() !== '') return message;
  try {
    for (const block of blocks) new X509Certificate(block);
    return undefined;
  } catch {
    return message;
  }
}

/** When the first of these certificates ends. Nothing, if the text has none that can be read. */
export function expiryOf(text: string | undefined, what: Pick<Expiry, 'what' | 'field'>): Expiry[] {
  try {
    const ends = (text?.match(PEM) ?? []).map((block) => Date.parse(new X509Certificate(block).validTo));
    const at = Math.min(...ends) / 1000;
    return Number.isFinite(at) ? [{ ...what, code: 'tls_expired', at }] : [];
  } catch {
    return [];
  }
}
