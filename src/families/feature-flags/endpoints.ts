import { type TSchema, Type } from 'typebox';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { named } from '../../contract/schemas/named.ts';
import { FEATURE_FLAG_NAMES, type FeatureFlag } from '../../contract/settings/flags.ts';

const ALLOWED: Readonly<Record<FeatureFlag, string>> = {
  agent_builder: 'agents can be created, changed and deleted',
  ctsm: 'users can decide about curated time series models',
  vector_stores: 'vector stores can be changed and tested',
  mcp_connections: 'MCP connections can be changed, tested and asked for their tools',
  containers: 'containers can be started and stopped, and their connections changed and tested',
  experiments: 'experiments can be changed, with their history and models',
  llm_providers: 'LLM configurations can be changed and tested',
  model_upload: 'models can be uploaded and deleted',
  search_tools: 'search tools can be changed and tested, and searches can be made as tools',
  model_registration: 'models in the cloud can be registered, changed and tested',
};

const perFlag = <T extends TSchema>(schemaOf: (flag: FeatureFlag) => T, description: string) =>
  Type.Object(Object.fromEntries(FEATURE_FLAG_NAMES.map((flag) => [flag, schemaOf(flag)])) as Record<FeatureFlag, T>, {
    description,
  });

const Flag = (flag: FeatureFlag) => Type.Boolean({ description: `Whether ${ALLOWED[flag]}` });
const SOURCE = 'conf: set in ml_extension.conf [feature_flags]; default: not set there';
const Source = () => named('FlagSource', Type.Enum(['default', 'conf'], { description: SOURCE }));

const CtsmState = named(
  'CtsmReply',
  Type.Object(
    {
      ctsm_opt_out: Type.Boolean({ description: 'The caller does not want curated time series models' }),
      ctsm_acknowledge: Type.Boolean({ description: 'The caller has acknowledged the prompt' }),
      acknowledged_at: Type.Optional(
        Type.Number({ description: 'When first acknowledged, epoch seconds with a fraction' }),
      ),
    },
    { description: 'Choices of the caller about curated time series models' },
  ),
);

export const featureFlags = endpoints({
  getFeatureFlags: {
    method: 'GET',
    path: '/ml/ml_feature_flags',
    summary: 'Feature flags and the source of each value.',
    gate: 'session',
    storeless: true,
    reply: Type.Object(
      {
        flags: named('FeatureFlags', perFlag(Flag, 'The flags; with its flag off, a family is read-only')),
        source: named('FeatureFlagSources', perFlag(Source, 'Source of each value')),
      },
      { description: 'All feature flags' },
    ),
    faults: [],
  },
  getAgentFeatureFlag: {
    method: 'GET',
    path: '/ml/agent_feature_flag',
    summary: 'Whether the agent builder is on.',
    gate: 'session',
    storeless: true,
    reply: Type.Object(
      { agent_builder_feature_enabled: Type.Boolean({ description: 'Whether agents can be created and changed' }) },
      { description: 'The flag of the agents' },
    ),
    faults: [],
  },
  getCtsmFeature: {
    method: 'GET',
    path: '/ml/ctsm_feature',
    summary: 'Choices of the caller about curated time series models.',
    gate: 'session',
    reply: CtsmState,
    faults: [],
  },
  setCtsmFeature: {
    method: 'POST',
    path: '/ml/ctsm_feature',
    audit: { action: 'update', name: ['caller.user'] },
    summary: 'Opt out of curated time series models, or back in; only for the caller.',
    gate: 'session',
    flag: 'ctsm',
    body: Type.Object(
      { ctsm_opt_out: Type.Boolean({ description: 'true: opt out; false: opt in' }) },
      { description: 'Choice of the caller about curated time series models' },
    ),
    reply: CtsmState,
    faults: [],
  },
  acknowledgeCtsm: {
    method: 'POST',
    path: '/ml/ctsm_acknowledge',
    audit: { action: 'update', name: ['caller.user'] },
    summary: 'Acknowledge the prompt about curated time series models, only for the caller; idempotent.',
    gate: 'session',
    flag: 'ctsm',
    body: Type.Object(
      { acknowledge: Type.Optional(Type.Literal(true, { description: 'May be omitted' })) },
      { description: 'An acknowledgement; the body may be empty' },
    ),
    emptyBody: true,
    reply: CtsmState,
    faults: [],
  },
});
