import { constants, privateEncrypt, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { md, pki } from 'node-forge';
import { writeFileAtomic } from '../home/atomicFile.ts';

const YEARS = 10;
const BEGIN = '-----BEGIN CERTIFICATE-----';

/** `named`: for the names of this machine, and its own CA. `splunkd`: by a CA, without the name of a host, as splunkd makes it. */
export const CERTIFICATES = ['named', 'splunkd'] as const;
export type CertificateKind = (typeof CERTIFICATES)[number];

export interface ServerCertificate {
  key: string;
  /** The certificate, and that of its CA unless it is its own. */
  cert: string;
  /** The certificate of the CA. */
  authority: string;
}

type Attributes = pki.CertificateField[];

/** The home's key and certificate, created at its first start with a certificate of this kind. */
export async function serverCertificate(folder: string, kind: CertificateKind = 'named'): Promise<ServerCertificate> {
  const keyFile = join(folder, 'server.key');
  const certFile = join(folder, 'server.pem');
  if (existsSync(keyFile) && existsSync(certFile)) {
    const kept = withAuthority({ key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') });
    const isOfKind = (kept.cert === kept.authority) === (kind === 'named');
    if (isOfKind && Date.parse(new X509Certificate(kept.cert).validTo) > Date.now()) return kept;
  }
  const made = kind === 'named' ? await makeNamed() : await makeSigned();
  writeFileAtomic(keyFile, made.key, 0o600);
  writeFileAtomic(certFile, made.cert, 0o644);
  return withAuthority(made);
}

function withAuthority({ key, cert }: { key: string; cert: string }): ServerCertificate {
  return { key, cert, authority: cert.slice(Math.max(cert.lastIndexOf(BEGIN), 0)) };
}

const nameOf = (commonName: string): Attributes => [
  { name: 'commonName', value: commonName },
  { name: 'organizationName', value: 'Embedded platform' },
];

async function makeNamed(): Promise<{ key: string; cert: string }> {
  const keys = await makeKeys();
  const name = nameOf('localhost');
  const cert = await sign({ subject: name, issuer: name, publicKey: keys.publicKey, by: keys.privateKey }, [
    // Its own CA, so that clients only need to trust this file.
    { name: 'basicConstraints', cA: true },
    { name: 'keyUsage', keyCertSign: true, digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
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
  return { key: await pemOf(keys.privateKey), cert };
}

/** The names are those of splunkd's default certificates. The key of the CA is not kept. */
async function makeSigned(): Promise<{ key: string; cert: string }> {
  const [ca, keys] = [await makeKeys(), await makeKeys()];
  const issuer = nameOf('SplunkCommonCA');
  const authority = await sign({ subject: issuer, issuer, publicKey: ca.publicKey, by: ca.privateKey }, [
    { name: 'basicConstraints', cA: true },
    { name: 'keyUsage', keyCertSign: true },
  ]);
  const subject = nameOf('SplunkServerDefaultCert');
  const cert = await sign({ subject, issuer, publicKey: keys.publicKey, by: ca.privateKey }, []);
  return { key: await pemOf(keys.privateKey), cert: cert + authority };
}

/** Loaded lazily: only the first start needs it. */
const forgeLibrary = async () => (await import('node-forge')).default;

const pemOf = async (key: pki.rsa.PrivateKey) => (await forgeLibrary()).pki.privateKeyToPem(key);

async function makeKeys(): Promise<pki.rsa.KeyPair> {
  const forge = await forgeLibrary();
  return new Promise((resolve, reject) => {
    forge.pki.rsa.generateKeyPair({ bits: 2048 }, (error, pair) => (error ? reject(error) : resolve(pair)));
  });
}

interface Contents {
  subject: Attributes;
  issuer: Attributes;
  publicKey: pki.rsa.PublicKey;
  /** The key of the issuer. */
  by: pki.rsa.PrivateKey;
}

/** A certificate as PEM. */
async function sign({ subject, issuer, publicKey, by }: Contents, extensions: object[]): Promise<string> {
  const forge = await forgeLibrary();
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  // A leading one keeps the serial positive in its shortest encoding; some readers reject any other.
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(16))}`;
  // Backdated for clients whose clock is slow.
  certificate.validity.notBefore = new Date(Date.now() - 3_600_000);
  certificate.validity.notAfter = new Date(Date.now() + YEARS * 365 * 86_400_000);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer);
  certificate.setExtensions(extensions);
  certificate.sign({ ...by, sign: signing(await pemOf(by)) }, forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}

/** The PKCS #1 prefix of a SHA-256 digest. */
const SHA256 = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** Signs as forge's keys do, which take a tenth of a second. */
const signing = (key: string) => (digest: md.MessageDigest) =>
  privateEncrypt(
    { key, padding: constants.RSA_PKCS1_PADDING },
    Buffer.concat([SHA256, Buffer.from(digest.digest().toHex(), 'hex')]),
  ).toString('latin1');
