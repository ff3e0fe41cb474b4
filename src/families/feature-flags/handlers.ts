import { confBoolean, FEATURE_FLAG_NAMES, FEATURE_FLAGS, type FeatureFlag } from '../../contract/flags.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { Settings } from '../../ports/settings.ts';
import type { featureFlags } from './endpoints.ts';

export function featureFlagHandlers(settings: Settings): Handlers<typeof featureFlags> {
  const read = async (flag: FeatureFlag) => confBoolean((await settings.read()).feature_flags?.[flag]);
  return {
    async getFeatureFlags() {
      const values = await Promise.all(FEATURE_FLAG_NAMES.map(async (flag) => [flag, await read(flag)] as const));
      const table = <T>(value: (flag: FeatureFlag, set: boolean | undefined) => T) =>
        Object.fromEntries(values.map(([flag, set]) => [flag, value(flag, set)])) as Record<FeatureFlag, T>;
      return {
        message: 'Feature flags',
        flags: table((flag, set) => set ?? FEATURE_FLAGS[flag]),
        source: table((_flag, set) => (set === undefined ? 'default' : 'conf')),
      };
    },
    async getAgentFeatureFlag() {
      return {
        message: 'Agent builder',
        agent_builder_feature_enabled: (await read('agent_builder')) ?? FEATURE_FLAGS.agent_builder,
      };
    },
  };
}
