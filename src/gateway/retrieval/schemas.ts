import { Type } from 'typebox';
import { NameOf } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { MaskedFacts } from '../masking/schemas.ts';

/** Limit of Amazon Bedrock. */
const MAX_QUERY = 20_000;

export const RetrieveBody = named(
  'RetrieveRequest',
  Type.Object(
    {
      store: NameOf('Name of a vector store that you may read'),
      query: Type.String({
        minLength: 1,
        maxLength: MAX_QUERY,
        description: 'What to look for',
        'x-trim': true,
      }),
      number_of_results: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, default: 5, description: 'Passages at most' }),
      ),
      filter: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          maxProperties: 20,
          description:
            'Only passages whose metadata match: one operator with {key, value} (equals, notEquals, in, notIn, greaterThan, greaterThanOrEquals, lessThan, lessThanOrEquals, startsWith, listContains, stringContains), or andAll, orAll with a list of filters, nested 5 deep at most',
        }),
      ),
      search_type: Type.Optional(
        Type.Enum(['hybrid', 'semantic'], {
          description: 'semantic: by meaning; hybrid: by words as well. Default: the store decides',
        }),
      ),
      timeout_s: Type.Optional(
        Type.Number({ minimum: 1, maximum: 100, description: 'Seconds to wait. Default: `[gateway] deadline_s`' }),
      ),
    },
    { description: 'What to look for in a vector store' },
  ),
);

export const RetrieveReply = named(
  'RetrieveResult',
  Type.Object(
    {
      result: Type.Array(
        Type.Object(
          {
            rank: Type.Integer({ description: 'From 1' }),
            id: Type.Optional(Type.String({ description: 'Id of the document' })),
            text: Type.String({ description: 'Empty for a passage without text, such as a picture' }),
            score: Type.Optional(
              Type.Number({ description: 'How well it fits, on a scale of the store; absent if it has none' }),
            ),
            source: Type.Object(
              {
                type: Type.Optional(Type.String({ description: 's3, web, confluence …; absent if unknown' })),
                uri: Type.Optional(Type.String({ description: 'Address, id or query of the place' })),
              },
              { description: 'Where the document is' },
            ),
            metadata: Type.Record(Type.String(), Type.Unknown(), { description: 'Metadata of the document' }),
          },
          { description: 'A passage' },
        ),
        { description: 'Passages, best first' },
      ),
      ml: MaskedFacts,
    },
    { description: 'What was found' },
  ),
);
