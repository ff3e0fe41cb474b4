/** Settings of a start. Stored as labels of the container, so that a lost record can be restored. */
export interface StartSpec {
  image: string;
  image_reference: string;
  mode: string;
  runtime: string;
  hpa_enabled: string;
  min_cpu: string;
  max_cpu: string;
  min_memory: string;
  max_memory: string;
  min_replicas: string;
  max_replicas: string;
  cpu_threshold_percent: string;
}
export const SPEC_FIELDS = [
  'image',
  'image_reference',
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
] as const satisfies (keyof StartSpec)[];
