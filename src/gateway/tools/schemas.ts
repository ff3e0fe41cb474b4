import { Type } from 'typebox';
import { Clearable, NameOf } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { MaskedFacts } from '../masking/schemas.ts';

export const ToolCallBody = named(
  'ToolCallRequest',
  Type.Object(
    {
      connection: NameOf('Name of the MCP connection'),
      tool: Type.String({ minLength: 1, maxLength: 1024, description: 'Name of the tool, as its server lists it' }),
      arguments: Type.Optional(
        Clearable(
          Type.Record(Type.String(), Type.Unknown(), {
            description: 'Arguments, checked against the schema of the tool. Default, also for null: none',
          }),
        ),
      ),
      timeout_s: Type.Optional(
        Type.Number({
          minimum: 1,
          maximum: 100,
          description: 'Time limit of the tool in seconds. Default: `[gateway] tool_timeout_s`',
        }),
      ),
    },
    { description: 'A call of one tool' },
  ),
);

const Json = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const ToolCallReply = named(
  'ToolCallReply',
  Type.Object(
    {
      result: Type.Object(
        {
          content: Type.Array(Json('A part of the result, as MCP defines it: text, image, audio, resource, link'), {
            description: 'What the tool answered, unchanged but for secrets of the connection, which are masked',
          }),
          structured_content: Type.Optional(
            Type.Unknown({ description: 'The result as an object, or another value of JSON, if the tool gives one' }),
          ),
          is_error: Type.Boolean({ description: 'Whether the tool itself reports an error' }),
        },
        { description: 'Result of the tool' },
      ),
      ml: MaskedFacts,
    },
    { description: 'What a tool answered' },
  ),
);
