import { Type } from 'typebox';
import { endpoints } from '../../contract/endpoint.ts';

export const service = endpoints({
  getHealth: {
    method: 'GET',
    path: '/ml/health',
    summary: 'Version of the app and state of what it depends on.',
    gate: 'session',
    reply: Type.Object({
      version: Type.String(),
      store: Type.String({ description: "`ready`, or the state of the record store in the platform's own word" }),
      secrets: Type.String({ description: '`ready`, or why the password storage cannot be used' }),
      drivers: Type.Array(
        Type.Object({
          pid: Type.Integer(),
          runtime: Type.String(),
          uptime_s: Type.Number(),
          memory_bytes: Type.Integer({ description: 'Resident set' }),
          requests: Type.Integer({ description: 'Served by this process' }),
        }),
        { description: 'The driver process that answers; the platform does not tell it about the others' },
      ),
    }),
    faults: [],
    addition: true,
  },
  getOpenApi: {
    method: 'GET',
    path: '/ml/openapi',
    summary: 'This interface as an OpenAPI 3.1 document.',
    gate: 'session',
    bare: true,
    reply: Type.Record(Type.String(), Type.Unknown()),
    faults: [],
    addition: true,
  },
});
