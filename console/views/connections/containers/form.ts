import type { FormSpec, Section } from '../../../parts/form/spec.ts';
import { ENGINE } from './engine.ts';
import { every, FILE, field, is, isDocker, isKubernetes, isSwitchedOn, onOff, TYPES } from './fields.ts';

const IDENTITY = [
  field('container_type', 'Engine', {
    kind: 'choice',
    options: TYPES,
    initial: 'docker',
    help: 'Cannot be changed later',
  }),
  field('connection_name', 'Name', { help: 'Unique per engine type' }),
];

const isReachedBy = (service: string) => every(isKubernetes, is('service_type', service));

const reach: Section = {
  title: 'How containers are reached',
  fields: [
    field('service_type', 'Service type', {
      kind: 'choice',
      options: { nodeport: 'Node port', loadbalancer: 'Load balancer', ingress: 'Ingress' },
      initial: 'nodeport',
      showIf: isKubernetes,
    }),
    field('ingress_host_pattern', 'Ingress host pattern', {
      required: true,
      placeholder: '*.ml.example.com',
      help: '* becomes <name>-<port>; {name}, {port} and {namespace} also work',
      showIf: isReachedBy('ingress'),
    }),
    field('ingress_annotations', 'Ingress annotations', {
      area: true,
      help: 'JSON object, such as {"nginx.ingress.kubernetes.io/proxy-body-size": "50m"}',
      showIf: isReachedBy('ingress'),
      check: jsonProblem,
    }),
    field('node_port_hostname_internal', 'Internal host', {
      help: 'Host of node ports for the platform; leave empty for the cluster host',
      showIf: isReachedBy('nodeport'),
    }),
    field('node_port_hostname_external', 'External host', {
      help: 'Host for browsers; leave empty to use the internal host',
      showIf: isReachedBy('nodeport'),
    }),
    field('endpoint_hostname', 'Internal host', {
      help: 'Host of containers for the platform; leave empty for the engine host',
      showIf: isDocker,
    }),
    field('endpoint_hostname_external', 'External host', {
      help: 'Host for browsers; leave empty to use the internal host',
      showIf: isDocker,
    }),
    onOff('container_enable_https', 'Serve applications over HTTPS'),
    onOff('endpoint_cert_check_hostname', 'Verify the host name in container certificates', {
      showIf: isSwitchedOn('container_enable_https'),
    }),
    field('endpoint_cert_filename_or_path', 'Trusted container certificates', {
      area: true,
      help: FILE,
      showIf: isSwitchedOn('container_enable_https'),
    }),
  ],
};

function jsonProblem(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  try {
    return typeof JSON.parse(value) === 'object' ? undefined : 'must be a JSON object';
  } catch {
    return 'is not valid JSON';
  }
}

const workloads: Section = {
  title: 'Pods',
  showIf: isKubernetes,
  fields: [
    field('storage_class', 'Storage class', {
      help: 'Of the /srv volume; leave empty for the cluster default',
    }),
    field('pod_security', 'Pod security', {
      kind: 'choice',
      options: { default: 'Default', restricted: 'Restricted', openshift: 'OpenShift' },
      initial: 'default',
      help: 'Restricted: for namespaces with this Pod Security Standard',
    }),
    field('image_pull_secrets', 'Image pull secrets', {
      help: 'Comma-separated names of secrets in the namespace, or None',
    }),
  ],
};

const application: Section = {
  title: 'Application',
  fields: [
    field('api_token', 'API token', {
      help: 'Required from callers of the application; leave empty to generate one',
    }),
    field('jupyter_passwd', 'Jupyter password hash', {
      help: 'In the format of the application; Jupyter does not start without it',
    }),
  ],
};

const logs: Section = {
  title: 'Sending logs',
  showIf: isDocker,
  fields: [
    field('docker_logging_endpoint_hostname', 'HEC endpoint', {
      placeholder: 'ingest.example.com:8088',
      help: 'Host, host:port or URL that receives container logs',
    }),
    field('docker_logging_platform_token', 'HEC token', { help: 'Sent to the HEC endpoint' }),
  ],
};

const traces: Section = {
  title: 'Traces',
  fields: [
    onOff('obs_enabled', 'Export traces'),
    field('obs_otel_endpoint', 'OTLP endpoint', {
      placeholder: 'https://otel.example.com:4318',
      help: 'URL that receives traces',
      showIf: isSwitchedOn('obs_enabled'),
    }),
    field('obs_otel_service_name', 'Service name', {
      help: 'Service name in the traces',
      showIf: isSwitchedOn('obs_enabled'),
    }),
    field('obs_access_token', 'OTLP token', {
      help: 'Sent to the OTLP endpoint',
      showIf: isSwitchedOn('obs_enabled'),
    }),
  ],
};

const notebooks: Section = {
  title: 'Notebooks',
  fields: [
    onOff('platform_access_enabled', 'Let notebooks search the platform'),
    field('platform_access_host', 'Platform host', {
      help: 'As seen from containers',
      showIf: isSwitchedOn('platform_access_enabled'),
    }),
    field('platform_access_port', 'Management port', {
      placeholder: '8089',
      showIf: isSwitchedOn('platform_access_enabled'),
    }),
    field('platform_access_token', 'Search token', {
      help: 'Notebooks search as the user of this token',
      showIf: isSwitchedOn('platform_access_enabled'),
    }),
    onOff('platform_ingest_enabled', 'Let notebooks send events to the platform'),
    field('platform_ingest_url', 'Ingest URL', {
      placeholder: 'https://platform.example.com:8088',
      help: 'As seen from containers',
      showIf: isSwitchedOn('platform_ingest_enabled'),
    }),
    field('platform_ingest_token', 'Ingest token', {
      help: 'Sent to the ingest URL',
      showIf: isSwitchedOn('platform_ingest_enabled'),
    }),
  ],
};

const SETTINGS = [...ENGINE, reach, workloads, application, logs, traces, notebooks];
const ALWAYS_LEFT_OUT = {
  'payload.is_edit': 'Set by the console',
  'payload.version': 'Sent as read',
};

export const CREATE: FormSpec = {
  isWide: true,
  sections: [{ fields: IDENTITY }, ...SETTINGS],
  leftOut: ALWAYS_LEFT_OUT,
};

export const EDIT: FormSpec = {
  isWide: true,
  canForce: true,
  // The type selects the fields; it is not sent.
  sections: [{ showIf: () => false, fields: IDENTITY.slice(0, 1) }, ...SETTINGS],
  leftOut: {
    ...ALWAYS_LEFT_OUT,
    'payload.connection_name': 'Identifies the connection; cannot be changed',
  },
};

/** Switches, which the API has as texts. */
export const SWITCHES: ReadonlySet<string> = new Set(
  SETTINGS.flatMap(({ fields }) =>
    fields.flatMap(({ kind, path }) => (kind === 'switch' ? [path.replace(/^payload\./, '')] : [])),
  ),
);
