import { Type } from 'typebox';
import { Clearable, NameOf } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { SearchFields, SearchMessage, SearchRows } from '../../families/search-tools/schemas.ts';

const { Optional } = Type;

export const SearchCallBody = named(
  'SearchCallRequest',
  Type.Object(
    {
      tool: NameOf('Name of the search tool without the prefix: spl, indexes …, or that of a published one'),
      arguments: Optional(
        Clearable(
          Type.Record(Type.String(), Type.Unknown(), {
            description: 'Arguments of the tool. Default, also for null: none',
          }),
        ),
      ),
      timeout_s: Optional(
        Type.Number({
          ...{ minimum: 1, maximum: 100 },
          description: 'Seconds after which the search ends with the rows that it has. Default: that of the tool',
        }),
      ),
    },
    { description: 'A call of a search tool' },
  ),
);

export const SearchCallReply = named(
  'SearchCallReply',
  Type.Object(
    {
      result: named(
        'SearchResult',
        Type.Object(
          {
            sid: Optional(Type.String({ description: 'Id of the search job; absent for lists that need no search' })),
            fields: SearchFields,
            rows: SearchRows,
            count: Type.Integer({ description: 'Rows of this answer' }),
            total: Optional(Type.Integer({ description: 'Rows of the search' })),
            at_least: Optional(
              Type.Integer({
                description: 'In place of total, for a search that was stopped: rows that it had by then',
              }),
            ),
            truncated: Optional(Type.Boolean({ description: 'true: rows were left out, or cells cut' })),
            earliest: Optional(Type.String({ description: 'Begin of the range of time, ISO 8601' })),
            latest: Optional(Type.String({ description: 'End of the range of time, ISO 8601' })),
            messages: Type.Array(SearchMessage, { description: 'What the platform says of the search' }),
          },
          { description: 'Rows of a search' },
        ),
      ),
    },
    { description: 'What a search tool answered' },
  ),
);
