import { DEFAULT_TYPE } from '../../engines/registry.ts';

export const MODES = ['DEV', 'PROD'] as const;
export const RUNTIME_NAMES = ['None', 'nvidia'] as const;
export const START_DEFAULTS = {
  cluster: DEFAULT_TYPE,
  mode: 'DEV',
  runtime: 'None',
  hpa_enabled: '0',
  min_cpu: '500m',
  max_cpu: '1000m',
  min_memory: '1Gi',
  max_memory: '4Gi',
  min_replicas: '1',
  max_replicas: '1',
  cpu_threshold_percent: '',
} as const;
