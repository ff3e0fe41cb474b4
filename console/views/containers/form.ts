import type { Reply } from '../../../client/src/index.ts';
import type { Values } from '../../parts/form/facts.ts';
import type { FormField, FormSpec } from '../../parts/form/spec.ts';

/** The choices of the start form. */
export type Offer = Pick<Reply<'getStartForm'>, 'docker_images' | 'connections' | 'runtimes' | 'modes' | 'defaults'>;

const ENGINES: Readonly<Record<string, string>> = { docker: 'Docker', kubernetes: 'Kubernetes' };

/** Names of connections are unique per engine. */
export const connectionKey = (cluster: string, name: string): string => `${cluster}/${name}`;

export function connectionOf(key: string): { cluster: string; connection_name: string } {
  const [cluster = '', ...nameParts] = key.split('/');
  return { cluster, connection_name: nameParts.join('/') };
}

const isKubernetes = (values: Values): boolean => String(values['payload.connection_name']).startsWith('kubernetes/');
const scales = (values: Values): boolean => isKubernetes(values) && values['payload.hpa_enabled'] === true;

const field = (name: string, label: string, more: Partial<FormField> = {}): FormField => ({
  path: `payload.${name}`,
  label,
  ...more,
});
const choice = (
  name: string,
  label: string,
  options: Readonly<Record<string, string>>,
  more: Partial<FormField> = {},
) => field(name, label, { kind: 'choice', options, ...more });

const worded = (values: readonly string[], words: Readonly<Record<string, string>>) =>
  Object.fromEntries(values.map((value) => [value, words[value] ?? value]));

const MODES = { DEV: 'Development: API, Jupyter, TensorBoard, MLflow, Spark', PROD: 'Production: API only' };
const RUNTIMES = { None: 'none', nvidia: 'nvidia (GPU)' };

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
        fields: [
          field('model', 'Model', { help: 'Name of the model to serve' }),
          choice('image', 'Image', Object.fromEntries(images), { help: 'Choose from the image catalog' }),
          choice('connection_name', 'Connection', Object.fromEntries(engines), {
            required: true,
            initial: engines.length === 1 ? only?.[0] : undefined,
            help: 'Engine to run it in',
          }),
          choice('mode', 'Mode', worded(modes, MODES), {
            initial: defaults.mode,
            help: 'Exposed services',
          }),
          choice('runtime', 'Runtime', worded(runtimes, RUNTIMES), {
            initial: defaults.runtime,
            help: 'Ignored by images without a GPU build',
          }),
        ],
      },
      {
        title: 'Resources',
        fields: [
          field('min_cpu', 'CPU request', { help: 'Millicores, such as 500m for half a CPU' }),
          field('max_cpu', 'CPU limit', { help: 'At least the request' }),
          field('min_memory', 'Memory request', { help: 'Bytes with a unit, such as 512Mi or 4Gi' }),
          field('max_memory', 'Memory limit', { help: 'At least the request' }),
        ],
      },
      {
        title: 'Replicas',
        showIf: isKubernetes,
        fields: [
          field('hpa_enabled', 'Autoscale by CPU usage', {
            kind: 'switch',
            help: 'Adds and removes replicas',
          }),
          field('min_replicas', 'Replicas', { help: 'Minimum when autoscaled' }),
          field('max_replicas', 'Max replicas', { showIf: scales, required: true }),
          field('cpu_threshold_percent', 'CPU threshold', {
            showIf: scales,
            required: true,
            help: 'Percent, 1 to 100',
          }),
        ],
      },
    ],
    leftOut: { 'payload.cluster': 'Set by the connection' },
  };
}
