import type { Problem } from '../../../contract/codes/faults.ts';
import { foreignBlockProblem, pastedPem } from '../../../domain/net/certificates.ts';
import type { Secrets } from '../../../domain/secrets/secrets.ts';
import type { Certificates } from '../../../ports/engines/certificates.ts';
import type { Fields } from '../engines/fields.ts';

/** One message for missing, forbidden and irregular files, so that callers cannot find out which files exist. */
export const ACCEPTED_FORMS =
  'PEM, base64 of PEM, or the path of a file below $SPLUNK_HOME/etc/auth or a folder of [containers] certificate_folders';

/** Fields with certificates, which everybody may read who may read the connection. */
export const CERTIFICATE_FIELDS = ['cluster_ca', 'endpoint_cert_filename_or_path', 'client_cert'] as const;
const EXPIRES_SOON_MS = 30 * 86_400_000;

export interface CertificateReport {
  problems: Problem[];
  warnings: string[];
}

export async function checkCertificates(
  certificates: Certificates,
  fields: Fields,
  secrets: Readonly<Secrets>,
  now: number,
): Promise<CertificateReport> {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  let clientCert: string | undefined;
  for (const field of CERTIFICATE_FIELDS) {
    const text = fields[field];
    if (text === undefined) continue;
    const certificate = await certificates.read(text);
    if (!certificate) problems.push({ field, message: unreadable(text) });
    else warnings.push(...expiryWarning(field, certificate.expiresAt, now));
    if (field === 'client_cert') clientCert = certificate?.pem;
  }
  if (secrets.client_key !== undefined) {
    const key = await certificates.readKey(secrets.client_key);
    if (key === undefined) {
      problems.push({ field: 'client_key', message: `must be a private key without a password: ${ACCEPTED_FORMS}` });
    } else if (clientCert !== undefined && !(await certificates.match(clientCert, key))) {
      problems.push({ field: 'client_key', message: 'does not match client_cert' });
    }
  }
  return { problems, warnings };
}

const unreadable = (text: string): string =>
  foreignBlockProblem(pastedPem(text) ?? '') ?? `must be certificates: ${ACCEPTED_FORMS}`;

function expiryWarning(field: string, expiresAt: number, now: number): string[] {
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  if (expiresAt <= now) return [`${field}: the certificate expired on ${day}`];
  return expiresAt - now < EXPIRES_SOON_MS ? [`${field}: the certificate expires on ${day}`] : [];
}
