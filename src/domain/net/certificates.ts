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

/** A PEM block with lines of 64 characters. */
interface PemBlock {
  label: string;
  pem: string;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \1-----/g;
const BOUNDARY = /-----\s*(?:BEGIN|END)\s/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Line breaks of a value copied out of JSON, YAML or a shell script. */
const ESCAPED_BREAK = /\\{1,3}[nrt]/g;
/** With the invisible characters of web pages and word processors. */
const WHITE_SPACE = /[\s\u200b\u2060]+/g;
/** Labels that OpenSSL reads as a certificate. */
const CERTIFICATE_LABELS: ReadonlySet<string> = new Set(['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE']);
const KEY_LABEL = /^(?:RSA |EC )?PRIVATE KEY$/;
const SHORTEST_BASE64 = 40;
const LINE = /.{1,64}/g;
const NOT_CERTIFICATES = 'must be one or more PEM certificates';

/** The PEM text of a pasted value: PEM, or base64 of it as in kubeconfig files. Undefined for other text, such as a path. */
export function pastedPem(text: string): string | undefined {
  if (text.includes('-----BEGIN ')) return text;
  const compact = text.replaceAll(ESCAPED_BREAK, '').replaceAll(WHITE_SPACE, '');
  if (compact.length < SHORTEST_BASE64 || !BASE64.test(compact)) return undefined;
  const plain = Buffer.from(compact, 'base64').toString('utf8');
  return plain.includes('-----BEGIN ') ? plain : undefined;
}

/**
 * The blocks of a PEM text. Text around them and white space in them is ignored, as OpenSSL's tools write both.
 * Undefined if a block is cut off or is not base64, since the others alone would be an incomplete chain.
 */
function pemBlocks(text: string): PemBlock[] | undefined {
  const plain = text.replaceAll(ESCAPED_BREAK, '\n');
  if (BOUNDARY.test(plain.replaceAll(BLOCK, '\n'))) return undefined;
  const blocks = [...plain.matchAll(BLOCK)].map(([, label = '', body = '']) => ({
    label,
    body: body.replaceAll(WHITE_SPACE, ''),
  }));
  if (!blocks.every(({ body }) => BASE64.test(body))) return undefined;
  return blocks.map(({ label, body }) => {
    const lines = body.match(LINE) ?? [];
    return { label, pem: [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n') };
  });
}

/**
 * The distinct certificates of a PEM text, each as PEM with lines of 64 characters; undefined if there is none or one
 * cannot be read.
 * @param others whether blocks of other kinds are ignored. They are not where the text is public, since a private key
 * would be stored unencrypted.
 */
export function certificatesIn(text: string, others: 'refuse' | 'ignore' = 'refuse'): string[] | undefined {
  const blocks = pemBlocks(text);
  if (blocks === undefined || (others === 'refuse' && foreignBlock(blocks) !== undefined)) return undefined;
  try {
    const certificates = blocks.filter(isCertificate).map(({ pem }) => parse(pem).toString());
    return certificates.length > 0 ? [...new Set(certificates)] : undefined;
  } catch {
    return undefined;
  }
}

const isCertificate = ({ label }: PemBlock): boolean => CERTIFICATE_LABELS.has(label);
const foreignBlock = (blocks: readonly PemBlock[]) => blocks.find((block) => !isCertificate(block))?.label;

/** Validates a text of one or more certificates, as PEM or base64 of it; undefined = valid. */
export function certificateProblem(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const pem = pastedPem(text);
  if (pem === undefined) return NOT_CERTIFICATES;
  return foreignBlockProblem(pem) ?? (certificatesIn(pem) ? undefined : NOT_CERTIFICATES);
}

/** The problem of a PEM text with other blocks than certificates; undefined if it has none. */
export function foreignBlockProblem(pem: string): string | undefined {
  const label = foreignBlock(pemBlocks(pem) ?? []);
  return (
    label &&
    `must be certificates alone: remove the block ${label}, since everybody who may read the record sees this field`
  );
}

/**
 * The form in which pasted certificates are stored: PEM with lines of 64 characters and no other text.
 * @param stored the field's value so far, returned if it has the same certificates
 * @returns other text, such as a path or invalid text, as it is
 */
export function storedCertificates(text: string, stored?: string): string {
  const pem = pastedPem(text);
  const form = pem === undefined ? undefined : certificatesIn(pem)?.join('');
  if (form === undefined) return text;
  return stored !== undefined && isWithin(form, stored) && isWithin(stored, form) ? stored : form;
}

/** Whether all certificates of a text are in another one. Paths and invalid texts are compared as text. */
export function isWithin(text: string, other: string): boolean {
  if (text === other) return true;
  const [mine, theirs] = [text, other].map((pasted) => pemBlocks(pastedPem(pasted) ?? '')?.map(({ pem }) => pem) ?? []);
  const allowed = new Set(theirs);
  return mine !== undefined && mine.length > 0 && mine.every((pem) => allowed.has(pem));
}

/** The first private key of a PEM text, with lines of 64 characters; undefined if there is none without a password. */
export const privateKeyIn = (text: string): string | undefined =>
  pemBlocks(text)?.find(({ label }) => KEY_LABEL.test(label))?.pem;

/** The form in which a pasted private key is stored. @returns other text, such as a path or invalid text, as it is */
export const storedPrivateKey = (text: string): string => privateKeyIn(pastedPem(text) ?? '') ?? text;

/** The earliest expiry of the certificates; empty if none can be parsed. */
export function expiryOf(text: string | undefined, what: Pick<Expiry, 'what' | 'field'>): Expiry[] {
  const certificates = certificatesIn(pastedPem(text ?? '') ?? '') ?? [];
  const expires = Math.min(...certificates.map((certificate) => Date.parse(parse(certificate).validTo))) / 1000;
  return Number.isFinite(expires) ? [{ ...what, code: 'tls_expired', at: expires }] : [];
}

/** Most requests parse none, and an import of `node:crypto` would load all that it exports. */
function parse(pem: string): X509Certificate {
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  return new X509Certificate(pem);
}
