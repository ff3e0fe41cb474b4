import type { Values } from '../../../parts/form/facts.ts';
import type { FormSpec, Place, Section } from '../../../parts/form/spec.ts';

type Test = (values: Values) => boolean;

const read = (values: Values, name: string): unknown => values[`payload.${name}`];
const is =
  (name: string, ...wanted: readonly unknown[]): Test =>
  (values) =>
    wanted.includes(read(values, name));
const isSwitchedOn = (name: string): Test => is(name, true);
const isDocker = is('container_type', 'docker');
const isKubernetes = is('container_type', 'kubernetes');
const isInside = isSwitchedOn('in_cluster_mode');
const all =
  (...tests: readonly Test[]): Test =>
  (values) =>
    tests.every((test) => test(values));
const signsInBy = (...modes: readonly string[]) => all(isKubernetes, is('auth_mode', ...modes));

/** Everything is one object under `payload`. */
const place = (name: string, label: string, more: Partial<Place> = {}): Place => ({
  path: `payload.${name}`,
  label,
  ...more,
});
const onOff = (name: string, label: string, more: Partial<Place> = {}) =>
  place(name, label, { kind: 'switch', ...more });

const FILE = 'PEM, base64 of PEM, or the path of a file in a folder that the administrator allows';

export const TYPES = { docker: 'Docker', kubernetes: 'Kubernetes' };

const IDENTITY = [
  place('container_type', 'Engine', {
    kind: 'choice',
    options: TYPES,
    initial: 'docker',
    help: 'It cannot be changed later',
  }),
  place('connection_name', 'Name', { help: 'Unique among the connections to this kind of engine' }),
];

const docker: Section = {
  title: 'Docker engine',
  showIf: isDocker,
  places: [
    place('docker_url', 'Address of the engine', {
      required: true,
      placeholder: 'tcp://docker.example.com:2376',
      help: 'unix:///path, tcp://host:port or https://host:port; port 2376 means TLS',
    }),
    place('docker_network', 'Network', { help: 'Network that the containers join; it has to exist' }),
  ],
};

const kubernetes: Section = {
  title: 'Kubernetes cluster',
  showIf: isKubernetes,
  places: [
    place('auth_mode', 'How the app signs in', {
      kind: 'choice',
      required: true,
      options: {
        'cert-key': 'Client certificate and key',
        'user-token': 'Bearer token',
        'user-login': 'User name and password',
        'cloud-iam': 'Role or keys of the cloud (Amazon EKS)',
        'service-account': 'Service account',
      },
      help: 'How the app shows the cluster who it is',
    }),
    place('namespace', 'Namespace', { help: 'Everything is made in it; it has to exist' }),
    onOff('in_cluster_mode', 'The platform itself runs as a pod of this cluster', {
      help: 'The address and, for a service account, the token are then those of the pod',
    }),
    place('cluster_url', 'Address of the cluster', {
      placeholder: 'https://kubernetes.example.com:6443',
      help: 'Address of its API; for a cluster in the cloud it is found by its name',
      showIf: (values) => !isInside(values),
    }),
  ],
};

const signIn: Section = {
  title: 'Sign-in',
  showIf: signsInBy('user-token', 'user-login', 'cloud-iam', 'service-account'),
  places: [
    place('user_token', 'Bearer token', { showIf: signsInBy('user-token') }),
    place('user_name', 'User name', { showIf: signsInBy('user-login') }),
    place('user_password', 'Password', { showIf: signsInBy('user-login') }),
    place('cloud_cluster_name', 'Name of the cluster in the cloud', { showIf: signsInBy('cloud-iam') }),
    place('cloud_region_name', 'Region', { placeholder: 'eu-west-1', showIf: signsInBy('cloud-iam') }),
    place('cloud_access_key_id', 'Access key id', {
      help: "Without keys the machine's own role is used",
      showIf: signsInBy('cloud-iam'),
    }),
    place('cloud_secret_access_key', 'Secret access key', { showIf: signsInBy('cloud-iam') }),
    place('service_account_token', 'Token of the service account', {
      help: 'Inside the cluster it may be left empty: the pod has its own',
      showIf: signsInBy('service-account'),
    }),
  ],
};

const hasCertificate: Test = (values) => isDocker(values) || signsInBy('cert-key')(values);

const certificates: Section = {
  title: 'Certificates',
  places: [
    place('cluster_ca', 'Certificates that the engine is verified with', {
      area: true,
      help: `In place of the usual ones: ${FILE}`,
    }),
    place('client_cert', 'Certificate of the app', { area: true, help: FILE, showIf: hasCertificate }),
    place('client_key', 'Private key of that certificate', {
      area: true,
      help: `${FILE}; it must have no password`,
      showIf: hasCertificate,
    }),
  ],
};

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
    place('docker_logging_platform_token', 'Ingest token for logs'),
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
    place('obs_access_token', 'Token for traces', { showIf: isSwitchedOn('obs_enabled') }),
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
    place('platform_access_token', 'Token for searches', { showIf: isSwitchedOn('platform_access_enabled') }),
    onOff('platform_ingest_enabled', 'Notebooks may send events to the platform'),
    place('platform_ingest_url', 'Address for events', {
      placeholder: 'https://platform.example.com:8088',
      help: 'As containers reach it',
      showIf: isSwitchedOn('platform_ingest_enabled'),
    }),
    place('platform_ingest_token', 'Token for events', { showIf: isSwitchedOn('platform_ingest_enabled') }),
  ],
};

const SETTINGS = [docker, kubernetes, signIn, certificates, reach, workloads, application, logs, traces, notebooks];
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
