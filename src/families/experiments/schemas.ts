import { type Static, type TSchema, Type } from 'typebox';
import { Acl, AclInput, Clearable, DescriptionInput, Metadata, Version } from '../../contract/schemas/common.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';
import { EXPERIMENT_STATUSES, EXPERIMENT_TYPES } from './constants.ts';

const MAX_ENTRIES = 10_000;
const AnyObject = Type.Record(Type.String(), Type.Unknown(), { maxProperties: MAX_ENTRIES });
export const FreeObject = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { maxProperties: MAX_ENTRIES, description });
export const Statistics = FreeObject('Measurements, with keys and values of the caller; at most 32 levels deep');

const EXPERIMENT_ID = 'Id of the experiment: a UUIDv4 without dashes, assigned by the server';
const ExperimentId = Type.String({
  maxLength: 32,
  pattern: '^[0-9a-fA-F]{32}$',
  description: EXPERIMENT_ID,
  'x-message': 'must be 32 hexadecimal digits',
});
export const ExperimentParams = Type.Object({ experiment_id: ExperimentId });

export const ExperimentTypeEnum = named(
  'ExperimentType',
  Type.Enum([...EXPERIMENT_TYPES], { description: 'Kind of workflow; it cannot change' }),
);
export const experimentStatus = (more: { default?: string } = {}) =>
  named(
    'ExperimentStatus',
    Type.Enum([...EXPERIMENT_STATUSES], {
      description: 'Status of the experiment, set by callers',
      ...more,
    }),
  );

export const Search = Type.String({ maxLength: 262_144, description: 'A search, or a part of one, in SPL' });
const Time = (which: string) =>
  Type.Union([Type.String({ maxLength: 256 }), Type.Number()], {
    description: `${which} of the time range, as the platform takes it: relative (-7d@d), epoch seconds or a date`,
  });
const Earliest = Time('Start');
const Latest = Time('End');

const SourceType = Type.Enum(['search', 'dataset', 'datamodel', 'metrics'], {
  description: 'Kind of data source: a search of events, a dataset, a data model or metrics. Default: search.',
});
const ABOUT_SOURCE = { description: 'Where the data of the experiment comes from' };
/** No `default`, since an update would then overwrite the stored value. */
const sourceOf = <S extends TSchema>(search: S) =>
  Type.Object(
    {
      type: Type.Optional(SourceType),
      search: Type.Optional(Clearable(search)),
      earliest: Type.Optional(Clearable(Earliest)),
      latest: Type.Optional(Clearable(Latest)),
    },
    ABOUT_SOURCE,
  );
export const SearchView = Type.String({ description: 'A search, or a part of one, in SPL' });
const AnySource = named('ExperimentDataSource', sourceOf(SearchView));
const DataSource = narrowed(AnySource, sourceOf(Search));
const SourceView = narrowed(
  AnySource,
  Type.Object(
    {
      type: SourceType,
      search: Type.Optional(SearchView),
      earliest: Type.Optional(Earliest),
      latest: Type.Optional(Latest),
    },
    ABOUT_SOURCE,
  ),
);

const StageModel = Type.String({
  maxLength: 204,
  pattern: '^(app:)?[A-Za-z_][A-Za-z0-9_]{0,199}$',
  description: 'Model that the stage writes or reads; the prefix app: means a shared model',
  'x-message': 'must be the name of a model: letters, digits and _, with app: before the name of a shared model',
});

const SearchStage = named(
  'SearchStage',
  Type.Object(
    {
      role: Type.Enum(['preprocess', 'fit', 'apply', 'validate', 'visualize'], {
        description: 'Role of the stage; fit trains a model, apply uses one',
      }),
      search: Search,
      algorithm: Type.Optional(
        Type.String({ maxLength: 256, description: 'Name of the algorithm that the stage uses' }),
      ),
      parameters: Type.Optional(FreeObject('Parameters of the algorithm')),
      fields: Type.Optional(
        Type.Union([Type.Array(Type.String({ maxLength: 1024 }), { maxItems: MAX_ENTRIES }), AnyObject], {
          description: 'Fields of the stage: a list of names, or an object that maps roles to names',
        }),
      ),
      model_name: Type.Optional(StageModel),
    },
    { description: 'One step of the workflow' },
  ),
);

