import { METADATA_SORT_KEYS } from '../../../contract/schemas/sortKeys.ts';
import * as is from '../../../domain/records/shape.ts';
import { type CollectionShape, LAST_TEST, SEALED, type Shape, type ShapeOf } from '../../../domain/records/shape.ts';
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

/** The engines' modules would be loaded at every start. */
const ENGINES: Record<ContainerType, true> = { docker: true, kubernetes: true };
export const engineName = is.oneOf(...Object.keys(ENGINES));

const connection: ShapeOf<ConnectionStored> = {
  ...SEALED,
  container_type: engineName,
  connection_name: is.text,
  token_ends: is.optional(is.recordOf(is.number)),
  last_test: LAST_TEST,
};

async function engineFields(): Promise<Shape> {
  const { ENGINE_KINDS, openNames } = await import('../engines/registry.ts');
  return Object.fromEntries(openNames(ENGINE_KINDS).map((name) => [name, is.optional(is.text)]));
}

export const containerConnectionShapes: Record<string, CollectionShape> = {
  [CONNECTIONS]: { family: 'container-connections', shape: connection, more: engineFields },
};
