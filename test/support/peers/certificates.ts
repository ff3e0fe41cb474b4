import { connect } from 'node:net';
import { createServer } from 'node:tls';
import forge from 'node-forge';
import { listen, type Peer } from './listen.ts';

export interface MadeCertificate {
  cert: string;
  key: string;
}

export interface CertificateOptions {
  /** DNS names and IP addresses it is good for. */
  names?: string[];
  /** Default: the first name, or one of its own for a CA. */
  commonName?: string;
  notBefore?: Date;
  notAfter?: Date;
  ca?: boolean;
  issuer?: MadeCertificate;
}

let serial = 1;

/** An X.509 certificate for tests: self-signed unless an issuer is given. */
export function makeCertificate(options: CertificateOptions = {}): MadeCertificate {
  const names = options.names ?? ['127.0.0.1', 'localhost'];
  const keys = forge.pki.rsa.generateKeyPair(2048);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.serialNumber = (serial++).toString(16).padStart(4, '0');
  certificate.validity.notBefore = options.notBefore ?? new Date(Date.now() - 86_400_000);
  certificate.validity.notAfter = options.notAfter ?? new Date(Date.now() + 86_400_000);
  const { commonName = options.ca ? `Test CA ${serial}` : (names[0] ?? 'test') } = options;
  const subject = [{ name: 'commonName', value: commonName }];
  certificate.setSubject(subject);
  const issuer = options.issuer === undefined ? undefined : forge.pki.certificateFromPem(options.issuer.cert);
  certificate.setIssuer(issuer?.subject.attributes ?? subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: options.ca ?? false, critical: true },
    options.ca
      ? { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true }
      : { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'subjectAltName', altNames: names.map(altName) },
  ]);
  const signer = options.issuer === undefined ? keys.privateKey : forge.pki.privateKeyFromPem(options.issuer.key);
  certificate.sign(signer, forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(certificate), key: forge.pki.privateKeyToPem(keys.privateKey) };
}

function altName(name: string): { type: number; value?: string; ip?: string } {
  return /^[\d.]+$|:/.test(name) ? { type: 7, ip: name } : { type: 2, value: name };
}

/** TLS in front of a plain peer: the same path, https, the given certificate. */
export async function startTlsFront(target: string, { cert, key }: MadeCertificate): Promise<Peer> {
  const behind = new URL(target);
  const server = createServer({ cert, key }, (secure) => {
    const plain = connect(Number(behind.port), behind.hostname);
    for (const [one, other] of [
      [secure, plain],
      [plain, secure],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    secure.pipe(plain).pipe(secure);
  });
  const { port, close } = await listen(server);
  return { url: `https://127.0.0.1:${port}${behind.pathname}`, close };
}
