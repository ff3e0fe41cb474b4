/** Settings of a start. Stored as labels of the container, so that a lost record can be restored. */
export const SPEC_FIELDS = [
  'image',
  'image_reference',
  'protocol',
  'api_port',
  'https',
  'mode',
  'runtime',
  'hpa_enabled',
  'min_cpu',
  'max_cpu',
  'min_memory',
  'max_memory',
  'min_replicas',
  'max_replicas',
  'cpu_threshold_percent',
] as const;
export type StartSpec = Record<(typeof SPEC_FIELDS)[number], string>;
