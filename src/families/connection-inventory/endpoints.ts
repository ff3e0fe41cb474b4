import { Type } from 'typebox';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { Count, ListQuery, Page, Pagination, Search } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { CONTAINER_ENTRY_SCHEMAS, CONTAINER_TYPES } from '../containers/public.ts';
import { CONNECTION_TYPES, type InventoryEntry } from './inventory.ts';

const Entry = Type.Unsafe<InventoryEntry>(
  named(
    'ListedConnection',
    Type.Object(
      {
        connection_type: Type.Enum([...CONNECTION_TYPES], {
          description: 'llm: an LLM configuration; else the engine of a container connection',
        }),
        Provider: Type.Optional(Type.String({ description: 'For llm: the provider, as LlmService names it' })),
        Model: Type.Optional(Type.String({ description: "For llm: the provider's model id" })),
        'Connection Name': Type.Optional(Type.String({ description: 'For llm: name of the connection' })),
        connection_name: Type.Optional(
          Type.String({ description: `For ${CONTAINER_TYPES.join(' and ')}: name of the connection` }),
        ),
        ...Object.fromEntries(
          Object.entries(CONTAINER_ENTRY_SCHEMAS).map(([name, schema]) => [name, Type.Optional(Type.Unsafe(schema))]),
        ),
      },
      { description: 'A connection; drafts are not listed' },
    ),
  ),
);

const INVENTORY_SORT_KEYS = ['connection_type', 'connection_name'] as const;

export const connectionInventory = endpoints({
  listConnections: {
    method: 'GET',
    path: '/ml/list_connections',
    summary: 'LLM, Docker and Kubernetes connections that the caller may read: all, or pages with count=.',
    gate: 'session',
    // Without count= the reply has all entries, as the interface expects.
    query: ListQuery(INVENTORY_SORT_KEYS, {
      count: Type.Optional(Count(0)),
      search: Type.Optional(Search('the name')),
    }),
    reply: Type.Object(
      { result: Page(Entry), pagination: Type.Optional(Pagination) },
      { description: 'The connections; pagination is present if count or offset was given' },
    ),
    faults: [],
  },
});
