import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { Secrets } from '../../../domain/secrets/secrets.ts';
import type { Certificates } from '../../../ports/engines/certificates.ts';
import type { EngineTarget, LoginServer } from '../../../ports/engines/containerEngine.ts';
import type { EngineKind } from '../engines/engineKind.ts';
import type { Fields } from '../engines/fields.ts';
import { ACCEPTED_FORMS } from './certificateChecks.ts';

/** @throws OutboundError `configuration_invalid` */
export async function engineTarget(
  certificates: Certificates,
  kind: EngineKind,
  fields: Fields,
  secrets: Secrets,
  server: LoginServer,
): Promise<EngineTarget> {
  const ca = await readCertificates(certificates, 'cluster_ca', fields.cluster_ca);
  const cert = await readCertificates(certificates, 'client_cert', fields.client_cert);
  const key = secrets.client_key === undefined ? undefined : await certificates.readKey(secrets.client_key);
  if (secrets.client_key !== undefined && key === undefined) throw unusable('client_key');
  const tls = { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) };
  return kind.target(fields, secrets, tls, server);
}

export async function readCertificates(
  certificates: Certificates,
  field: string,
  text: string | undefined,
): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const certificate = await certificates.read(text);
  if (!certificate) throw unusable(field);
  return certificate.pem;
}

/** A file may have been removed after the save. */
const unusable = (field: string) =>
  new OutboundError('configuration_invalid', `${field} can no longer be read: it must be ${ACCEPTED_FORMS}`);
