import { Type } from 'typebox';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { named } from '../../contract/schemas/named.ts';

export const service = endpoints({
  getHealth: {
    method: 'GET',
    path: '/ml/health',
    summary: 'Version of the app and state of what it depends on.',
    gate: 'session',
    storeless: true,
    reply: Type.Object(
      {
        version: Type.String({ description: 'Version of the app' }),
        store: Type.String({
          description: "`ready`, `newer_schema`, or the state of the record store in the platform's own word",
        }),
        secrets: Type.String({ description: '`ready`, or why the password storage cannot be used' }),
        drivers: Type.Array(
          named(
            'Driver',
            Type.Object(
              {
                pid: Type.Integer({ description: 'Process id on its host' }),
                runtime: Type.String({ description: 'What it runs on: node and its version' }),
                uptime_s: Type.Number({ description: 'Seconds since it was started' }),
                memory_bytes: Type.Integer({ description: 'Memory that it takes: the resident set, in bytes' }),
                requests: Type.Integer({ description: 'How many requests it has served, this one included' }),
              },
              { description: 'A process of the app that the platform hands requests to' },
            ),
          ),
          { description: 'The driver process that answers; the platform does not tell it about the others' },
        ),
      },
      { description: 'How the app is' },
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
