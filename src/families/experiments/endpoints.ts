import { Type } from 'typebox';
import { ConfigReply, ListQuery, Pagination, SortDirection } from '../../contract/common.ts';
import { endpoints } from '../../contract/endpoint.ts';
import { EXPERIMENT_SORTS, HISTORY_ACTIONS } from './constants.ts';
import {
  CloneInput,
  CloneResult,
  ExperimentCreate,
  ExperimentParams,
  ExperimentRecord,
  ExperimentStatusEnum,
  ExperimentTypeEnum,
  ExperimentUpdate,
  HistoryEntry,
  HistoryInput,
} from './schemas.ts';

const read = { gate: 'session' } as const;
const write = { gate: 'session', flag: 'experiments' } as const;
const SORT_KEYS = Object.keys(EXPERIMENT_SORTS) as ['title', ...(keyof typeof EXPERIMENT_SORTS)[]];
const PAGE = ListQuery(['timestamp'], {}).properties;
const Moment = Type.String({ minLength: 1, maxLength: 64, description: 'Epoch seconds or an ISO 8601 date' });

const FILTERED = ['owner', 'audience', 'type', 'status'];
/**
 * For each way to sort one index that also has what lists filter by: page and total never read a document. The first is
 * for searches, which go through all of them.
 */
export const EXPERIMENT_INDEXES = ['experiment_id', ...Object.values(EXPERIMENT_SORTS)].map((field) => [
  ...new Set([field, 'experiment_id', ...FILTERED]),
]);
export const HISTORY_INDEXES = [['experiment_id', 'history_id', 'action', 'status', 'timestamp']];

export const experiments = endpoints({
  listExperiments: {
    method: 'GET',
    path: '/ml/experiments',
    summary: 'Experiments the caller may read; stages only with detail=true.',
    ...read,
    query: ListQuery(SORT_KEYS, {
      type: Type.Optional(ExperimentTypeEnum),
      owner: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
      status: Type.Optional(ExperimentStatusEnum),
      detail: Type.Optional(Type.Boolean({ description: 'With the stages. Default false.' })),
    }),
    reply: Type.Object({ result: Type.Array(ExperimentRecord), pagination: Pagination }),
    faults: [],
  },
  createExperiment: {
    method: 'POST',
    path: '/ml/experiments',
    summary: 'Create an experiment; the server assigns its id.',
    ...write,
    body: ExperimentCreate,
    reply: Type.Object({ experiment_id: Type.String(), config: ExperimentRecord }),
    faults: ['acl_denied'],
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
    summary: 'Delete an experiment, its history, and the models whose names contain its id.',
    ...write,
    params: ExperimentParams,
    query: Type.Object({
      keep_models: Type.Optional(Type.Boolean({ description: 'Keep its models. Default false.' })),
    }),
    conditional: true,
    reply: Type.Object({
      experiment_id: Type.String(),
      deleted_models: Type.Array(Type.String()),
      deleted_history: Type.Integer(),
    }),
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
      sort_dir: Type.Optional(SortDirection('Default desc.')),
      search: Type.Optional(Type.String({ description: 'Case-insensitive part of message, user or action.' })),
      action: Type.Optional(Type.Enum([...HISTORY_ACTIONS])),
      status: Type.Optional(Type.Enum(['success', 'fail'])),
      earliest: Type.Optional(Moment),
      latest: Type.Optional(Moment),
    }),
    reply: Type.Object({ result: Type.Array(HistoryEntry), pagination: Pagination }),
    faults: ['not_found'],
  },
  addExperimentHistory: {
    method: 'POST',
    path: '/ml/experiments/{experiment_id}/history',
    summary: 'Add an entry to the history of an experiment; the server sets time and user.',
    ...write,
    params: ExperimentParams,
    body: HistoryInput,
    reply: Type.Object({ history_id: Type.String(), config: HistoryEntry }),
    faults: ['not_found', 'acl_denied'],
  },
  cloneExperimentModels: {
    method: 'POST',
    path: '/ml/experiments/{experiment_id}/clone_models',
    summary: 'Copy models of an experiment under other names; what was copied stays, whatever happens to the rest.',
    ...write,
    params: ExperimentParams,
    body: CloneInput,
    emptyBody: true,
    reply: Type.Object({ result: Type.Array(CloneResult) }),
    faults: ['not_found', 'acl_denied', 'already_exists'],
  },
});
