import { Type } from 'typebox';
import { BATCH_OPERATIONS } from '../../contract/families/usage.ts';
import { named } from '../../contract/schemas/named.ts';

const Json = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const MAX_ITEMS = 200;
/** Far more than an operation has. */
const MAX_FIELDS = 200;
const Fields = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description, maxProperties: MAX_FIELDS });

export const BatchBody = named(
  'BatchRequest',
  Type.Object(
    {
      operation: Type.Enum([...BATCH_OPERATIONS], {
        description: 'What each item asks for',
      }),
      common: Type.Optional(Fields('Fields of every item')),
      items: Type.Array(
        Fields('A unique text `id` and fields of this item; with `common` they are the body of the operation'),
        { minItems: 1, maxItems: MAX_ITEMS, description: 'Uses' },
      ),
      parallel: Type.Optional(Type.Integer({ minimum: 1, maximum: 16, default: 8, description: 'Calls at a time' })),
      deadline_s: Type.Optional(
        Type.Number({ minimum: 1, maximum: 100, default: 25, description: 'Calls that take longer fail with timeout' }),
      ),
      begin_within_s: Type.Optional(
        Type.Number({ exclusiveMinimum: 0, maximum: 100, description: 'No call begins later. Default: deadline_s' }),
      ),
      dedup: Type.Optional(
        Type.Boolean({
          default: true,
          description: 'Ask once for items that differ in id only; tools are called for each',
        }),
      ),
      dry_run: Type.Optional(
        Type.Boolean({ default: false, description: 'With chat and embed: ask nobody; estimate tokens and cost' }),
      ),
    },
    { description: 'Many small uses in one request' },
  ),
);

export const BatchReply = named(
  'BatchResult',
  Type.Object(
    {
      result: Type.Array(
        Type.Object(
          {
            id: Type.String({ description: 'Id of the item' }),
            status: Type.Enum(['done', 'failed', 'not_reached'], { description: 'not_reached: nothing was asked' }),
            response: Type.Optional(Json('The body of the operation')),
            error_code: Type.Optional(Type.String({ description: 'Code of a failed item' })),
            message: Type.Optional(Type.String({ description: 'Why it failed' })),
            should_retry: Type.Optional(Type.Boolean({ description: 'Whether trying again may help' })),
            retry_after: Type.Optional(Type.Number({ description: 'Seconds to wait, if the provider said so' })),
          },
          { description: 'Result of an item' },
        ),
        { description: 'In the order of the items' },
      ),
      usage: Type.Object(
        {
          prompt_tokens: Type.Integer({ description: 'Tokens read' }),
          completion_tokens: Type.Integer({ description: 'Tokens written' }),
          total_tokens: Type.Integer({ description: 'The sum of both' }),
          cost: Type.Optional(Type.Number({ description: 'US dollars; absent if no call has a price' })),
        },
        { description: 'Tokens of all calls, each counted once' },
      ),
    },
    { description: 'Results of a batch' },
  ),
);
