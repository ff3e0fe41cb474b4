import { Type } from 'typebox';
import { ListQuery, Pagination } from '../../contract/common.ts';
import { endpoints } from '../../contract/endpoint.ts';

const InventoryEntry = Type.Object({
  connection_type: Type.Enum(['llm', 'docker', 'kubernetes']),
  Provider: Type.Optional(Type.String({ description: 'llm: the service' })),
  Model: Type.Optional(Type.String({ description: 'llm' })),
  'Connection Name': Type.Optional(Type.String({ description: 'llm' })),
  connection_name: Type.Optional(Type.String({ description: 'docker, kubernetes' })),
  docker_url: Type.Optional(Type.String({ description: 'docker' })),
  tls_enabled: Type.Optional(Type.Boolean({ description: 'docker' })),
  cluster_url: Type.Optional(Type.String({ description: 'kubernetes; empty inside the cluster' })),
});

export const INVENTORY_SORT_KEYS = ['connection_type', 'connection_name'] as const;

export const connectionInventory = endpoints({
  listConnections: {
    method: 'GET',
    path: '/ml/list_connections',
    summary:
      'LLM, Docker and Kubernetes connections of the families that the caller may read: all of them, or pages with count=.',
    gate: 'session',
    query: ListQuery(INVENTORY_SORT_KEYS, {}),
    reply: Type.Object({ result: Type.Array(InventoryEntry), pagination: Type.Optional(Pagination) }),
    faults: [],
  },
});
