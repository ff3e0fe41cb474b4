import { OutboundError } from '../../contract/codes/outbound.ts';
import type { CloudRuntimeType } from '../../contract/families/agents.ts';
import { integerSetting } from '../../contract/settings/integerSetting.ts';
import type { SettingName } from '../../contract/settings/settings.ts';
import { setting } from '../../contract/settings/settings.ts';
import type { AgentCloud, AgentClouds } from '../../ports/cloud/agentCloud.ts';
import type { CloudAccess } from '../../ports/cloud/cloudAccess.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { SiteCredentials } from '../../ports/stores/settings.ts';
import { lazy } from '../lazy.ts';
import { awsOptions } from './aws.ts';
import type { SiteSettings } from './outboundPolicy.ts';

interface KindParts {
  settings: SiteSettings;
  conf(): Promise<Readonly<Record<string, string>>>;
  credentials(): Promise<Readonly<Record<string, string>> | undefined>;
  location: string | null;
}

interface Kind {
  /** Setting with the location of new runtimes. */
  locationSetting: SettingName<`cloud_services:${CloudRuntimeType}`>;
  open(parts: KindParts): Promise<AgentCloud>;
}

/** One adapter per kind, loaded on first use. */
const KINDS: { readonly [K in CloudRuntimeType]: Kind } = {
  CLOUD_AGENT_CORE: {
    locationSetting: 'region',
    open: async ({ settings, conf, credentials, location }) => {
      const { agentCoreRuntimes } = await import('../../adapters/aws/agentRuntimes.ts');
      const keys = async () => awsKeys('CLOUD_AGENT_CORE', await credentials());
      return agentCoreRuntimes({ aws: () => awsOptions(settings), conf, keys, region: location });
    },
  },
};

export function agentClouds(settings: SiteSettings, credentials: SiteCredentials, log: Log): AgentClouds {
  const stanza = async (kind: CloudRuntimeType) => (await settings.read())[`cloud_services:${kind}`] ?? {};
  return {
    async settings(kind) {
      const stanzas = await settings.read();
      return {
        location: setting(stanzas, `cloud_services:${kind}`, KINDS[kind].locationSetting) ?? null,
        deadlineMs: integerSetting(stanzas, `cloud_services:${kind}`, 'deadline_s', log) * 1000,
      };
    },
    at(kind, location) {
      const parts = { settings, conf: () => stanza(kind), credentials: () => credentials.read(kind), location };
      return lazy<AgentCloud>(() => KINDS[kind].open(parts));
    },
  };
}

/** Without stored keys the role of the instance is used. @throws OutboundError */
function awsKeys(kind: CloudRuntimeType, entry: Readonly<Record<string, string>> | undefined): CloudAccess['keys'] {
  if (entry === undefined) return undefined;
  const [accessKeyId, secretAccessKey] = [entry.access_key_id?.trim(), entry.secret_access_key?.trim()];
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey };
  throw new OutboundError(
    'configuration_invalid',
    `The entry ${kind} of the realm ml_extension_cloud_services in the password storage must be a JSON object with access_key_id and secret_access_key`,
  );
}
