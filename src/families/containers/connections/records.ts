import {
  type CollectionShape,
  LAST_TEST,
  number,
  oneOf,
  optional,
  recordOf,
  SEALED,
  type Shape,
  type ShapeOf,
  text,
} from '../../../domain/records/shape.ts';
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

export const CONNECTION_SORT_KEYS = [
  'connection_name',
  'container_type',
  'created_at',
  'created_by',
  'last_updated_at',
  'last_updated_by',
  'version',
] as const;

/** The engines' modules would be loaded at every start. */
const ENGINES: Record<ContainerType, true> = { docker: true, kubernetes: true };
export const engineName = oneOf(...Object.keys(ENGINES));

const connection: ShapeOf<ConnectionStored> = {
  ...SEALED,
  container_type: engineName,
  connection_name: text,
  token_ends: optional(recordOf(number)),
  last_test: LAST_TEST,
};

async function engineFields(): Promise<Shape> {
  const { ENGINE_KINDS, openNames } = await import('../engines/registry.ts');
  return Object.fromEntries(openNames(ENGINE_KINDS).map((name) => [name, optional(text)]));
}

export const containerConnectionShapes: Record<string, CollectionShape> = {
  [CONNECTIONS]: { family: 'container-connections', shape: connection, more: engineFields },
};
