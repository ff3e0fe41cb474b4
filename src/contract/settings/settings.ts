import { AUDIT_INDEX, AUDIT_SOURCETYPE } from '../audit.ts';
import { DEFAULT_DEADLINE_S } from '../families/agents.ts';
import { ALERT_SOURCETYPE, RESULT_INDEX } from '../families/alerts.ts';
import { RUN_SOURCETYPE } from '../families/runs.ts';
import { USAGE_INDEX, USAGE_SOURCETYPE } from '../families/usage.ts';
import { FEATURE_FLAG_NAMES, FEATURE_FLAGS, type FeatureFlag } from './flags.ts';

/** One setting of `ml_extension.conf`. */
export interface Setting {
  /** Format as in a spec file: `<boolean>`, `PUBLIC|VPC`. */
  readonly form: string;
  /** Description, one paragraph per entry. */
  readonly text: readonly string[];
  readonly default?: string;
  /** Set by `integer`. */
  readonly integer?: IntegerRange;
}

export interface IntegerRange {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

interface Stanza {
  readonly text: readonly string[];
  readonly settings: Readonly<Record<string, Setting>>;
}

const BOOLEAN = '<boolean>';
const STRING = '<string>';
const LIST = '<comma-separated list>';

/** An integer, read with `integerSetting`. */
const integer = (text: string, range: IntegerRange) => ({
  form: '<integer>',
  text: [text, `${range.min} to ${range.max}; an invalid value means the default.`],
  default: String(range.default),
  integer: range,
});

/** All settings of ml_extension.conf; the spec file is generated from them, and `setting` reads them. */
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
        text: ['Whether loopback and private addresses may be called. An invalid value means no.'],
        default: '1',
      },
      max_waiting: integer(
        'Maximum number of requests to /ml that may wait for other servers at a time, on one machine. A further request waits up to 3 s for a place, then fails with 503 busy.',
        { default: 3, min: 1, max: 1000 },
      ),
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
  gateway: {
    text: ['Use of language models and tools through /ai_gateway.'],
    settings: {
      deadline_s: integer('Time limit in seconds of all that a request does.', { default: 120, min: 1, max: 600 }),
      long_deadline_s: integer(
        'The same for /ai_gateway/v1/responses and /ai_gateway/v1/messages, whose clients ask for long answers, and the most that ?deadline_s= of a chat may ask for.',
        { default: 600, min: 1, max: 3600 },
      ),
      max_concurrent: integer(
        'Maximum number of requests that use models at a time, on one machine. A further request fails with 429 too_many_requests. One user holds at most half of them.',
        { default: 16, min: 1, max: 1000 },
      ),
      on_tool_change: {
        form: 'refuse|warn',
        text: [
          'What happens to a tool of an MCP connection that is new or has changed since it was accepted. refuse: it is left out, and a call fails. warn: it is served with a warning. An invalid value means refuse.',
        ],
        default: 'refuse',
      },
      tool_timeout_s: integer('Time limit in seconds of a tool that is called.', { default: 60, min: 1, max: 600 }),
      allowed_origins: {
        form: LIST,
        text: [
          'Origins of web pages, such as https://portal.example:8443, that may send messages to /ai_gateway/mcp besides those of the host itself.',
        ],
      },
      usage_index: {
        form: STRING,
        text: [
          `Index to which each use is sent as an event of sourcetype ${USAGE_SOURCETYPE}, each change of a run's state as one of ${RUN_SOURCETYPE}, and what alerts did not start as one of ${ALERT_SOURCETYPE}. If empty, no events are sent.`,
        ],
        default: USAGE_INDEX,
      },
      usage_retention_days: integer('Days after which sums of usage are removed.', {
        default: 400,
        min: 1,
        max: 999_999_999,
      }),
      log_content: {
        form: BOOLEAN,
        text: [
          'Whether events of uses contain what was sent and answered (field content). Everyone who may search the index can read it. An invalid value means no.',
        ],
        default: '0',
      },
    },
  },
  agents: {
    text: ['Runs of agents.'],
    settings: {
      max_waiting: integer(
        'Requests that wait for runs at a time on one machine. Beyond it the reply comes at once, as with wait_s=0.',
        { default: 4, min: 0, max: 1000 },
      ),
      max_runs: integer(
        'Maximum number of ended runs. Beyond it those users lose their oldest first who keep more than a fifth of it.',
        { default: 10_000, min: 1, max: 1_000_000 },
      ),
      run_retention_days: integer('Days after which ended runs are removed; those of a definition are after one.', {
        default: 30,
        min: 1,
        max: 999_999_999,
      }),
      result_indexes: {
        form: LIST,
        text: ['Indexes to which the app may write answers of runs that alerts start, whatever their users may do.'],
        default: RESULT_INDEX,
      },
    },
  },
  search_tools: {
    text: ['Searches that agents, MCP clients and the playground make as their users.'],
    settings: {
      max_span_days: integer('How many days search__spl may look back.', { default: 30, min: 1, max: 36_500 }),
      require_index: {
        form: BOOLEAN,
        text: [
          'Whether each part of a search of search__spl that reads events must name what it reads: an index, a data model, metrics, a sourcetype, source, host or event type. An invalid value means yes.',
        ],
        default: '1',
      },
      allow_commands: {
        form: LIST,
        text: [
          'Further search commands that search__spl may use, such as custom commands that only read. Commands that write, run, send or read the objects of others stay refused.',
        ],
      },
      deny_commands: { form: LIST, text: ['Search commands that search__spl may not use.'] },
      enable_lookups: {
        form: BOOLEAN,
        text: [
          'Whether automatic lookups run in searches of tools. Switch it off where automatic lookups run external scripts. An invalid value means yes.',
        ],
        default: '1',
      },
    },
  },
  aws: {
    text: ['Addresses of AWS services, for private endpoints and tests.'],
    settings: {
      endpoint_url: { form: STRING, text: ['Base URL for services without their own setting below.'] },
      'endpoint_url_<service>': {
        form: STRING,
        text: [
          'Base URL of one service: sts, sagemaker, sagemaker_runtime, bedrock, bedrock_runtime, bedrock_agent, bedrock_agent_runtime, bedrock_agentcore, bedrock_agentcore_control, eks. Default: the variables AWS_ENDPOINT_URL_<SERVICE> and AWS_ENDPOINT_URL.',
        ],
      },
    },
  },
  'cloud_services:PLATFORM_HOSTED_MODELS': {
    text: [
      'The model service hosted by the site (LLM service Platform_Hosted_Models). Its token belongs in the password storage: realm ml_extension_cloud_services, name PLATFORM_HOSTED_MODELS, value {"access_token": "<token>"}. It is sent to this address only.',
    ],
    settings: {
      endpoint_url: {
        form: STRING,
        text: [
          'Base URL of GET /models and POST /chat/completions. If empty, models that Splunk hosts are called, where the platform has a tenant in its cloud.',
        ],
      },
    },
  },
  containers: {
    text: ['Containers of the data-science application, on Docker and Kubernetes.'],
    settings: {
      applications: {
        form: LIST,
        text: [
          'Accepted parts of the application name in the banner, case-insensitive. Other names are reported as wrong_application.',
        ],
        default: 'data science, deep learning',
      },
      pull_timeout_s: integer('Time limit for pulling an image, in seconds.', {
        default: 1800,
        min: 1,
        max: 1_000_000,
      }),
      certificate_folders: {
        form: LIST,
        text: [
          'Absolute paths of folders, besides $SPLUNK_HOME/etc/auth, from which certificate fields of container connections may read files. Links are resolved first.',
        ],
      },
      ingress_annotations: {
        form: LIST,
        text: [
          'Allowed ingress annotations that redirect requests or contain code, such as nginx.ingress.kubernetes.io/auth-url, mirror-*, *-snippet and references to middlewares or plugins. Full names; a trailing * matches anything. Everyone who may edit container connections can use them.',
        ],
      },
      installation_id: {
        form: STRING,
        text: ['Set by the app when it first starts a container. Objects with another id are never changed.'],
      },
    },
  },
  audit: {
    text: ['The audit trail: who changed, tested, started and stopped what.'],
    settings: {
      retention_days: integer('Days after which entries are hidden and removed, at most 1 % of them in an hour.', {
        default: 90,
        min: 1,
        max: 999_999_999,
      }),
      max_entries: integer(
        'Maximum number of entries; the oldest are removed first. Refusals are counted beside the others, up to 10 % of this number, and calls and runs up to 30 %.',
        { default: 100_000, min: 1, max: 999_999_999 },
      ),
      index: {
        form: STRING,
        text: [
          `Index to which each entry is sent as an event of sourcetype ${AUDIT_SOURCETYPE}. If empty, no events are sent.`,
        ],
        default: AUDIT_INDEX,
      },
    },
  },
  'cloud_services:CLOUD_AGENT_CORE': {
    text: [
      'Amazon Bedrock AgentCore, which runs agents.',
      'The keys belong in the password storage of the app: realm ml_extension_cloud_services, name CLOUD_AGENT_CORE, value {"access_key_id": "<id>", "secret_access_key": "<key>"}. Without them the role of the instance is used.',
    ],
    settings: {
      region: {
        form: STRING,
        text: [
          'AWS region of new runtimes. Existing runtimes stay in the region where they were created.',
          'Required.',
        ],
      },
      role_arn: { form: STRING, text: ['IAM role of the runtime.', 'Required.'] },
      container_uri: { form: STRING, text: ['Image of the runtime in Amazon ECR.', 'Required.'] },
      network_mode: { form: 'PUBLIC|VPC', text: [], default: 'PUBLIC' },
      subnets: { form: LIST, text: ['Subnet ids. Required with VPC.'] },
      security_groups: { form: LIST, text: ['Security group ids. Required with VPC.'] },
      endpoint_url: { form: STRING, text: ['URL of the control plane; default: AWS.'] },
      deadline_s: integer('Time limit of a creation or deletion, in seconds.', {
        default: DEFAULT_DEADLINE_S,
        min: 1,
        max: 86_400,
      }),
    },
  },
} as const satisfies Readonly<Record<string, Stanza>>;

export type StanzaName = keyof typeof SETTINGS;
export type SettingName<S extends StanzaName> = keyof (typeof SETTINGS)[S]['settings'] & string;

/** Returns the trimmed value of a setting; undefined when unset or empty. */
export function setting<S extends StanzaName>(
  stanzas: Readonly<Record<string, Readonly<Record<string, string>>>>,
  stanza: S,
  name: SettingName<S>,
): string | undefined {
  return stanzas[stanza]?.[name]?.trim() || undefined;
}

export const splitList = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
