import type { FormSpec, Section } from '../../../parts/form/spec.ts';
import { ENGINE } from './engine.ts';
import { all, FILE, is, isDocker, isKubernetes, isSwitchedOn, onOff, place, TYPES } from './places.ts';

const IDENTITY = [
  place('container_type', 'Engine', {
    kind: 'choice',
    options: TYPES,
    initial: 'docker',
    help: 'It cannot be changed later',
  }),
  place('connection_name', 'Name', { help: 'Unique among the connections to this kind of engine' }),
];

const isReachedBy = (service: string) => all(isKubernetes, is('service_type', service));

const reach: Section = {
  title: 'How containers are reached',
  places: [
    place('service_type', 'From outside the cluster by', {
      kind: 'choice',
      options: { nodeport: 'Ports of the nodes', loadbalancer: 'Load balancer', ingress: 'Ingress' },
      initial: 'nodeport',
      showIf: isKubernetes,
    }),
    place('ingress_host_pattern', 'Host of an ingress', {
      required: true,
      placeholder: '*.ml.example.com',
      help: '* stands for <name>-<port>; {name}, {port} and {namespace} may be used too',
      showIf: isReachedBy('ingress'),
    }),
    place('ingress_annotations', 'Annotations of ingresses', {
      area: true,
      help: 'A JSON object, such as {"nginx.ingress.kubernetes.io/proxy-body-size": "50m"}',
      showIf: isReachedBy('ingress'),
      check: jsonProblem,
    }),
    place('node_port_hostname_internal', 'Host for the platform', {
      help: 'Where the platform reaches node ports; that of the cluster if it is left empty',
      showIf: isReachedBy('nodeport'),
    }),
    place('node_port_hostname_external', 'Host for browsers', {
      help: 'The same as for the platform if it is left empty',
      showIf: isReachedBy('nodeport'),
    }),
    place('endpoint_hostname', 'Host for the platform', {
      help: "Where the platform reaches containers; the engine's own if it is left empty",
      showIf: isDocker,
    }),
    place('endpoint_hostname_external', 'Host for browsers', {
      help: 'The same as for the platform if it is left empty',
      showIf: isDocker,
    }),
    onOff('container_enable_https', 'Applications serve https'),
    onOff('endpoint_cert_check_hostname', 'The certificate of a container has to name its host', {
      showIf: isSwitchedOn('container_enable_https'),
    }),
    place('endpoint_cert_filename_or_path', 'Certificates that containers may show', {
      area: true,
      help: FILE,
      showIf: isSwitchedOn('container_enable_https'),
    }),
  ],
};

/** Of a JSON object that is sent as a text. */
function jsonProblem(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  try {
    return typeof JSON.parse(value) === 'object' ? undefined : 'must be a JSON object';
  } catch {
    return 'is not JSON yet';
  }
}

const workloads: Section = {
  title: 'Pods',
  showIf: isKubernetes,
  places: [
    place('storage_class', 'Storage class', {
      help: "Of the volume for /srv; the cluster's default if it is left empty",
    }),
    place('image_pull_secrets', 'Secrets for pulling images', {
      help: 'Their names, comma-separated, or None; they have to exist in the namespace',
    }),
  ],
};

const application: Section = {
  title: 'Application',
  places: [
    place('api_token', 'Token', {
      help: 'The application asks its callers for it; one of 64 random characters is made if it is left empty',
    }),
    place('jupyter_passwd', 'Hash of the Jupyter password', {
      help: 'In the form that the application takes; without it Jupyter does not start',
    }),
  ],
};

const logs: Section = {
  title: 'Sending logs',
  showIf: isDocker,
  places: [
    place('docker_logging_endpoint_hostname', 'Ingest endpoint', {
      placeholder: 'ingest.example.com:8088',
      help: 'Where the engine sends the logs of containers: host, host:port or an address',
    }),
    place('docker_logging_platform_token', 'Ingest token for logs', { help: 'Shown to the ingest endpoint' }),
  ],
};

const traces: Section = {
  title: 'Traces',
  places: [
    onOff('obs_enabled', 'Containers export traces'),
    place('obs_otel_endpoint', 'OTLP endpoint', {
      placeholder: 'https://otel.example.com:4318',
      help: 'Where containers send their traces to',
      showIf: isSwitchedOn('obs_enabled'),
    }),
    place('obs_otel_service_name', 'Service', {
      help: 'What the traces are filed under',
      showIf: isSwitchedOn('obs_enabled'),
    }),
    place('obs_access_token', 'Token for traces', {
      help: 'Shown to the OTLP endpoint',
      showIf: isSwitchedOn('obs_enabled'),
    }),
  ],
};

const notebooks: Section = {
  title: 'Notebooks',
  places: [
    onOff('platform_access_enabled', 'Notebooks may search the platform'),
    place('platform_access_host', 'Host of the platform', {
      help: 'As containers reach it',
      showIf: isSwitchedOn('platform_access_enabled'),
    }),
    place('platform_access_port', 'Management port', {
      placeholder: '8089',
      showIf: isSwitchedOn('platform_access_enabled'),
    }),
    place('platform_access_token', 'Token for searches', {
      help: 'Notebooks search as its user',
      showIf: isSwitchedOn('platform_access_enabled'),
    }),
    onOff('platform_ingest_enabled', 'Notebooks may send events to the platform'),
    place('platform_ingest_url', 'Address for events', {
      placeholder: 'https://platform.example.com:8088',
      help: 'As containers reach it',
      showIf: isSwitchedOn('platform_ingest_enabled'),
    }),
    place('platform_ingest_token', 'Token for events', {
      help: 'Shown to the address above',
      showIf: isSwitchedOn('platform_ingest_enabled'),
    }),
  ],
};

const SETTINGS = [...ENGINE, reach, workloads, application, logs, traces, notebooks];
const ALWAYS_LEFT_OUT = {
  'payload.is_edit': 'Said by the console itself: a form knows whether it changes a connection',
  'payload.version': 'Sent as it was read',
};

export const CREATE: FormSpec = {
  isWide: true,
  sections: [{ places: IDENTITY }, ...SETTINGS],
  leftOut: ALWAYS_LEFT_OUT,
};

export const EDIT: FormSpec = {
  isWide: true,
  canForce: true,
  // The type decides what is shown, and is neither shown itself nor sent.
  sections: [{ showIf: () => false, places: IDENTITY.slice(0, 1) }, ...SETTINGS],
  leftOut: {
    ...ALWAYS_LEFT_OUT,
    'payload.connection_name': 'Says which connection is meant; it cannot be changed',
  },
};

/** Fields that are yes or no, which the API has as texts. */
export const SWITCHES: ReadonlySet<string> = new Set(
  SETTINGS.flatMap(({ places }) =>
    places.flatMap(({ kind, path }) => (kind === 'switch' ? [path.replace(/^payload\./, '')] : [])),
  ),
);
