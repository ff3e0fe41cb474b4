import type { Handlers } from '../../contract/rows/handlers.ts';
import { confBoolean, FEATURE_FLAG_NAMES, FEATURE_FLAGS, type FeatureFlag } from '../../contract/settings/flags.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import { Ctsm } from './ctsm.ts';
import type { featureFlags } from './endpoints.ts';

export function featureFlagHandlers(
  settings: Settings,
  stores: Pick<Stores, 'records' | 'clock'>,
): Handlers<typeof featureFlags> {
  const ctsm = new Ctsm(stores);
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
    async getCtsmFeature({ caller }) {
      return { message: 'Curated time series models', ...(await ctsm.readState(caller)) };
    },
    async setCtsmFeature({ caller, body }) {
      await ctsm.setOptOut(caller, body.ctsm_opt_out);
      return { message: body.ctsm_opt_out ? 'Opted out' : 'Opted in', ...(await ctsm.readState(caller)) };
    },
    async acknowledgeCtsm({ caller }) {
      await ctsm.acknowledge(caller);
      return { message: 'Acknowledged', ...(await ctsm.readState(caller)) };
    },
  };
}
