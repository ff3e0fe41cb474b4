import Link from '@splunk/react-ui/Link';
import { ml } from '../../api/client.ts';
import { viewUrl } from '../../app/url.ts';
import type { Facts, Resource } from '../../parts/panel/resource.ts';
import { Time } from '../../parts/text/Time.tsx';
import { Actions } from './Actions.tsx';
import { invalidateContainers, listContainers, type ModelContainer, readContainer } from './data.ts';
import { connectionKey } from './form.ts';
import { probeWords, STATUSES, State, WAITING } from './State.tsx';

const SOON_MS = 5000;
const LATER_MS = 30_000;

const ENGINES = { docker: 'Docker', kubernetes: 'Kubernetes' };
const engineWords = (cluster: string): string => ENGINES[cluster as keyof typeof ENGINES] ?? cluster;

const ADDRESSES = [
  ['API', 'api_url_external'],
  ['Jupyter', 'jupyter_url'],
  ['TensorBoard', 'tensorboard_url'],
  ['MLflow', 'mlflow_url'],
  ['Spark', 'spark_url'],
  ['API for the platform', 'api_url'],
] as const;

const since = ({ status_since }: ModelContainer) => {
  const timestamp = Date.parse(status_since);
  return <Time at={Number.isNaN(timestamp) ? undefined : timestamp / 1000} />;
};

export const CONTAINERS: Resource<ModelContainer> = {
  key: 'containers',
  one: 'container',
  many: 'containers',
  about: 'A container fits and applies a model in a Docker engine or Kubernetes cluster.',
  sortedBy: { key: 'model', dir: 'asc' },
  nameOf: ({ model }) => model,
  list: listContainers,
  read: readContainer,
  pollMs: (items) => (items.some(({ status }) => status === WAITING) ? SOON_MS : LATER_MS),
  filters: [
    { name: 'status', label: 'State', options: STATUSES },
    { name: 'cluster', label: 'Engine', options: ENGINES },
  ],
  columns: [
    { label: 'Model', sort: 'model', cell: ({ model }) => model },
    { label: 'State', sort: 'status', cell: (container) => <State container={container} />, width: 200 },
    { label: 'Since', sort: 'status_since', cell: since },
    { label: 'Engine', sort: 'cluster', cell: ({ cluster }) => engineWords(cluster) },
    { label: 'Connection', sort: 'connection_name', cell: ({ connection_name }) => connection_name },
    { label: 'Mode', sort: 'mode', cell: ({ mode }) => mode, width: 60 },
    { label: 'Image', sort: 'image', cell: ({ image }) => image },
    { label: 'Restarts', sort: 'restarts', cell: ({ restarts }) => restarts, width: 70 },
    { label: 'Last probe', cell: ({ probe_error }) => probeWords(probe_error) || '–' },
  ],
  facts: (container): Facts[] => [
    {
      rows: [
        ['State', <State key="state" container={container} />],
        ...helpRows(container),
        ['Since', since(container)],
        ['Restarts', container.restarts],
        ['Last probe', probeWords(container.probe_error)],
      ],
    },
    {
      title: 'Addresses',
      rows: ADDRESSES.map(([name, key]) => [name, container[key]] as const)
        .filter(([name, url]) => url !== '' || name === 'API')
        .map(([name, url]) => [name, address(url)]),
    },
    {
      title: 'Runs in',
      rows: [
        ['Engine', engineWords(container.cluster)],
        ['Connection', connection(container)],
        ['Container name', container.container_name],
        ['Container id', container.id],
        ['Image', container.image],
        ['Reference', container.image_reference],
        ['Mode', container.mode],
        ['Runtime', container.runtime.replace(/^None$/, 'none')],
        ['Protocol', container.protocol.replace(/^auto$/, 'not known yet')],
      ],
    },
    { title: 'Resources', rows: resources(container) },
  ],
  actions: (container) => <Actions container={container} />,
  remove: {
    operation: 'stopContainer',
    label: 'Stop',
    ask: ({ status }) =>
      status === WAITING || status === 'Active' || status === 'Unreachable'
        ? 'Unsaved work in the container is lost. You can start it again.'
        : 'It is removed from the engine and from this list. You can start it again.',
    async perform({ model }) {
      try {
        return await ml.call('stopContainer', { body: { payload: { model } } });
      } finally {
        void invalidateContainers();
      }
    },
  },
};

const helpRows = ({ remedy }: ModelContainer): Facts['rows'] => (remedy ? [['Remedy', remedy]] : []);

function address(url: string) {
  if (!/^https?:\/\//i.test(url)) return url;
  return (
    <Link to={url} openInNewContext>
      {url}
    </Link>
  );
}

function connection({ cluster, connection_name }: ModelContainer) {
  const name = connectionKey(cluster, connection_name);
  return <Link to={viewUrl('connections', { tab: 'containers', name })}>{connection_name}</Link>;
}

function resources(container: ModelContainer): Facts['rows'] {
  const { cluster, hpa_enabled, min_replicas, max_replicas, cpu_threshold_percent } = container;
  const bounds = [
    ['CPU', `${container.min_cpu} to ${container.max_cpu}`],
    ['Memory', `${container.min_memory} to ${container.max_memory}`],
  ] as const;
  if (cluster !== 'kubernetes') return bounds;
  if (hpa_enabled !== '1') return [...bounds, ['Replicas', min_replicas]];
  return [...bounds, ['Replicas', `${min_replicas} to ${max_replicas}, scaled at ${cpu_threshold_percent} % CPU`]];
}
