import type { Reply } from '../../../client/src/index.ts';
import type { Values } from '../../parts/form/facts.ts';
import type { FormSpec, Place } from '../../parts/form/spec.ts';

/** What a start can choose from. */
export type Offer = Pick<Reply<'getStartForm'>, 'docker_images' | 'connections' | 'runtimes' | 'modes' | 'defaults'>;

const ENGINES: Readonly<Record<string, string>> = { docker: 'Docker', kubernetes: 'Kubernetes' };

/** A connection has a name of its own among those to the same engine. */
export const connectionKey = (cluster: string, name: string): string => `${cluster}/${name}`;

export function connectionOf(key: string): { cluster: string; connection_name: string } {
  const [cluster = '', ...rest] = key.split('/');
  return { cluster, connection_name: rest.join('/') };
}

const isKubernetes = (values: Values): boolean => String(values['payload.connection_name']).startsWith('kubernetes/');
const scales = (values: Values): boolean => isKubernetes(values) && values['payload.hpa_enabled'] === true;

const place = (name: string, label: string, more: Partial<Place> = {}): Place => ({
  path: `payload.${name}`,
  label,
  ...more,
});
const choice = (name: string, label: string, options: Readonly<Record<string, string>>, more: Partial<Place> = {}) =>
  place(name, label, { kind: 'choice', options, ...more });

const worded = (values: readonly string[], words: Readonly<Record<string, string>>) =>
  Object.fromEntries(values.map((value) => [value, words[value] ?? value]));

const MODES = { DEV: 'Development: API, Jupyter, TensorBoard, MLflow, Spark', PROD: 'Production: the API alone' };
const RUNTIMES = { None: 'none', nvidia: 'nvidia: with the GPU' };

/** The form of a start, with what there is to choose from. */
export function startSpec({ docker_images, connections, runtimes, modes, defaults }: Offer): FormSpec {
  const images = Object.entries(docker_images).map(([key, { label }]) => [key, label || key] as const);
  const engines = connections.map(
    ({ container_type: type, connection_name: name }) =>
      [connectionKey(type, name), `${name} (${ENGINES[type] ?? type})`] as const,
  );
  const [only] = engines;
  return {
    isWide: true,
    submit: 'Start',
    sections: [
      {
        places: [
          place('model', 'Model', { help: 'Name of the model that the container serves' }),
          choice('image', 'Image', Object.fromEntries(images), { help: 'From the catalog of images' }),
          choice('connection_name', 'Connection', Object.fromEntries(engines), {
            required: true,
            initial: engines.length === 1 ? only?.[0] : undefined,
            help: 'The engine that it runs in',
          }),
          choice('mode', 'Mode', worded(modes, MODES), {
            initial: defaults.mode,
            help: 'What of it is published',
          }),
          choice('runtime', 'Runtime', worded(runtimes, RUNTIMES), {
            initial: defaults.runtime,
            help: 'Images without a GPU version run without',
          }),
        ],
      },
      {
        title: 'Resources',
        places: [
          place('min_cpu', 'CPU that is set aside', { help: 'In thousandths: 500m is half a CPU' }),
          place('max_cpu', 'Most CPU', { help: 'Not less than what is set aside' }),
          place('min_memory', 'Memory that is set aside', { help: 'Such as 512Mi or 4Gi' }),
          place('max_memory', 'Most memory', { help: 'Not less than what is set aside' }),
        ],
      },
      {
        title: 'Replicas',
        showIf: isKubernetes,
        places: [
          place('hpa_enabled', 'The number of replicas follows the use of CPU', {
            kind: 'switch',
            help: 'Autoscaling',
          }),
          place('min_replicas', 'Replicas', { help: 'The fewest, if their number follows the use of CPU' }),
          place('max_replicas', 'Most replicas', { showIf: scales, required: true }),
          place('cpu_threshold_percent', 'Use of CPU at which replicas are added', {
            showIf: scales,
            required: true,
            help: 'In percent, 1 to 100',
          }),
        ],
      },
    ],
    leftOut: { 'payload.cluster': 'Follows from the connection' },
  };
}
