import { type Static, Type } from 'typebox';
import { NameOf, Version } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { schemasOf } from '../../resources/record/define.ts';
import { mcpConnection } from './definition.ts';

export const McpTestInput = named(
  'McpConnectionTest',
  Type.Object(
    { name: Type.Optional(NameOf('Name of the saved connection')), ...schemasOf(mcpConnection.fields, 'test') },
    {
      description:
        'Server to contact: name alone means the saved connection. Details are tested as submitted; with a name, masked and absent secrets come from the saved connection.',
    },
  ),
);

export const McpAcceptInput = named(
  'McpToolAcceptance',
  Type.Object(
    {
      name: NameOf('Name of the saved connection'),
      tools: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
          minItems: 1,
          maxItems: 2000,
          description: 'Names of the tools to accept; default: all that the server lists',
        }),
      ),
      fingerprints: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          maxItems: 2000,
          description:
            'Fingerprints of the definitions that a person has seen, from the listing. A tool that the server defines otherwise by now is not accepted.',
        }),
      ),
      version: Type.Optional(Version),
    },
    { description: 'Which tools to accept' },
  ),
);

export type McpTestInput = Static<typeof McpTestInput>;
