import type { LastTest } from '../../../contract/common.ts';
import { recordKey } from '../../../domain/keys.ts';
import type { Open, Sealed, SealSpec } from '../../../domain/sealed.ts';
import { masked } from '../../../domain/secrets.ts';
import { type ContainerType, type Fields, OPEN_NAMES, type SecretField } from '../fields.ts';
import type { ConnectionRecord } from '../schemas.ts';
import { secretAddresses, secretTrust } from './addresses.ts';

export interface ConnectionStored extends Sealed, Fields {
  container_type: ContainerType;
  connection_name: string;
  last_test?: LastTest;
}
export type ConnectionOpen = Open<ConnectionStored>;

export const FAMILY = 'containers';
export const CONNECTIONS = 'ml_container_connections';

/** Names are unique within a type, without regard to case. */
export const connectionKey = (type: ContainerType, name: string): string => `${type}.${recordKey(name)}`;

const TO_APPLICATION = ['api_token'] satisfies SecretField[];
/** What containers find in their environment; credentials of the cluster never enter the namespace. */
const TO_NAMESPACE = [
  'api_token',
  'jupyter_passwd',
  'obs_access_token',
  'platform_access_token',
  'platform_ingest_token',
] satisfies SecretField[];

export const connectionSpec: SealSpec<ConnectionStored> = {
  family: FAMILY,
  collection: CONNECTIONS,
  label: 'container connection',
  addresses: (record) => secretAddresses(record.container_type, record),
  trust: (record) => secretTrust(record.container_type, record),
  // The engine gets every secret: the credentials, and what containers find in their environment.
  receives: {
    endpoint_hostname: TO_APPLICATION,
    node_port_hostname_internal: TO_APPLICATION,
    ingress_host_pattern: TO_APPLICATION,
    obs_otel_endpoint: ['obs_access_token'] satisfies SecretField[],
    platform_access_host: ['platform_access_token'] satisfies SecretField[],
    platform_ingest_url: ['platform_ingest_token'] satisfies SecretField[],
    docker_logging_endpoint_hostname: ['docker_logging_platform_token'] satisfies SecretField[],
    namespace: TO_NAMESPACE,
    cloud_region_name: ['cloud_secret_access_key'] satisfies SecretField[],
    endpoint_cert_filename_or_path: TO_APPLICATION,
    endpoint_cert_check_hostname: TO_APPLICATION,
  },
};

/** The record as a reply shows it: secrets masked, inner fields left out. */
export function connectionView(record: ConnectionStored): ConnectionRecord {
  const { container_type, connection_name, version, created_at, created_by, last_updated_at, last_updated_by } = record;
  return masked<ConnectionRecord>(
    {
      container_type,
      connection_name,
      ...fieldsOf(record),
      version,
      created_at,
      created_by,
      last_updated_at,
      last_updated_by,
      ...(record.last_test ? { last_test: record.last_test } : {}),
    },
    record.secret_fields,
  );
}

export function fieldsOf(record: Fields): Fields {
  const set = OPEN_NAMES.filter((name) => record[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, record[name]]));
}
