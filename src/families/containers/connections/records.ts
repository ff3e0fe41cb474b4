import type { LastTest } from '../../../contract/common.ts';
import { recordKey } from '../../../domain/keys.ts';
import type { Open, Sealed, SealSpec } from '../../../domain/sealed.ts';
import { masked } from '../../../domain/secrets.ts';
import type { ContainerType } from '../../../ports/containerEngine.ts';
import type { EngineKinds } from '../engines/engineKind.ts';
import type { Fields, OpenField } from '../engines/fields.ts';
import type { ConnectionRecord } from '../schemas.ts';
import { receivers, secretAddresses, secretTrust } from './addresses.ts';

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

export const connectionSpec = (kinds: EngineKinds): SealSpec<ConnectionStored> => ({
  family: FAMILY,
  collection: CONNECTIONS,
  label: 'container connection',
  addresses: (record) => secretAddresses(kinds[record.container_type], record),
  trust: (record) => secretTrust(kinds[record.container_type], record),
  // An engine gets every secret: the credentials, and what containers find in their environment.
  receives: receivers(kinds),
});

/** The record as a reply shows it: secrets masked, inner fields left out. */
export function connectionView(record: ConnectionStored, names: readonly OpenField[]): ConnectionRecord {
  const { container_type, connection_name, version, created_at, created_by, last_updated_at, last_updated_by } = record;
  const shown = names.filter((name) => record[name] !== undefined);
  return masked<ConnectionRecord>(
    {
      container_type,
      connection_name,
      ...Object.fromEntries(shown.map((name) => [name, record[name]])),
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
