import { Type } from 'typebox';
import { endpoints } from '../../contract/endpoint.ts';
import { FEATURE_FLAG_NAMES } from '../../contract/flags.ts';

const perFlag = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Object(
    Object.fromEntries(FEATURE_FLAG_NAMES.map((name) => [name, schema])) as Record<
      (typeof FEATURE_FLAG_NAMES)[number],
      T
    >,
  );

export const featureFlags = endpoints({
  getFeatureFlags: {
    method: 'GET',
    path: '/ml/ml_feature_flags',
    summary: 'Feature flags and where each value comes from.',
    gate: 'session',
    reply: Type.Object({ flags: perFlag(Type.Boolean()), source: perFlag(Type.Enum(['default', 'conf'])) }),
    faults: [],
  },
  getAgentFeatureFlag: {
    method: 'GET',
    path: '/ml/agent_feature_flag',
    summary: 'Whether the agent builder is on.',
    gate: 'session',
    reply: Type.Object({ agent_builder_feature_enabled: Type.Boolean() }),
    faults: [],
  },
});
