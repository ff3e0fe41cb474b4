import { invalid, type Problem } from '../../../../contract/codes/faults.ts';
import { confBoolean, isOn } from '../../../../contract/settings/flags.ts';
import type { ContainerType } from '../../../../ports/engines/containerEngine.ts';
import { PROTOCOL_SETTINGS } from '../../../../predictions/containers/registry.ts';
import type { EngineKinds } from '../../engines/engineKind.ts';
import { typesOf } from '../../engines/registry.ts';
import type { StartSpec } from '../../engines/startFields.ts';
import type { CatalogImage } from '../catalog.ts';
import type { StartInput } from '../schemas.ts';
import { START_DEFAULTS } from './startDefaults.ts';

export interface StartRequest {
  model: string;
  cluster: ContainerType;
  connectionName: string | undefined;
  spec: StartSpec;
  /** Arguments of the image's entry point, as they are written. */
  arguments: string;
}

/**
 * Applies the defaults and checks the rules across fields and the catalog. The schema has checked single fields.
 * @throws Fault `validation_failed` with every problem found
 */
export function readStart(input: StartInput, catalog: readonly CatalogImage[], kinds: EngineKinds): StartRequest {
  const problems: Problem[] = [];
  const need = (good: boolean, field: string, message: string) => {
    if (!good) problems.push({ field, message });
  };
  const start = { ...START_DEFAULTS, ...nonEmptyFields(input) };
  const hpa = confBoolean(start.hpa_enabled) === true;
  if (hpa) {
    const scaling = typesOf(kinds).filter((type) => kinds[type].autoscales);
    need(scaling.includes(start.cluster), 'hpa_enabled', `is only for ${scaling.join(' and ')}`);
    need(Boolean(input.max_replicas), 'max_replicas', 'is required with hpa_enabled');
    need(Boolean(input.cpu_threshold_percent), 'cpu_threshold_percent', 'is required with hpa_enabled');
  }
  need(!(cpuOf(start.min_cpu) > cpuOf(start.max_cpu)), 'min_cpu', 'must not be more than max_cpu');
  need(!(memoryOf(start.min_memory) > memoryOf(start.max_memory)), 'min_memory', 'must not be more than max_memory');
  // Without autoscaling min_replicas alone is sufficient.
  const max_replicas = hpa || input.max_replicas ? start.max_replicas : start.min_replicas;
  need(!(Number(start.min_replicas) > Number(max_replicas)), 'min_replicas', 'must not be more than max_replicas');
  const image = catalog.find(({ key }) => key === input.image);
  const keys = catalog.map(({ key }) => key).join(', ');
  need(image !== undefined, 'image', `is not a key of the image catalog; known: ${keys}`);
  const allowed = image?.runtimes.includes(start.runtime.toLowerCase()) ?? true;
  need(allowed, 'runtime', `is not allowed for this image; it can run with ${image?.runtimes.join(', ')}`);
  for (const message of image ? imageProblems(image) : []) need(false, 'image', message);
  if (problems.length > 0 || !image) throw invalid(problems);
  const { cluster, ...spec } = start;
  return {
    model: input.model,
    cluster,
    connectionName: input.connection_name || undefined,
    spec: {
      ...spec,
      image: image.key,
      image_reference: image.image,
      protocol: image.protocol,
      api_port: image.apiPort,
      https: image.https === '' ? '' : String(isOn(image.https)),
      hpa_enabled: hpa ? '1' : '0',
      max_replicas,
    },
    arguments: image.arguments,
  };
}

/** Problems of a stanza of ml_images.conf: settings that no container can be started with. */
function imageProblems({ protocol, apiPort, https }: CatalogImage): string[] {
  const port = /^\d{1,5}$/.test(apiPort) ? Number(apiPort) : 0;
  return [
    ...(PROTOCOL_SETTINGS.includes(protocol) ? [] : [unusable('protocol', `one of ${PROTOCOL_SETTINGS.join(', ')}`)]),
    ...(port >= 1 && port <= 65_535 ? [] : [unusable('api_port', 'a port from 1 to 65535')]),
    ...(https === '' || confBoolean(https) !== undefined ? [] : [unusable('https', 'true or false')]),
  ];
}

const unusable = (setting: string, what: string): string =>
  `has an entry in ml_images.conf whose ${setting} cannot be used: it must be ${what}`;

type DefaultFields = { -readonly [K in keyof typeof START_DEFAULTS]: string } & { cluster: ContainerType };

/** An empty string means the default. */
function nonEmptyFields(input: StartInput): Partial<DefaultFields> {
  const names = Object.keys(START_DEFAULTS) as (keyof typeof START_DEFAULTS)[];
  // Also called for a body that the schema refused, to report all problems.
  const set = names.filter((name) => typeof input[name] === 'string' && input[name] !== '');
  return Object.fromEntries(set.map((name) => [name, input[name]]));
}

const CPU = /^\d{1,9}m$/;
const MEMORY = /^\d{1,9}(Mi|Gi)$/;

export const cpuOf = (text: string): number => (CPU.test(text) ? Number.parseInt(text, 10) : Number.NaN);

/** In Mi. */
function memoryOf(text: string): number {
  if (!MEMORY.test(text)) return Number.NaN;
  return Number.parseInt(text, 10) * (text.endsWith('Gi') ? 1024 : 1);
}
