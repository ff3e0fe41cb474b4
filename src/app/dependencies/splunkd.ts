import { SplunkdClient } from '../../adapters/splunkd/client.ts';
import { RoleDefinitions } from '../../adapters/splunkd/roles.ts';
import { splunkdRecords } from '../../adapters/splunkd/stores/recordStore.ts';
import { splunkdSecrets } from '../../adapters/splunkd/stores/secretStore.ts';
import { SettingsCache } from '../../adapters/splunkd/stores/settings.ts';
import { CLOUD_SERVICES, PROXY, splunkdSiteCredentials } from '../../adapters/splunkd/stores/siteCredentials.ts';
import { PlatformTenants } from '../../adapters/splunkd/tenant.ts';
import type { SiteStores, Stores } from '../../domain/records/sealedRecord.ts';
import { StoreSchema } from '../../domain/records/storeSchema.ts';
import type { PlatformTenant } from '../../ports/llm/platformTenant.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { Roles } from '../../ports/platform/session.ts';
import type { Settings, SiteCredentials } from '../../ports/stores/settings.ts';
import type { Admission } from '../../rest/requestScope.ts';
import { hostClock } from './clock.ts';
import { MIGRATIONS } from './migrations.ts';
import type { SiteSettings } from './outboundPolicy.ts';
import { createAdmission } from './slots.ts';

/** A splunkd with the system token for the app's calls. */
export interface SplunkdAddress {
  serverUri: string;
  /** Identifies the member of a cluster. */
  serverId: string | undefined;
  systemToken: string;
}

/** Access to splunkd as the app (not the caller) for one request. */
export interface Splunkd {
  address: SplunkdAddress;
  client: SplunkdClient;
  stores: SiteStores;
  schema: StoreSchema;
  /** ml_extension.conf, proxy credentials and admission. */
  settings: SiteSettings;
  /** ml_images.conf. */
  images: Settings;
  /** ml_prices.conf. */
  prices: Settings;
  roles: Roles;
  /** Credentials of the site's cloud services. */
  credentials: SiteCredentials;
  tenant: PlatformTenant;
}

/** `globalThis.crypto` would load all of Web Crypto for the first id. */
export const newId = (): string => process.getBuiltinModule('node:crypto').randomUUID();

/**
 * Keeps only connections and short-lived caches between requests.
 * @param defer runs work after the reply
 * @param admit default: one of the machine's slots for each request that calls upstreams
 */
export function splunkds(
  log: Log,
  defer: Stores['defer'],
  admit: (settings: Settings, log: Log) => Admission = createAdmission,
): (address: SplunkdAddress) => Splunkd {
  const clients = new Map<string, SplunkdClient>();
  const schema = new StoreSchema(MIGRATIONS);
  const settings = new SettingsCache();
  const images = new SettingsCache('ml_images');
  const prices = new SettingsCache('ml_prices');
  const roles = new RoleDefinitions();
  const tenants = new PlatformTenants();

  return (address) => {
    const { serverUri, serverId, systemToken: token } = address;
    const client = clients.get(serverUri) ?? new SplunkdClient(serverUri);
    clients.set(serverUri, client);
    const clock = hostClock(serverId ?? serverUri);
    const conf = settings.for(client, token, clock);
    const stores: SiteStores = {
      records: splunkdRecords(client, token),
      secrets: splunkdSecrets(client, token),
      clock,
      log,
      newId,
      defer,
    };
    return {
      address,
      client,
      stores,
      schema,
      settings: { ...conf, proxy: splunkdSiteCredentials(client, token, PROXY), admission: admit(conf, log) },
      images: images.for(client, token, clock),
      prices: prices.for(client, token, clock),
      roles: roles.for(client, token, clock),
      credentials: splunkdSiteCredentials(client, token, CLOUD_SERVICES),
      tenant: tenants.for(client, token, stores),
    };
  };
}
