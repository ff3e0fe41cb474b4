import type { Experiment, HistoryEntry, SearchStage } from '../../../client/src/index.ts';
import { StateBadge, type Tone } from '../../parts/text/Badge.tsx';

export const TYPES: Readonly<Record<Experiment['type'], string>> = {
  predict_numeric_fields: 'Predict numeric fields',
  predict_categorical_fields: 'Predict categorical fields',
  detect_numeric_outliers: 'Detect numeric outliers',
  detect_categorical_outliers: 'Detect categorical outliers',
  forecast_time_series: 'Forecast time series',
  cluster_numeric_events: 'Cluster numeric events',
  smart_forecast: 'Smart forecast',
  smart_outlier_detection: 'Smart outlier detection',
  smart_clustering: 'Smart clustering',
  smart_prediction: 'Smart prediction',
};

export const STATUSES: Readonly<Record<Experiment['status'], string>> = {
  draft: 'Draft',
  trained: 'Trained',
  published: 'Published',
};

const TONES: Readonly<Record<Experiment['status'], Tone>> = { draft: 'outline', trained: 'info', published: 'success' };

export const Status = ({ status }: { status: Experiment['status'] }) => (
  <StateBadge tone={TONES[status]}>{STATUSES[status]}</StateBadge>
);

export const ROLES: Readonly<Record<SearchStage['role'], string>> = {
  preprocess: 'Prepare the data',
  fit: 'Fit: trains a model',
  apply: 'Apply: uses a model',
  validate: 'Validate',
  visualize: 'Visualize',
};

export const SOURCES = { search: 'Search', dataset: 'Dataset', datamodel: 'Data model', metrics: 'Metrics' } as const;

export const ACTIONS: Readonly<Record<HistoryEntry['action'], string>> = {
  create: 'Created',
  update: 'Changed',
  train: 'Trained',
  scheduled_train: 'Trained on schedule',
  apply: 'Applied',
  publish: 'Published',
  clone_models: 'Models cloned',
  alert: 'Alert',
  delete: 'Deleted',
  note: 'Note',
};

export const OUTCOMES: Readonly<Record<HistoryEntry['status'], string>> = { success: 'Succeeded', fail: 'Failed' };
