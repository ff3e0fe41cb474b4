import { type Static, Type } from 'typebox';
import { Acl, AclInput, Clearable, Metadata, Version } from '../../contract/common.ts';
import { named } from '../../contract/named.ts';
import { MODEL_NAME_MESSAGE, MODEL_NAME_PATTERN } from '../models/public.ts';
import { EXPERIMENT_STATUSES, EXPERIMENT_TYPES, HISTORY_ACTIONS } from './constants.ts';

const FreeObject = Type.Record(Type.String(), Type.Unknown());

const ExperimentId = Type.String({
  maxLength: 32,
  pattern: '^[0-9a-fA-F]{32}$',
  description: 'UUIDv4 without dashes, assigned by the server',
  'x-message': 'must be 32 hexadecimal digits',
});
export const ExperimentParams = Type.Object({ experiment_id: ExperimentId });

export const ExperimentTypeEnum = named('ExperimentType', Type.Enum([...EXPERIMENT_TYPES]));
export const ExperimentStatusEnum = named('ExperimentStatus', Type.Enum([...EXPERIMENT_STATUSES]));

const Search = Type.String({ maxLength: 262_144, description: 'SPL' });
const Time = Type.Union([Type.String({ maxLength: 256 }), Type.Number()], {
  description: 'A time as the platform takes it: relative, epoch seconds or a date',
});

const dataSource = {
  type: Type.Optional(Type.Enum(['search', 'dataset', 'datamodel', 'metrics'], { description: 'Default search' })),
  search: Type.Optional(Clearable(Search)),
  earliest: Type.Optional(Clearable(Time)),
  latest: Type.Optional(Clearable(Time)),
};

/** A model as searches name it; `app:` stands for a shared one. */
const StageModel = Type.String({
  maxLength: 204,
  pattern: '^(app:)?[A-Za-z_][A-Za-z0-9_]{0,199}$',
  'x-message': 'must be the name of a model: letters, digits and _, with app: before the name of a shared model',
});

const SearchStage = named(
  'SearchStage',
  Type.Object({
    role: Type.Enum(['preprocess', 'fit', 'apply', 'validate', 'visualize']),
    search: Search,
    algorithm: Type.Optional(Type.String({ maxLength: 256 })),
    parameters: Type.Optional(FreeObject),
    fields: Type.Optional(Type.Union([Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 10_000 }), FreeObject])),
    model_name: Type.Optional(StageModel),
  }),
);

const Schedule = { cron: Type.String({ minLength: 1, maxLength: 256 }), enabled: Type.Boolean() };

const optionalInput = {
  description: Type.Optional(Clearable(Type.String({ maxLength: 4096 }))),
  data_source: Type.Optional(Clearable(Type.Object(dataSource))),
  search_stages: Type.Optional(Clearable(Type.Array(SearchStage, { maxItems: 1000 }))),
  statistics: Type.Optional(Clearable(FreeObject)),
  status: Type.Optional(ExperimentStatusEnum),
  tags: Type.Optional(Clearable(Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: 100 }))),
  acl: Type.Optional(AclInput),
};

const Title = Type.String({ minLength: 1, maxLength: 256, 'x-trim': true });

export const ExperimentCreate = named(
  'ExperimentCreate',
  Type.Object({
    title: Title,
    type: ExperimentTypeEnum,
    ...optionalInput,
    schedule: Type.Optional(Clearable(Type.Object({ ...Schedule, enabled: Type.Optional(Type.Boolean()) }))),
  }),
);

/** Any subset: objects merge, arrays are replaced, null unsets. */
export const ExperimentUpdate = named(
  'ExperimentUpdate',
  Type.Object({
    experiment_id: Type.Optional(ExperimentId),
    title: Type.Optional(Title),
    type: Type.Optional(ExperimentTypeEnum),
    ...optionalInput,
    schedule: Type.Optional(
      Clearable(Type.Object({ cron: Type.Optional(Schedule.cron), enabled: Type.Optional(Schedule.enabled) })),
    ),
    version: Type.Optional(Version),
  }),
);

