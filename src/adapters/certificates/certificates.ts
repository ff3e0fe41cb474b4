import { createPrivateKey, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import type { Certificates } from '../../ports/engines/certificates.ts';
import { readFileBelow } from './files.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const KEY = /-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----[A-Za-z0-9+/=\s]+-----END \1-----/;

/** Folders with certificate and key files; read at each use. */
export type Folders = () => Promise<readonly string[]>;

/** A bare file name is looked up in the first of the folders. */
export function certificateReader(folders: Folders): Certificates {
  async function pemText(text: string): Promise<string | undefined> {
    const trimmed = text.trim();
    if (trimmed.includes('-----BEGIN ')) return trimmed;
    return decodeBase64(trimmed) ?? readFileBelow(await folders(), trimmed);
  }

  return {
    async read(text) {
      const pem = await pemText(text);
      const blocks = pem?.match(CERTIFICATE) ?? [];
      // Pasted text with a private key is refused, since this field is public. A file may hold both.
      if (pem === undefined || blocks.length === 0 || (text.includes('-----BEGIN ') && hasOtherBlocks(pem)))
        return undefined;
      try {
        const expiresAt = Math.min(...blocks.map(expiry));
        return Number.isNaN(expiresAt) ? undefined : { pem: `${blocks.join('\n')}\n`, expiresAt };
      } catch {
        return undefined;
      }
    },
    async readKey(text) {
      const block = KEY.exec((await pemText(text)) ?? '')?.[0];
      if (block === undefined) return undefined;
      try {
        createPrivateKey(block);
        return `${block}\n`;
      } catch {
        return undefined;
      }
    },
    async match(certificate, key) {
      return matchesRsa(certificate, key) ?? new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
    },
  };
}

const hasOtherBlocks = (pem: string) => pem.replaceAll(CERTIFICATE, '').trim() !== '';

/** Base64 of PEM, as kubeconfig files carry it, with or without line breaks. */
function decodeBase64(text: string): string | undefined {
  const compact = text.replace(/\s+/g, '');
  if (compact.length < 40 || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return undefined;
  const plain = Buffer.from(compact, 'base64').toString('utf8');
  return plain.includes('-----BEGIN ') ? plain.trim() : undefined;
}

function expiry(pem: string): number {
  try {
    return forge.pki.certificateFromPem(pem).validity.notAfter.getTime();
  } catch {
    // node-forge only reads RSA; clusters often use EC.
    return Date.parse(new X509Certificate(pem).validTo);
  }
}

/** Undefined if either is not RSA, which node-forge cannot read. */
function matchesRsa(certificate: string, key: string): boolean | undefined {
  try {
    const open = forge.pki.certificateFromPem(certificate).publicKey as forge.pki.rsa.PublicKey;
    const secret = forge.pki.privateKeyFromPem(key) as forge.pki.rsa.PrivateKey;
    return open.n.equals(secret.n) && open.e.equals(secret.e);
  } catch {
    return undefined;
  }
}
