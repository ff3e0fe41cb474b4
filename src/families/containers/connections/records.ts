import { METADATA_SORT_KEYS } from '../../../contract/schemas/sortKeys.ts';
import type { TokenEnds } from '../../../domain/secrets/tokenExpiry.ts';
import { recordKey } from '../../../domain/values/keys.ts';
import type { ContainerType } from '../../../ports/engines/containerEngine.ts';
import type { Resource } from '../../../resources/records.ts';
import type { Fields } from '../engines/fields.ts';

export interface ConnectionStored extends Resource, Fields {
  container_type: ContainerType;
  connection_name: string;
  /** Expiry times of tokens that are JWTs. */
  token_ends?: TokenEnds | undefined;
  /** Host of the first login server that the cluster named. */
  login_host?: string | undefined;
}

export const FAMILY = 'containers';
export const CONNECTIONS = 'ml_container_connections';

/** Names are unique within a type, without regard to case. */
export const connectionKey = (type: ContainerType, name: string): string => `${type}.${recordKey(name)}`;

export const CONNECTION_SORT_KEYS = ['connection_name', 'container_type', ...METADATA_SORT_KEYS] as const;
