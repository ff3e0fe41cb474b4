import { X509Certificate } from 'node:crypto';

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
