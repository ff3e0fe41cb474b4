import { Type } from 'typebox';
import { endpoints } from '../../contract/endpoint.ts';
import { FEATURE_FLAG_NAMES } from '../../contract/flags.ts';
import { named } from '../../contract/named.ts';

const perFlag = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Object(
    Object.fromEntries(FEATURE_FLAG_NAMES.map((name) => [name, schema])) as Record<
      (typeof FEATURE_FLAG_NAMES)[number],
      T
    >,
  );

const CtsmState = named(
  'CtsmReply',
  Type.Object({
    ctsm_opt_out: Type.Boolean({ description: 'The caller does not want curated time series models' }),
    ctsm_acknowledge: Type.Boolean({ description: 'The caller has acknowledged the prompt' }),
    acknowledged_at: Type.Optional(
      Type.Number({ description: 'When first acknowledged, epoch seconds with a fraction' }),
    ),
  }),
);

export const featureFlags = endpoints({
  getFeatureFlags: {
    method: 'GET',
    path: '/ml/ml_feature_flags',
    summary: 'Feature flags and where each value comes from.',
    gate: 'session',
    reply: Type.Object({
      flags: perFlag(Type.Boolean()),
      source: perFlag(named('FlagSource', Type.Enum(['default', 'conf']))),
    }),
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
  getCtsmFeature: {
    method: 'GET',
    path: '/ml/ctsm_feature',
    summary: 'What the caller has decided about curated time series models.',
    gate: 'session',
    reply: CtsmState,
    faults: [],
  },
  setCtsmFeature: {
    method: 'POST',
    path: '/ml/ctsm_feature',
    summary: 'Opt out of curated time series models, or back in; only for the caller.',
    gate: 'session',
    flag: 'ctsm',
    body: Type.Object({ ctsm_opt_out: Type.Boolean() }),
    reply: CtsmState,
    faults: [],
  },
  acknowledgeCtsm: {
    method: 'POST',
    path: '/ml/ctsm_acknowledge',
    summary:
      'Acknowledge the prompt about curated time series models; only for the caller. Doing so again changes nothing.',
    gate: 'session',
    flag: 'ctsm',
    body: Type.Object({ acknowledge: Type.Optional(Type.Literal(true)) }),
    emptyBody: true,
    reply: CtsmState,
    faults: [],
  },
});
