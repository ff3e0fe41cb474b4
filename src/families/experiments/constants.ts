export const EXPERIMENT_TYPES = [
  'predict_numeric_fields',
  'predict_categorical_fields',
  'detect_numeric_outliers',
  'detect_categorical_outliers',
  'forecast_time_series',
  'cluster_numeric_events',
  'smart_forecast',
  'smart_outlier_detection',
  'smart_clustering',
  'smart_prediction',
] as const;
export type ExperimentType = (typeof EXPERIMENT_TYPES)[number];

export const EXPERIMENT_STATUSES = ['draft', 'trained', 'published'] as const;
export type ExperimentStatus = (typeof EXPERIMENT_STATUSES)[number];

export const HISTORY_ACTIONS = [
  'create',
  'update',
  'train',
  'scheduled_train',
  'apply',
  'publish',
  'clone_models',
  'alert',
  'delete',
  'note',
] as const;
export type HistoryAction = (typeof HISTORY_ACTIONS)[number];

/** Limit of one record as JSON text. */
export const MAX_EXPERIMENT_BYTES = 1_048_576;
/** Nesting limit of free-form parts. */
export const MAX_NESTING = 32;

export const EXPERIMENTS = 'ml_experiments';
export const HISTORY = 'ml_experiment_history';

/** Sort key -> the field that the store sorts by; titles are stored in lower case for it. */
export const EXPERIMENT_SORTS = {
  title: 'title_key',
  type: 'type',
  status: 'status',
  owner: 'owner',
  created_at: 'created_at',
  last_updated_at: 'last_updated_at',
} as const;
