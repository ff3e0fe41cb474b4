import { Type } from 'typebox';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { named } from '../../contract/schemas/named.ts';

export const service = endpoints({
  getHealth: {
    method: 'GET',
    path: '/ml/health',
    summary: 'Version of the app and status of its dependencies.',
    gate: 'session',
    storeless: true,
    reply: Type.Object(
      {
        version: Type.String({ description: 'Version of the app' }),
        store: Type.String({
          description: "`ready`, `newer_schema`, `unavailable`, or the platform's status of the record store",
        }),
        secrets: Type.String({ description: '`ready`, or `unavailable`' }),
        reason: Type.Optional(
          Type.String({ description: 'Why a store is not ready, as in failures with `store_unavailable`' }),
        ),
        remedy: Type.Optional(Type.String({ description: 'What can be done about `reason`' })),
        knowledge: Type.String({
          description: 'ready, or what this Node lacks for vector stores in the platform (BUILT_IN)',
        }),
        drivers: Type.Array(
          named(
            'Driver',
            Type.Object(
              {
                pid: Type.Integer({ description: 'Process id on its host' }),
                runtime: Type.String({ description: 'Runtime and version' }),
                uptime_s: Type.Number({ description: 'Uptime in seconds' }),
                memory_bytes: Type.Integer({ description: 'Resident set size in bytes' }),
                requests: Type.Integer({ description: 'Requests served, including this one' }),
              },
              { description: 'A driver process of the app' },
            ),
          ),
          { description: 'The driver process that answers; the others are unknown to it' },
        ),
        unreadable: Type.Optional(
          Type.Array(
            named(
              'UnreadableRecord',
              Type.Object(
                {
                  collection: Type.String({ description: 'Collection of the KV store' }),
                  key: Type.String({ description: 'The `_key` of the document' }),
                },
                { description: 'A stored record that lacks required fields or has fields of a wrong type' },
              ),
            ),
            {
              description:
                'Unreadable records: at most 100, found within 2 s. Only for holders of admin_all_objects. Histories and the audit trail are not searched.',
            },
          ),
        ),
      },
      { description: 'Health of the app' },
    ),
    faults: [],
    addition: true,
  },
  getOpenApi: {
    method: 'GET',
    path: '/ml/openapi',
    summary: 'This interface as an OpenAPI 3.1 document.',
    gate: 'session',
    storeless: true,
    bare: true,
    reply: Type.Record(Type.String(), Type.Unknown()),
    faults: [],
    addition: true,
  },
});
