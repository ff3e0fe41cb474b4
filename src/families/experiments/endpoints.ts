import { Type } from 'typebox';
import { endpoints } from '../../contract/rows/endpoint.ts';
import {
  ConfigReply,
  ListQuery,
  Page,
  Pagination,
  Search,
  SortDirection,
  TimeParam,
} from '../../contract/schemas/common.ts';
import { EXPERIMENT_SORTS } from './constants.ts';
import {
  CloneInput,
  CloneResult,
  EntryStatus,
  HistoryAction,
  HistoryEntry,
  HistoryId,
  HistoryInput,
} from './historySchemas.ts';
import {
  ExperimentCreate,
  ExperimentParams,
  ExperimentRecord,
  ExperimentTypeEnum,
  ExperimentUpdate,
  experimentStatus,
  IdView,
} from './schemas.ts';

const read = { gate: 'session' } as const;
const write = { gate: 'session', flag: 'experiments' } as const;
const SORT_KEYS = Object.keys(EXPERIMENT_SORTS) as ['title', ...(keyof typeof EXPERIMENT_SORTS)[]];
const PAGE = ListQuery(['timestamp'], {}).properties;

const FILTERED = ['owner', 'audience', 'type', 'status'];
/** One covering index per sort key, so that pages and totals need no documents; the first serves full scans. */
export const EXPERIMENT_INDEXES = [
  ...['experiment_id', ...Object.values(EXPERIMENT_SORTS)].map((field) => [
    ...new Set([field, 'experiment_id', ...FILTERED]),
  ]),
  ['owner'],
];
export const HISTORY_INDEXES = [
  ['experiment_id', 'history_id', 'action', 'status', 'timestamp'],
  ['user', 'history_id'],
];

export const experiments = endpoints({
  listExperiments: {
    method: 'GET',
    path: '/ml/experiments',
    summary: 'Experiments the caller may read; stages only with detail=true.',
    ...read,
    query: ListQuery(SORT_KEYS, {
      type: Type.Optional(ExperimentTypeEnum),
      owner: Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description: 'Only those of this user' })),
      status: Type.Optional(experimentStatus()),
      detail: Type.Optional(Type.Boolean({ default: false, description: 'Include the stages' })),
    }),
    reply: Type.Object(
      { result: Page(ExperimentRecord), pagination: Pagination },
      { description: 'A page of experiments' },
    ),
    faults: [],
  },
  createExperiment: {
    method: 'POST',
    path: '/ml/experiments',
    audit: { action: 'create', name: ['new.id'] },
    summary: 'Create an experiment; the server assigns its id.',
    ...write,
    body: ExperimentCreate,
    judgesDepth: true,
    reply: Type.Object(
      { experiment_id: IdView, config: ExperimentRecord },
      { description: 'The new experiment with its id' },
    ),
    faults: ['acl_denied', 'too_many_records'],
  },
  getExperiment: {
    method: 'GET',
    path: '/ml/experiments/{experiment_id}',
    summary: 'One experiment with its stages.',
    ...read,
    params: ExperimentParams,
    reply: ConfigReply(ExperimentRecord),
    faults: ['not_found'],
  },
  updateExperiment: {
    method: 'POST',
    path: '/ml/experiments/{experiment_id}',
    audit: { action: 'update', name: ['params.experiment_id'] },
    summary: 'Change an experiment: any subset of its fields. Objects merge, arrays are replaced, null unsets.',
    ...write,
    params: ExperimentParams,
    body: ExperimentUpdate,
    conditional: true,
    reply: ConfigReply(ExperimentRecord),
    faults: ['not_found', 'acl_denied', 'version_conflict'],
  },
  deleteExperiment: {
    method: 'DELETE',
    path: '/ml/experiments/{experiment_id}',
    audit: { action: 'delete', name: ['params.experiment_id'] },
    summary: 'Delete an experiment, its history, and the models whose names contain its id.',
    ...write,
    params: ExperimentParams,
    query: Type.Object({
      keep_models: Type.Optional(Type.Boolean({ default: false, description: 'Keep its models' })),
    }),
    conditional: true,
    reply: Type.Object(
      {
        experiment_id: IdView,
        deleted_models: Type.Array(Type.String(), {
          description: 'Names of the deleted models; warnings name those that could not be deleted',
        }),
        deleted_history: Type.Integer({ description: 'How many history entries were deleted with it' }),
      },
      { description: 'What was deleted' },
    ),
    faults: ['not_found', 'acl_denied', 'version_conflict'],
  },
  listExperimentHistory: {
    method: 'GET',
    path: '/ml/experiments/{experiment_id}/history',
    summary: 'Runs and changes of an experiment, newest first; the newest 1,000 are kept.',
    ...read,
    params: ExperimentParams,
    query: Type.Object({
      count: PAGE.count,
      offset: PAGE.offset,
      sort_key: PAGE.sort_key,
      sort_dir: Type.Optional(SortDirection('desc')),
      search: Type.Optional(Search('message, user or action')),
      action: Type.Optional(HistoryAction),
      status: Type.Optional(EntryStatus),
      earliest: Type.Optional(TimeParam('Only entries from this time on')),
      latest: Type.Optional(TimeParam('Only entries before this time')),
    }),
    reply: Type.Object(
      { result: Page(HistoryEntry), pagination: Pagination },
      { description: 'A page of the history' },
    ),
    faults: ['not_found'],
  },
  addExperimentHistory: {
    method: 'POST',
    path: '/ml/experiments/{experiment_id}/history',
    audit: { action: 'update', name: ['params.experiment_id'] },
    summary: 'Add an entry to the history of an experiment; the server sets time and user.',
    ...write,
    params: ExperimentParams,
    body: HistoryInput,
    reply: Type.Object({ history_id: HistoryId, config: HistoryEntry }, { description: 'The new entry with its id' }),
    faults: ['not_found', 'acl_denied'],
  },
  cloneExperimentModels: {
    method: 'POST',
    path: '/ml/experiments/{experiment_id}/clone_models',
    audit: { action: 'clone', name: ['params.experiment_id'] },
    summary: 'Copy models of an experiment under other names. Successful copies stay if others fail.',
    ...write,
    params: ExperimentParams,
    body: CloneInput,
    emptyBody: true,
    reply: Type.Object(
      {
        result: Type.Array(CloneResult, { description: 'Result of each copy, in the order of the request' }),
      },
      { description: 'Result of each copy' },
    ),
    faults: ['not_found', 'acl_denied', 'already_exists'],
  },
});
