import type { SiteStores } from '../../domain/records/sealedRecord.ts';
import { SharedToken } from '../../domain/records/sharedToken.ts';
import type { Tenant } from '../../ports/llm/platformTenant.ts';

/** The principal for which the token is issued. */
const KEY = 'slim';
/** For tokens without a known life, which is about an hour. Splunk AI Toolkit renews them after 40 minutes, too. */
const UNKNOWN_LIFE_S = 40 * 60;
const SPARED_S = 30;

/** @param issue asks the platform for a new token. Throws OutboundError */
export function tenantToken(stores: SiteStores, { tenant, host }: Tenant, issue: () => Promise<string>): SharedToken {
  const { log } = stores;
  return new SharedToken(stores, {
    key: KEY,
    holder: `${host}/${tenant}`,
    issue: async () => ({ token: await issue() }),
    unknownLife: UNKNOWN_LIFE_S,
    spared: SPARED_S,
    label: 'the token of the tenant',
    async recorded(write) {
      await write();
      log.info('tenant_token_renewed', { tenant });
    },
  });
}
