import { CLOUD_KEYS, CLOUD_SETTINGS, CLOUD_STANZA } from '../peers/aws/agentCore.ts';
import { expectStatus, type TestPlatform } from './platform.ts';

const CONFS = '/servicesNS/nobody/ml_extension/configs/conf-ml_extension';

/** Points the platform at a component, as an administrator does. */
export async function connectCloud(
  platform: TestPlatform,
  endpointUrl: string,
  more: Record<string, string> = {},
  keyId = CLOUD_KEYS.access_key_id,
  secret = CLOUD_KEYS.secret_access_key,
): Promise<void> {
  const form = { name: CLOUD_STANZA, ...CLOUD_SETTINGS, endpoint_url: endpointUrl, ...more };
  expectStatus(await platform.admin('POST', CONFS, form), 201, CLOUD_STANZA);
  const password = JSON.stringify({ access_key_id: keyId, secret_access_key: secret });
  const entry = { name: 'CLOUD_AGENT_CORE', realm: 'ml_extension_cloud_services', password };
  expectStatus(await platform.admin('POST', '/servicesNS/nobody/ml_extension/storage/passwords', entry), 201, 'keys');
}

/** Seen by the next request: whatever is refused for want of a setting has read them anew. */
export async function set(platform: TestPlatform, settings: Record<string, string>): Promise<void> {
  expectStatus(
    await platform.admin('POST', `${CONFS}/${encodeURIComponent(CLOUD_STANZA)}`, settings),
    200,
    CLOUD_STANZA,
  );
}
