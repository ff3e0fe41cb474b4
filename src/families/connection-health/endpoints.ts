import { Type } from 'typebox';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { ListQuery, Page, Pagination, Search } from '../../contract/schemas/common.ts';
import { CheckedConnection, CheckInput, ConnectionHealth, Family, State } from './schemas.ts';

const SORT_KEYS = ['family', 'name', 'type', 'state', 'expires_at'] as const;

export const connectionHealth = endpoints({
  listConnectionHealth: {
    method: 'GET',
    path: '/ml/connection_health',
    summary: 'Health of the connections of all families that the caller may read.',
    gate: 'session',
    // Each family applies its access lists.
    acl: true,
    query: ListQuery(SORT_KEYS, {
      search: Type.Optional(Search('name, type or reason')),
      family: Type.Optional(Family),
      state: Type.Optional(State),
    }),
    reply: Type.Object(
      { result: Page(ConnectionHealth), pagination: Pagination },
      { description: 'A page of connections with their health' },
    ),
    faults: [],
    addition: true,
  },
  checkConnectionHealth: {
    method: 'POST',
    path: '/ml/connection_health/check',
    // In addition to the entries of its tests.
    audit: { action: 'test', name: ['body.family'] },
    summary: 'Test saved connections that the caller may test, for at most 25 s, and report their health.',
    gate: 'session',
    acl: true,
    callsUpstream: 'always',
    body: CheckInput,
    emptyBody: true,
    reply: Type.Object(
      {
        result: Type.Array(CheckedConnection, {
          description: 'All selected connections, tested or not',
        }),
      },
      { description: 'The connections after the check' },
    ),
    faults: [],
    addition: true,
  },
});
