import { Type } from 'typebox';
import { MAX_ARGUMENTS_BYTES } from '../../contract/basics.ts';
import { NameOf } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { AppName, MaxRows, SearchArgumentInput, SearchText, TimeoutS, TimeText } from './definition.ts';

const { Optional } = Type;

export const SearchToolTest = named(
  'SearchToolTest',
  Type.Object(
    {
      name: Optional(NameOf('Name of the saved search tool')),
      search: Optional(SearchText),
      arguments: Optional(
        Type.Array(SearchArgumentInput, { maxItems: 50, description: 'The arguments of the search' }),
      ),
      earliest: Optional(TimeText('Begin of the range of time')),
      latest: Optional(TimeText('End of the range of time')),
      app: Optional(AppName),
      max_rows: Optional(MaxRows),
      timeout_s: Optional(TimeoutS),
      values: Optional(
        Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
          description: `Argument -> value; at most ${MAX_ARGUMENTS_BYTES} bytes`,
        }),
      ),
      confirm: Optional(
        Type.Boolean({
          default: false,
          description: 'Required for a search that changes something, which the test does',
        }),
      ),
    },
    {
      description:
        'Search to run as the caller: name alone means the saved tool. Other fields are tested as submitted; with a name, those that are absent come from the saved tool.',
    },
  ),
);

export const SearchMessage = named(
  'SearchMessage',
  Type.Object(
    {
      type: Type.String({ description: 'FATAL, ERROR, WARN, INFO or DEBUG' }),
      text: Type.String({ description: 'Text of the platform' }),
    },
    { description: 'What the platform says of a search' },
  ),
);

export const SearchFields = Type.Array(Type.String(), { description: 'Fields of the rows, in order' });
export const SearchRows = Type.Array(Type.Array(Type.Unknown()), {
  description: 'Rows; each value is text, a number, a list or null, in the order of fields',
});

export const SearchToolTestReply = named(
  'SearchToolTestReply',
  Type.Object(
    {
      success: Type.Boolean({ description: 'Whether the search ran' }),
      data: Type.Object(
        {
          search: Type.String({ description: 'The search as it was sent' }),
          sid: Type.Optional(Type.String({ description: 'Id of the search job' })),
          fields: SearchFields,
          rows: SearchRows,
          count: Type.Integer({ description: 'Rows that the search found; 20 at most are shown' }),
          duration_ms: Type.Number({ description: 'Milliseconds' }),
          read_only: Type.Boolean({ description: 'Whether the search only reads' }),
          commands: Type.Array(Type.String(), { description: 'Commands of the search, those of subsearches included' }),
          messages: Type.Array(SearchMessage, { description: 'What the platform says of the search' }),
        },
        { description: 'The search and its first rows' },
      ),
    },
    { description: 'Result of a test of a search tool' },
  ),
);
