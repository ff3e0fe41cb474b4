import { invalid } from '../../../contract/faults.ts';
import { OutboundError } from '../../../contract/outbound.ts';
import type { Secrets } from '../../../domain/secrets.ts';
import type { Certificates } from '../../../ports/certificates.ts';
import type { ClusterIdentity, EngineTarget } from '../../../ports/containerEngine.ts';
import type { ContainerType, Fields } from '../fields.ts';
import { dockerAddress } from './addresses.ts';
import { FORMS } from './certificateChecks.ts';

/** What an engine's adapter needs of a connection. @throws OutboundError `configuration_invalid` */
export async function engineTarget(
  certificates: Certificates,
  type: ContainerType,
  fields: Fields,
  secrets: Secrets,
): Promise<EngineTarget> {
  const ca = await certificatesOf(certificates, 'cluster_ca', fields.cluster_ca);
  const cert = await certificatesOf(certificates, 'client_cert', fields.client_cert);
  const key = secrets.client_key === undefined ? undefined : await certificates.readKey(secrets.client_key);
  if (secrets.client_key !== undefined && key === undefined) throw unusable('client_key');
  if (type === 'docker') {
    return {
      cluster: 'docker',
      address: dockerAddress(fields.docker_url ?? ''),
      tls: { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) },
      ...(fields.docker_network ? { network: fields.docker_network } : {}),
    };
  }
  return {
    cluster: 'kubernetes',
    ...(fields.cluster_url ? { url: fields.cluster_url } : {}),
    ...(ca ? { ca } : {}),
    namespace: fields.namespace ?? 'default',
    ...(fields.storage_class ? { storageClass: fields.storage_class } : {}),
    inCluster: fields.in_cluster_mode === '1',
    ingress: fields.service_type === 'ingress',
    identity: identityOf(fields, secrets, cert, key),
  };
}

function identityOf(
  fields: Fields,
  secrets: Secrets,
  cert: string | undefined,
  key: string | undefined,
): ClusterIdentity {
  switch (fields.auth_mode) {
    case 'cert-key':
      return { mode: 'certificate', cert: cert ?? '', key: key ?? '' };
    case 'user-token':
      return { mode: 'token', token: secrets.user_token ?? '' };
    case 'user-login':
      return { mode: 'login', user: fields.user_name ?? '', password: secrets.user_password ?? '' };
    case 'cloud-iam': {
      const { cloud_access_key_id: accessKeyId } = fields;
      const { cloud_secret_access_key: secretAccessKey } = secrets;
      return {
        mode: 'cloud',
        clusterName: fields.cloud_cluster_name ?? '',
        region: fields.cloud_region_name ?? '',
        ...(accessKeyId && secretAccessKey ? { keys: { accessKeyId, secretAccessKey } } : {}),
      };
    }
    case 'service-account':
      return secrets.service_account_token ? { mode: 'token', token: secrets.service_account_token } : { mode: 'pod' };
    default:
      throw invalid([{ field: 'auth_mode', message: 'is required for kubernetes' }]);
  }
}

export async function certificatesOf(
  certificates: Certificates,
  field: string,
  text: string | undefined,
): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const found = await certificates.read(text);
  if (!found) throw unusable(field);
  return found.pem;
}

/** It was readable when the connection was saved: a file may have gone since. */
const unusable = (field: string) =>
  new OutboundError('configuration_invalid', `${field} cannot be read any more: it must be ${FORMS}`);
