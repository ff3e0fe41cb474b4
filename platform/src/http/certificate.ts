import { constants, privateEncrypt, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { md, pki } from 'node-forge';
import { writeFileAtomic } from '../home/atomicFile.ts';

const YEARS = 10;

/** The home's key and self-signed certificate, created at its first start. */
export async function serverCertificate(folder: string): Promise<{ key: string; cert: string }> {
  const keyFile = join(folder, 'server.key');
  const certFile = join(folder, 'server.pem');
  if (existsSync(keyFile) && existsSync(certFile)) {
    const pair = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
    if (Date.parse(new X509Certificate(pair.cert).validTo) > Date.now()) return pair;
  }
  const made = await makeCertificate();
  writeFileAtomic(keyFile, made.key, 0o600);
  writeFileAtomic(certFile, made.cert, 0o644);
  return made;
}

async function makeCertificate(): Promise<{ key: string; cert: string }> {
  // Loaded lazily: only the first start needs it.
  const { default: forge } = await import('node-forge');
  const keys = await new Promise<pki.rsa.KeyPair>((resolve, reject) => {
    forge.pki.rsa.generateKeyPair({ bits: 2048 }, (error, pair) => (error ? reject(error) : resolve(pair)));
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  // A leading one keeps the serial positive in its shortest encoding; some readers reject any other.
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(16))}`;
  // Backdated for clients whose clock is slow.
  certificate.validity.notBefore = new Date(Date.now() - 3_600_000);
  certificate.validity.notAfter = new Date(Date.now() + YEARS * 365 * 86_400_000);
  const name = [
    { name: 'commonName', value: 'localhost' },
    { name: 'organizationName', value: 'Embedded platform' },
  ];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    // Its own CA, so that clients only need to trust this file.
    { name: 'basicConstraints', cA: true },
    { name: 'keyUsage', keyCertSign: true, digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectKeyIdentifier' },
    {
      name: 'subjectAltName',
      altNames: [
        ...[...new Set(['localhost', hostname()])].map((value) => ({ type: 2, value })),
        { type: 7, ip: '127.0.0.1' },
        { type: 7, ip: '::1' },
      ],
    },
  ]);
  const key = forge.pki.privateKeyToPem(keys.privateKey);
  certificate.sign({ ...keys.privateKey, sign: signing(key) }, forge.md.sha256.create());
  return { key, cert: forge.pki.certificateToPem(certificate) };
}

/** The PKCS #1 prefix of a SHA-256 digest. */
const SHA256 = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** Signs as forge's keys do, which take a tenth of a second. */
const signing = (key: string) => (digest: md.MessageDigest) =>
  privateEncrypt(
    { key, padding: constants.RSA_PKCS1_PADDING },
    Buffer.concat([SHA256, Buffer.from(digest.digest().toHex(), 'hex')]),
  ).toString('latin1');
