import { Type } from 'typebox';
import { BEGUN_KEPT_S } from '../../contract/families/usage.ts';
import { SharingOf } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { MaskedFacts } from '../masking/schemas.ts';

const MAX_ROWS = 10_000;

const Model = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'A model that GET /ml/list_models lists, your own first, or `container:<model>`',
  'x-trim': true,
});
const ModelType = named(
  'PredictionType',
  Type.Enum(['onnx', 'cloud', 'container'], {
    description: 'onnx: uploaded. cloud: registered, at a SageMaker endpoint. container: a container that is running.',
  }),
);
const ModelName = Type.String({ description: 'Name of the model' });

export const PredictBody = named(
  'PredictRequest',
  Type.Object(
    {
      model: Model,
      rows: Type.Array(Type.Record(Type.String(), Type.Unknown(), { description: 'Values by feature' }), {
        minItems: 1,
        maxItems: MAX_ROWS,
        description: 'What to predict from; text that reads as a number is one',
      }),
      timeout_s: Type.Optional(
        Type.Number({ minimum: 1, maximum: 100, description: 'Seconds to wait. Default: `[gateway] deadline_s`' }),
      ),
    },
    { description: 'Rows for a model' },
  ),
);

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
  description: 'Not-a-number and infinite values are null, integers beyond 2^53 text',
});

export const PredictReply = named(
  'PredictResult',
  Type.Object(
    {
      model: ModelName,
      type: ModelType,
      result: Type.Array(
        Type.Union([
          Type.Record(Type.String(), Value, { description: 'Predictions by field' }),
          Type.Null({ description: 'The row is in `errors`' }),
        ]),
        { description: 'In the order of the rows' },
      ),
      errors: Type.Array(
        Type.Object(
          {
            row: Type.Integer({ description: 'Index in `rows`' }),
            error_code: Type.String({
              description: 'missing_field, unreadable_value, a code of the connection, or in a batch not_reached',
            }),
            message: Type.String({ description: 'Why; names the feature' }),
          },
          { description: 'A row without a prediction' },
        ),
        { description: 'Rows that failed alone' },
      ),
      ml: MaskedFacts,
    },
    { description: 'Predictions' },
  ),
);

const UseId = Type.String({ description: 'Id by which the use is ended' });

export const PredictBeginBody = named(
  'PredictBegin',
  Type.Object({ model: Model }, { description: 'A model that a search is about to apply by itself' }),
);

export const PredictBeginReply = named(
  'PredictBegun',
  Type.Object(
    {
      use_id: UseId,
      model: ModelName,
      type: ModelType,
      owner: Type.String({ description: 'User whose model it is' }),
      app: Type.String({ description: 'Id of the app that the model belongs to' }),
      sharing: SharingOf('Who can see it'),
      features: Type.Array(Type.String(), { description: 'Fields that the model is given; empty if unknown' }),
      targets: Type.Array(Type.String(), { description: 'Fields that it predicts; empty if unknown' }),
      size_bytes: Type.Optional(
        Type.Integer({ description: 'Size of the file; absent if there is none on this member' }),
      ),
    },
    { description: 'A model that may be applied, and where it is' },
  ),
);

export const PredictEndBody = named(
  'PredictEnd',
  Type.Object(
    {
      use_id: Type.String({ minLength: 1, maxLength: 100, description: 'Of POST /ai_gateway/predict/begin' }),
      rows: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Rows that were applied' }),
      failed: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Rows of these that failed' }),
      duration_ms: Type.Number({
        minimum: 0,
        maximum: 1000 * BEGUN_KEPT_S,
        description: 'Time that the model took; no more than since the use was begun',
      }),
      error_code: Type.Optional(
        Type.String({ maxLength: 64, pattern: '^[a-z0-9_]+$', description: 'Why the search failed, if it did' }),
      ),
    },
    { description: 'What a search has used' },
  ),
);

export const PredictEndReply = named(
  'PredictEnded',
  Type.Object({ use_id: UseId }, { description: 'The use that is recorded' }),
);