const Cron = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Cron schedule with five fields: minute, hour, day of the month, month, day of the week',
  'x-form': { maxLength: 256, pattern: '^ *[^ ]+( +[^ ]+){4} *$' },
});
const ENABLED = 'Whether the schedule is enabled';
const ABOUT_SCHEDULE = {
  description: 'Training schedule. The app stores it and does not start anything.',
};

const ScheduleCreate = named(
  'ExperimentSchedule',
  Type.Object(
    { cron: Cron, enabled: Type.Optional(Type.Boolean({ default: true, description: ENABLED })) },
    ABOUT_SCHEDULE,
  ),
);
const ScheduleUpdate = named(
  'ExperimentScheduleUpdate',
  Type.Object(
    { cron: Type.Optional(Cron), enabled: Type.Optional(Type.Boolean({ description: ENABLED })) },
    ABOUT_SCHEDULE,
  ),
);
const ScheduleView = narrowed(
  ScheduleCreate,
  Type.Object({ cron: Cron, enabled: Type.Boolean({ description: ENABLED }) }, ABOUT_SCHEDULE),
);

const DESCRIPTION = 'Description of the experiment, in free text';
const STAGES = 'Steps of the workflow, in order';
const TAGS = 'Keywords for searches';

const optionalInput = {
  description: DescriptionInput(DESCRIPTION),
  data_source: Type.Optional(Clearable(DataSource)),
  search_stages: Type.Optional(
    Clearable(
      Type.Array(SearchStage, {
        maxItems: 1000,
        description: `${STAGES}. The list is replaced as a whole; null empties it.`,
      }),
    ),
  ),
  statistics: Type.Optional(Clearable(Statistics)),
  status: Type.Optional(experimentStatus()),
  tags: Type.Optional(
    Clearable(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
        maxItems: 100,
        description: `${TAGS}. The list is replaced as a whole; null empties it.`,
      }),
    ),
  ),
  acl: Type.Optional(AclInput),
};

const TITLE = 'Title; need not be unique';
const Title = Type.String({ minLength: 1, maxLength: 256, description: TITLE, 'x-trim': true });

export const ExperimentCreate = named(
  'ExperimentCreate',
  Type.Object(
    {
      title: Title,
      type: ExperimentTypeEnum,
      ...optionalInput,
      status: Type.Optional(experimentStatus({ default: 'draft' })),
      schedule: Type.Optional(Clearable(ScheduleCreate)),
    },
    { description: 'A new experiment, at most 1 MB as JSON' },
  ),
);

export const ExperimentUpdate = named(
  'ExperimentUpdate',
  Type.Object(
    {
      experiment_id: Type.Optional(ExperimentId),
      title: Type.Optional(Title),
      type: Type.Optional(ExperimentTypeEnum),
      ...optionalInput,
      schedule: Type.Optional(Clearable(ScheduleUpdate)),
      version: Type.Optional(Version),
    },
    {
      description: 'A change of an experiment: objects merge, lists are replaced, null unsets, omitted fields stay',
    },
  ),
);

export const IdView = Type.String({ description: EXPERIMENT_ID });

export const ExperimentRecord = named(
  'Experiment',
  Type.Object(
    {
      experiment_id: IdView,
      title: Type.String({ description: TITLE }),
      description: Type.String({ description: DESCRIPTION }),
      type: ExperimentTypeEnum,
      data_source: Type.Optional(SourceView),
      search_stages: Type.Optional(
        Type.Array(SearchStage, { description: `${STAGES}; in lists only with detail=true` }),
      ),
      statistics: Statistics,
      status: experimentStatus(),
      models: Type.Array(Type.String(), { description: 'Names of the models in the stages; set by the server' }),
      schedule: Type.Optional(ScheduleView),
      tags: Type.Array(Type.String(), { description: TAGS }),
      acl: Acl,
      ...Metadata,
    },
    { description: 'A machine-learning workflow: its data, stages and models' },
  ),
);

export type ExperimentCreate = Static<typeof ExperimentCreate>;
export type ExperimentUpdate = Static<typeof ExperimentUpdate>;
export type ExperimentRecord = Static<typeof ExperimentRecord>;
