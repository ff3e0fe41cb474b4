import { createPrivateKey, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import { certificatesIn, pastedPem, privateKeyIn } from '../../domain/net/certificates.ts';
import type { Certificates } from '../../ports/engines/certificates.ts';
import { readFileBelow } from './files.ts';

/** Folders with certificate and key files; read at each use. */
export type Folders = () => Promise<readonly string[]>;

/** A bare file name is looked up in the first of the folders. */
export function certificateReader(folders: Folders): Certificates {
  const fileText = async (path: string) => readFileBelow(await folders(), path.trim());

  return {
    async read(text) {
      const pasted = pastedPem(text);
      // A file may hold the key as well, since only its path is stored.
      const certificates =
        pasted === undefined ? certificatesIn((await fileText(text)) ?? '', 'ignore') : certificatesIn(pasted);
      if (certificates === undefined) return undefined;
      const expiresAt = Math.min(...certificates.map(expiry));
      return Number.isNaN(expiresAt) ? undefined : { pem: inChainOrder(certificates).join(''), expiresAt };
    },
    async readKey(text) {
      const pem = privateKeyIn(pastedPem(text) ?? (await fileText(text)) ?? '');
      try {
        if (pem !== undefined) createPrivateKey(pem);
        return pem;
      } catch {
        return undefined;
      }
    },
    async match(certificate, key) {
      return matchesRsa(certificate, key) ?? new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
    },
  };
}

/** TLS needs each certificate before its issuer. Files and people also have them the other way round. */
function inChainOrder(certificates: readonly string[]): string[] {
  const parsed = certificates.map((pem) => new X509Certificate(pem));
  const isIssuer = (certificate: X509Certificate) =>
    parsed.some((other) => other !== certificate && isIssuedBy(other, certificate));
  const ordered = new Set<X509Certificate>();
  for (const first of parsed.filter((certificate) => !isIssuer(certificate))) {
    let next: X509Certificate | undefined = first;
    while (next) {
      const last: X509Certificate = next;
      ordered.add(last);
      next = parsed.find((certificate) => !ordered.has(certificate) && isIssuedBy(last, certificate));
    }
  }
  return [...ordered, ...parsed.filter((certificate) => !ordered.has(certificate))].map(String);
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

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
