import { Type } from 'typebox';
import { ListQuery, Pagination } from '../../contract/common.ts';
import { endpoints } from '../../contract/endpoint.ts';
import { named } from '../../contract/named.ts';
import { CONTAINER_ENTRY_SCHEMAS, CONTAINER_TYPES } from '../containers/public.ts';
import { CONNECTION_TYPES, type InventoryEntry } from './inventory.ts';

const Entry = Type.Unsafe<InventoryEntry>(
  named(
    'ListedConnection',
    Type.Object({
      connection_type: Type.Enum([...CONNECTION_TYPES]),
      Provider: Type.Optional(Type.String({ description: 'llm: the service' })),
      Model: Type.Optional(Type.String({ description: 'llm' })),
      'Connection Name': Type.Optional(Type.String({ description: 'llm' })),
      connection_name: Type.Optional(Type.String({ description: CONTAINER_TYPES.join(', ') })),
      ...Object.fromEntries(
        Object.entries(CONTAINER_ENTRY_SCHEMAS).map(([name, schema]) => [name, Type.Optional(Type.Unsafe(schema))]),
      ),
    }),
  ),
);

const INVENTORY_SORT_KEYS = ['connection_type', 'connection_name'] as const;

export const connectionInventory = endpoints({
  listConnections: {
    method: 'GET',
    path: '/ml/list_connections',
    summary:
      'LLM, Docker and Kubernetes connections of the families that the caller may read: all of them, or pages with count=.',
    gate: 'session',
    query: ListQuery(INVENTORY_SORT_KEYS, {}),
    reply: Type.Object({ result: Type.Array(Entry), pagination: Type.Optional(Pagination) }),
    faults: [],
  },
});
