import { Type } from 'typebox';
import { NameOf } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';

const Json = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const Version = Type.Literal('2.0', { description: 'Version of JSON-RPC' });
const Id = Type.Union([Type.String({ description: 'A text' }), Type.Integer({ description: 'A number' })], {
  description: 'Id of the request; a notification has none',
});

/** Also of a request that is refused because its id is a fraction. */
const AnsweredId = Type.Union(
  [Type.String({ description: 'A text' }), Type.Number({ description: 'A number' }), Type.Null()],
  { description: 'Id of the request' },
);

export const McpMessage = named(
  'McpMessage',
  Type.Object(
    {
      jsonrpc: Version,
      id: Type.Optional(Id),
      method: Type.String({
        description: 'tools/list, tools/call, server/discover, initialize, ping or a notification',
      }),
      params: Type.Optional(
        Type.Union([Json('Parameters of the method'), Type.Null()], { description: 'Null counts as absent' }),
      ),
    },
    { additionalProperties: true, description: 'One message of the Model Context Protocol' },
  ),
);

export const McpAnswer = named(
  'McpAnswer',
  Type.Object(
    {
      jsonrpc: Version,
      id: Type.Optional(AnsweredId),
      result: Type.Optional(Json('Result of the method')),
      error: Type.Optional(Json('{code, message, data?}, as JSON-RPC defines it')),
    },
    { description: 'Answer to a message; a notification gets 202 and none' },
  ),
);

export const ConnectionParam = Type.Object({ connection: NameOf('Name of the MCP connection') });
