import { recordKey } from '../../../domain/keys.ts';
import type { Listed } from '../../../domain/listFields.ts';
import type { TokenEnds } from '../../../domain/tokenEnds.ts';
import type { ContainerType } from '../../../ports/containerEngine.ts';
import type { Resource } from '../../../resources/records.ts';
import type { Fields } from '../engines/fields.ts';

export interface ConnectionStored extends Resource, Fields {
  container_type: ContainerType;
  connection_name: string;
  /** When those of its tokens end that say so themselves. */
  token_ends?: TokenEnds;
}

export const FAMILY = 'containers';
export const CONNECTIONS = 'ml_container_connections';

/** Each type has a list of its own. */
export const LISTED: Listed = {
  name: 'connection_name',
  sorts: ['container_type', 'created_at', 'last_updated_at', 'version'],
  isUnique: false,
  filters: ['container_type'],
};

/** Names are unique within a type, without regard to case. */
export const connectionKey = (type: ContainerType, name: string): string => `${type}.${recordKey(name)}`;
