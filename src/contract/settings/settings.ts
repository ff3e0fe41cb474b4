import { AUDIT_INDEX, AUDIT_SOURCETYPE } from '../audit.ts';
import { FEATURE_FLAG_NAMES, FEATURE_FLAGS, type FeatureFlag } from './flags.ts';

/** One setting of `ml_extension.conf`. */
interface Setting {
  /** What may stand there, as a spec file writes it: `<boolean>`, `PUBLIC|VPC`. */
  readonly form: string;
  /** What it means, one paragraph per entry. */
  readonly text: readonly string[];
  /** The value that applies when nothing is set; none unless given. */
  readonly default?: string;
}

interface Stanza {
  readonly text: readonly string[];
  readonly settings: Readonly<Record<string, Setting>>;
}

const BOOLEAN = '<boolean>';
const STRING = '<string>';
const LIST = '<comma-separated list>';

/**
 * Every setting of the app: what is read goes through `setting` (setting.ts), and the spec file is made from here. The names are
 * those that an administrator writes into local/ml_extension.conf.
 */
export const SETTINGS = {
  feature_flags: {
    text: ['A family whose flag is off refuses writes, tests and tool lists with 403 feature_disabled.'],
    settings: Object.fromEntries<Setting>(
      FEATURE_FLAG_NAMES.map((flag) => [flag, { form: BOOLEAN, text: [], default: FEATURE_FLAGS[flag] ? '1' : '0' }]),
    ) as Record<FeatureFlag, Setting>,
  },
  outbound: {
    text: [
      'Calls to servers outside the platform. Link-local addresses and the metadata services of clouds are always refused.',
    ],
    settings: {
      allow_private: {
        form: BOOLEAN,
        text: ['Whether loopback and private addresses may be called. A value that is not a boolean closes them.'],
        default: '1',
      },
      proxy_url: {
        form: STRING,
        text: [
          'HTTP proxy for outbound calls: http:// or https://, without user name and password. Proxy variables in the environment are ignored.',
          'Its user name and password belong in the password storage of the app: realm ml_extension_proxy, name default, value {"username": "<name>", "password": "<password>"}. They are never taken from this file.',
        ],
      },
      no_proxy: {
        form: LIST,
        text: [
          'Hosts that are called without the proxy: names (their subdomains too), addresses, networks such as 10.0.0.0/8, or * for all; names and addresses may end in :port. Loopback never goes through the proxy.',
        ],
      },
    },
  },
  aws: {
    text: ['Addresses of AWS services, for private endpoints and tests.'],
    settings: {
      endpoint_url: { form: STRING, text: ['Base address for every service that has none of its own below.'] },
      'endpoint_url_<service>': {
        form: STRING,
        text: [
          'Base address of one service: sts, sagemaker, bedrock, bedrock_runtime, bedrock_agent, bedrock_agent_runtime, bedrock_agentcore_control, eks. Without it the variables AWS_ENDPOINT_URL_<SERVICE> and AWS_ENDPOINT_URL count.',
        ],
      },
    },
  },
  'cloud_services:PLATFORM_HOSTED_MODELS': {
    text: [
      'The model service that the site itself hosts (LLM service Platform_Hosted_Models). Its token belongs in the password storage: realm ml_extension_cloud_services, name PLATFORM_HOSTED_MODELS, value {"access_token": "<token>"}. It is sent to this address only.',
    ],
    settings: {
      endpoint_url: {
        form: STRING,
        text: ['Base address; GET /models and POST /chat/completions are below it.'],
      },
    },
  },
  containers: {
    text: ['Containers of the data-science application, on Docker and Kubernetes.'],
    settings: {
      applications: {
        form: LIST,
        text: [
          'Parts of the name that the application gives in its banner; case does not matter. Any other name is reported as wrong_application.',
        ],
        default: 'data science, deep learning',
      },
      pull_timeout_s: {
        form: '<positive integer>',
        text: ['How long pulling an image may take, in seconds.'],
        default: '1800',
      },
      certificate_folders: {
        form: LIST,
        text: [
          'Folders, besides $SPLUNK_HOME/etc/auth, that may hold the files named in the certificate fields of container connections. Absolute paths. Links are resolved first, and files outside these folders are not read.',
        ],
      },
      ingress_annotations: {
        form: LIST,
        text: [
          'Ingress annotations that container connections may carry although they send requests elsewhere or hold code, such as nginx.ingress.kubernetes.io/auth-url, mirror-*, *-snippet and references to middlewares or plugins. Full names; a * at the end stands for anything. Whoever may edit container connections can then use them.',
        ],
      },
      installation_id: {
        form: STRING,
        text: [
          'Written by the app when it first starts a container. Objects on an engine that carry another id are never touched.',
        ],
      },
    },
  },
  audit: {
    text: ['The audit trail: who changed, tested, started and stopped what.'],
    settings: {
      retention_days: {
        form: '<positive integer>',
        text: ['Entries are removed after so many days.'],
        default: '90',
      },
      max_entries: {
        form: '<positive integer>',
        text: ['Most entries that are kept; beyond them the oldest are removed.'],
        default: '100000',
      },
      index: {
        form: STRING,
        text: [
          `Index of the platform to which each entry is also sent as an event of sourcetype ${AUDIT_SOURCETYPE}. Left empty, none is sent.`,
        ],
        default: AUDIT_INDEX,
      },
    },
  },
  'cloud_services:CLOUD_AGENT_CORE': {
    text: [
      'Where the runtimes of agents are created: Amazon Bedrock AgentCore.',
      'The keys belong in the password storage of the app: realm ml_extension_cloud_services, name CLOUD_AGENT_CORE, value {"access_key_id": "<id>", "secret_access_key": "<key>"}. Without them the role of the instance is used.',
    ],
    settings: {
      region: {
        form: STRING,
        text: [
          "AWS region of new runtimes. An agent's runtime is looked for in the region where it was created.",
          'Required.',
        ],
      },
      role_arn: { form: STRING, text: ['The role that the runtime runs under.', 'Required.'] },
      container_uri: { form: STRING, text: ['Image of the runtime in Amazon ECR.', 'Required.'] },
      network_mode: { form: 'PUBLIC|VPC', text: [], default: 'PUBLIC' },
      subnets: { form: LIST, text: ['Subnet ids. Required with VPC.'] },
      security_groups: { form: LIST, text: ['Security group ids. Required with VPC.'] },
      endpoint_url: { form: STRING, text: ["Address of the control plane instead of AWS's own."] },
      deadline_s: {
        form: '<integer>',
        text: ['Seconds, 1 to 86400, that a creation or deletion may take before it counts as failed.'],
        default: '900',
      },
    },
  },
} as const satisfies Readonly<Record<string, Stanza>>;

export type StanzaName = keyof typeof SETTINGS;
export type SettingName<S extends StanzaName> = keyof (typeof SETTINGS)[S]['settings'] & string;

/** The value of a setting without white space around it; undefined where nothing is set. A wrong name does not compile. */
export function setting<S extends StanzaName>(
  stanzas: Readonly<Record<string, Readonly<Record<string, string>>>>,
  stanza: S,
  name: SettingName<S>,
): string | undefined {
  return stanzas[stanza]?.[name]?.trim() || undefined;
}

/** The entries of a list that is separated by commas. */
export const splitList = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
