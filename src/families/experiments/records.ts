import type { Acl } from '../../contract/schemas/common.ts';
import type { Reach } from '../../domain/access/audience.ts';
import type { IndexedList } from '../../domain/lists/storedLists.ts';
import { metadataOf, type Open, type SealedDoc, type SealSpec } from '../../domain/records/sealedRecord.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';
import {
  EXPERIMENT_SORTS,
  EXPERIMENTS,
  type ExperimentStatus,
  type ExperimentType,
  type HistoryAction,
} from './constants.ts';
import type { ExperimentRecord } from './schemas.ts';

export type Stage = NonNullable<ExperimentRecord['search_stages']>[number];
export type Outline = Pick<ExperimentRecord, 'data_source' | 'statistics' | 'schedule'>;

/** Free-form parts are JSON text, since the store restricts field names. */
export interface ExperimentStored extends SealedDoc, Reach {
  experiment_id: string;
  title: string;
  title_key: string;
  description: string;
  type: ExperimentType;
  status: ExperimentStatus;
  acl: Acl;
  tags: string[];
  models: string[];
  outline: string;
  stages: string;
}
/** `details` is JSON text, since the store restricts field names and callers choose their own. */
export interface HistoryStored extends Doc {
  /** Equals the key; begins with the time, so that entries sort by age. */
  history_id: string;
  experiment_id: string;
  action: HistoryAction;
  timestamp: number;
  user: string;
  status: 'success' | 'fail';
  details: string;
  /** Copy of the one in `details`, for searches. */
  message: string;
}

export type ExperimentOpen = Open<ExperimentStored>;

export const experimentSpec: SealSpec<ExperimentStored> = {
  family: 'experiments',
  collection: EXPERIMENTS,
  label: 'experiment',
  addresses: () => ({}),
  audited: experimentView,
};

const experimentList: IndexedList = {
  collection: EXPERIMENTS,
  sorts: EXPERIMENT_SORTS,
  defaultSort: 'title',
  unique: 'experiment_id',
  searched: ['title', 'description'],
};

const LISTED: readonly (keyof ExperimentStored)[] = [
  'experiment_id',
  'title',
  'description',
  'type',
  'status',
  'acl',
  'tags',
  'models',
  'outline',
  'version',
  'created_at',
  'created_by',
  'last_updated_at',
  'last_updated_by',
];
/** Stages can take a megabyte per record. */
export const listOf = (detail: boolean): IndexedList => (detail ? { ...experimentList, first: 8 } : experimentList);
export const listedFields = (detail: boolean): readonly string[] => (detail ? [...LISTED, 'stages'] : LISTED);

export function experimentView(
  record: Omit<ExperimentStored, 'stages'> & Partial<Pick<ExperimentStored, 'stages'>>,
): ExperimentRecord {
  const { data_source, statistics, schedule } = outlineOf(record);
  return {
    experiment_id: record.experiment_id,
    title: record.title,
    description: record.description,
    type: record.type,
    ...(data_source ? { data_source } : {}),
    ...(record.stages === undefined ? {} : { search_stages: stagesOf({ stages: record.stages }) }),
    statistics,
    status: record.status,
    models: record.models,
    ...(schedule ? { schedule } : {}),
    tags: record.tags,
    acl: record.acl,
    ...metadataOf(record),
  };
}

export const outlineOf = (record: Pick<ExperimentStored, 'outline'>): Outline => JSON.parse(record.outline);
export const stagesOf = (record: Pick<ExperimentStored, 'stages'>): Stage[] => JSON.parse(record.stages);
