import type { X509Certificate } from 'node:crypto';

/** The end of a credential that a connection needs. */
export interface Expiry {
  /** Noun for messages: `the client certificate`. */
  what: string;
  /** Field of the credential. */
  field: string;
  /** The code of calls with the expired credential, if known. */
  code?: 'tls_expired';
  /** Epoch seconds. */
  at: number;
}

const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Validates a text of one or more PEM certificates; undefined = valid. */
export function certificateProblem(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const message = 'must be one or more PEM certificates';
  const blocks = text.match(PEM) ?? [];
  // Refuses other text, since a private key pasted with the certificates would be stored unencrypted.
  if (blocks.length === 0 || text.replaceAll(PEM, '').trim() !== '') return message;
  try {
    for (const block of blocks) parse(block);
    return undefined;
  } catch {
    return message;
  }
}

/** The earliest expiry of the certificates; empty if none can be parsed. */
export function expiryOf(text: string | undefined, what: Pick<Expiry, 'what' | 'field'>): Expiry[] {
  try {
    const ends = (text?.match(PEM) ?? []).map((block) => Date.parse(parse(block).validTo));
    const at = Math.min(...ends) / 1000;
    return Number.isFinite(at) ? [{ ...what, code: 'tls_expired', at }] : [];
  } catch {
    return [];
  }
}

/** Most requests parse none, and an import of `node:crypto` would load all that it exports. */
function parse(block: string): X509Certificate {
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  return new X509Certificate(block);
}