export const ExperimentRecord = named(
  'Experiment',
  Type.Object({
    experiment_id: Type.String(),
    title: Type.String(),
    description: Type.String(),
    type: ExperimentTypeEnum,
    data_source: Type.Optional(
      Type.Object({
        type: Type.Enum(['search', 'dataset', 'datamodel', 'metrics']),
        search: Type.Optional(Type.String()),
        earliest: Type.Optional(Time),
        latest: Type.Optional(Time),
      }),
    ),
    search_stages: Type.Optional(Type.Array(SearchStage, { description: 'In lists only with detail=true' })),
    statistics: FreeObject,
    status: ExperimentStatusEnum,
    models: Type.Array(Type.String(), { description: 'Derived from the stages' }),
    schedule: Type.Optional(Type.Object(Schedule)),
    tags: Type.Array(Type.String()),
    acl: Acl,
    ...Metadata,
  }),
);

export const HistoryInput = named(
  'HistoryEntryInput',
  Type.Object({
    action: Type.Enum([...HISTORY_ACTIONS]),
    sid: Type.Optional(Type.String({ maxLength: 1024 })),
    search: Type.Optional(Search),
    models: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 1000 })),
    parameters: Type.Optional(FreeObject),
    statistics: Type.Optional(FreeObject),
    duration_ms: Type.Optional(Type.Number({ minimum: 0 })),
    status: Type.Optional(Type.Enum(['success', 'fail'], { description: 'Default success' })),
    message: Type.Optional(Type.String({ maxLength: 16_384 })),
  }),
);

export const HistoryEntry = named(
  'HistoryEntry',
  Type.Object({
    history_id: Type.String(),
    experiment_id: Type.String(),
    action: Type.Enum([...HISTORY_ACTIONS]),
    timestamp: Type.Number({ description: 'When added, epoch seconds with a fraction; set by the server' }),
    user: Type.String({ description: 'Who added it; set by the server' }),
    sid: Type.Optional(Type.String()),
    search: Type.Optional(Type.String()),
    models: Type.Optional(Type.Array(Type.String())),
    parameters: Type.Optional(FreeObject),
    statistics: Type.Optional(FreeObject),
    duration_ms: Type.Optional(Type.Number()),
    status: Type.Enum(['success', 'fail']),
    message: Type.Optional(Type.String()),
  }),
);

const ModelName = Type.String({ maxLength: 128, pattern: MODEL_NAME_PATTERN, 'x-message': MODEL_NAME_MESSAGE });

export const CloneInput = named(
  'ModelClones',
  Type.Object({
    models: Type.Optional(
      Type.Array(
        Type.Object({
          source: Type.String({ minLength: 1, maxLength: 256, 'x-trim': true }),
          destination: ModelName,
        }),
        { minItems: 1, maxItems: 200, description: 'Default: every draft model of the experiment, to its final name' },
      ),
    ),
    sharing: Type.Optional(Type.Enum(['user', 'app'], { description: 'Of the copies; default user' })),
    overwrite: Type.Optional(Type.Boolean({ description: 'Default false' })),
  }),
);

export const CloneResult = named(
  'ModelCloneResult',
  Type.Object({
    source: Type.String(),
    destination: Type.String(),
    status: Type.Enum(['cloned', 'skipped', 'failed']),
    error_code: Type.Optional(Type.String()),
  }),
);

export type ExperimentCreate = Static<typeof ExperimentCreate>;
export type ExperimentUpdate = Static<typeof ExperimentUpdate>;
export type ExperimentRecord = Static<typeof ExperimentRecord>;
export type HistoryInput = Static<typeof HistoryInput>;
export type HistoryEntry = Static<typeof HistoryEntry>;
export type CloneInput = Static<typeof CloneInput>;
export type CloneResult = Static<typeof CloneResult>;
