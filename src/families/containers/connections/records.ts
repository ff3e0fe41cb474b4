import { recordKey } from '../../../domain/keys.ts';
import type { Open, SealSpec } from '../../../domain/sealed.ts';
import type { ContainerType } from '../../../ports/containerEngine.ts';
import type { Tested } from '../../../resources/records.ts';
import type { EngineKinds } from '../engines/engineKind.ts';
import type { Fields } from '../engines/fields.ts';
import { receivers, secretAddresses, secretTrust } from './addresses.ts';

export interface ConnectionStored extends Tested, Fields {
  container_type: ContainerType;
  connection_name: string;
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
