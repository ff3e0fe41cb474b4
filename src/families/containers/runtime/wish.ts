import { invalid, type Problem } from '../../../contract/faults.ts';
import { confBoolean } from '../../../contract/flags.ts';
import type { ContainerType } from '../../../ports/containerEngine.ts';
import type { EngineKinds } from '../engines/engineKind.ts';
import { DEFAULT_TYPE, typesOf } from '../engines/registry.ts';
import type { StartInput } from '../schemas.ts';
import type { CatalogImage } from './catalog.ts';
import type { Wish } from './records.ts';

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

const CPU = /^\d{1,9}m$/;
const MEMORY = /^\d{1,9}(Mi|Gi)$/;
const COUNT = /^\d{1,3}$/;

export interface Start {
  model: string;
  cluster: ContainerType;
  connectionName: string | undefined;
  wish: Wish;
}

/**
 * A start as it was asked for, with its defaults.
 * @throws Fault `validation_failed` with every problem found
 */
export function readStart(input: StartInput, catalog: readonly CatalogImage[], kinds: EngineKinds): Start {
  const text = (name: keyof StartInput): string => {
    const value = input[name];
    return value === null || value === undefined ? '' : String(value).trim();
  };
  const given = (name: keyof typeof START_DEFAULTS): string => text(name) || START_DEFAULTS[name];
  const problems: Problem[] = [];
  const need = (good: boolean, field: string, message: string) => {
    if (!good) problems.push({ field, message });
  };
  const oneOf = (field: keyof typeof START_DEFAULTS, values: readonly string[]) =>
    need(values.includes(given(field)), field, `must be one of ${values.join(', ')}`);
  oneOf('cluster', typesOf(kinds));
  oneOf('mode', MODES);
  oneOf('runtime', RUNTIME_NAMES);
  for (const field of ['min_cpu', 'max_cpu'] as const) {
    need(CPU.test(given(field)) && cpuOf(given(field)) > 0, field, 'must be thousandths of a CPU such as 500m');
  }
  for (const field of ['min_memory', 'max_memory'] as const) {
    need(MEMORY.test(given(field)) && memoryOf(given(field)) > 0, field, 'must be a quantity such as 512Mi or 4Gi');
  }
  const hpa = confBoolean(given('hpa_enabled'));
  need(/^(0|1|true|false)$/i.test(given('hpa_enabled')), 'hpa_enabled', "must be '0', '1', 'true' or 'false'");
  const scaling = typesOf(kinds).filter((type) => kinds[type].autoscales);
  need(
    !hpa || scaling.some((type) => type === given('cluster')),
    'hpa_enabled',
    `is only for ${scaling.join(' and ')}`,
  );
  for (const field of ['min_replicas', 'max_replicas'] as const) {
    need(within(given(field), 100), field, 'must be a whole number, 1 to 100');
  }
  const threshold = given('cpu_threshold_percent');
  need(threshold === '' || within(threshold, 100), 'cpu_threshold_percent', 'must be a whole number, 1 to 100');
  if (hpa) {
    need(text('max_replicas') !== '', 'max_replicas', 'is required with hpa_enabled');
    need(threshold !== '', 'cpu_threshold_percent', 'is required with hpa_enabled');
  }
  need(!(cpuOf(given('min_cpu')) > cpuOf(given('max_cpu'))), 'min_cpu', 'must not be more than max_cpu');
  need(
    !(memoryOf(given('min_memory')) > memoryOf(given('max_memory'))),
    'min_memory',
    'must not be more than max_memory',
  );
  // Without autoscaling there is one number: the smaller bound may be given alone.
  const max = hpa || text('max_replicas') !== '' ? given('max_replicas') : given('min_replicas');
  need(!(Number(given('min_replicas')) > Number(max)), 'min_replicas', 'must not be more than max_replicas');
  const image = catalog.find(({ key }) => key === input.image);
  need(
    image !== undefined,
    'image',
    `is no key of the image catalog; known: ${catalog.map(({ key }) => key).join(', ')}`,
  );
  const runtime = given('runtime');
  const allowed = image === undefined || image.runtimes.includes(runtime.toLowerCase());
  need(allowed, 'runtime', `is not allowed for this image; it can run with ${image?.runtimes.join(', ')}`);
  if (problems.length > 0 || !image) throw invalid(problems);
  return {
    model: input.model,
    cluster: given('cluster') as ContainerType,
    connectionName: text('connection_name') || undefined,
    wish: {
      image: image.key,
      image_reference: image.image,
      mode: given('mode'),
      runtime,
      hpa_enabled: hpa ? '1' : '0',
      min_cpu: given('min_cpu'),
      max_cpu: given('max_cpu'),
      min_memory: given('min_memory'),
      max_memory: given('max_memory'),
      min_replicas: given('min_replicas'),
      max_replicas: max,
      cpu_threshold_percent: threshold,
    },
  };
}

const within = (text: string, most: number) => COUNT.test(text) && Number(text) >= 1 && Number(text) <= most;
export const cpuOf = (text: string): number => (CPU.test(text) ? Number.parseInt(text, 10) : Number.NaN);

/** In Mi. */
export function memoryOf(text: string): number {
  if (!MEMORY.test(text)) return Number.NaN;
  return Number.parseInt(text, 10) * (text.endsWith('Gi') ? 1024 : 1);
}
