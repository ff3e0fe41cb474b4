import { isObject } from '../../contract/basics.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { memoizeByObject } from '../../domain/async/memoize.ts';
import { RecentMap } from '../../domain/async/recentMap.ts';
import type { SiteStores } from '../../domain/records/sealedRecord.ts';
import type { KeptToken } from '../../domain/records/sharedToken.ts';
import type { PlatformTenant, Tenant, TenantModel } from '../../ports/llm/platformTenant.ts';
import { objectOf, type SplunkdClient, type SplunkdReply } from './client.ts';

/** A tenant stays; a site that has none may get one, and the question costs little. */
const TENANT_MS = 10 * 60_000;
const NO_TENANT_MS = 60_000;
const MODELS_MS = 5 * 60_000;
const MAX_TENANTS = 4;

const TENANT = 'tenant';
/** Neither needs escaping nor leads to another path. */
const SEGMENT = /^[\w-][\w.-]*$/;
const TOKEN = /^[\x21-\x7e]+$/;

/** Memory of a process for one platform. */
class TenantMemory {
  readonly tenant = new RecentMap<{ value: Tenant | undefined }>(1);
  readonly models = new RecentMap<readonly TenantModel[]>(MAX_TENANTS);
  token: (KeptToken & { of: string }) | undefined;
}

/** The platform's tenant and its token, as `server/scs/tenantinfo` and `authorization/scs_tokens` of Splunk Cloud give them. */
export class PlatformTenants {
  readonly #memories = memoizeByObject((_client: SplunkdClient) => new TenantMemory());

  /** @param systemToken the platform gives tokens for services to the app, not to its users */
  for(client: SplunkdClient, systemToken: string, stores: SiteStores): PlatformTenant {
    const memory = this.#memories(client);
    const issue = () => issueToken(client, systemToken);
    // Most sites have no tenant, and every process starts with this module.
    const tokenOf = async (tenant: Tenant) => (await import('./tenantToken.ts')).tenantToken(stores, tenant, issue);
    const keep = (tenant: Tenant, kept: KeptToken): string => {
      memory.token = { ...kept, of: keyOf(tenant) };
      return kept.token;
    };
    return {
      async find() {
        const recent = memory.tenant.get(TENANT);
        if (recent) return recent.value;
        const value = await findTenant(client, systemToken);
        memory.tenant.set(TENANT, { value }, value ? TENANT_MS : NO_TENANT_MS);
        return value;
      },
      async token(tenant, deadline) {
        const { token: kept } = memory;
        if (kept?.of === keyOf(tenant) && stores.clock.monotonic() < kept.until) return kept.token;
        return keep(tenant, await (await tokenOf(tenant)).get(deadline));
      },
      async renewed(tenant, refused, deadline) {
        const kept = await (await tokenOf(tenant)).renewed(refused, deadline);
        return kept && keep(tenant, kept);
      },
      models: (tenant) => memory.models.get(keyOf(tenant)),
      keepModels: (tenant, models) => memory.models.set(keyOf(tenant), models, MODELS_MS),
    };
  }
}

const keyOf = ({ tenant, host }: Tenant): string => `${host}/${tenant}`;

async function findTenant(client: SplunkdClient, token: string): Promise<Tenant | undefined> {
  const endpoint = 'server/scs/tenantinfo';
  const reply = await client.call({ method: 'GET', endpoint, token, namespace: 'services', anyStatus: true });
  if (reply.status === 404) return undefined;
  if (reply.status !== 200) throw refusal('its tenant information', reply);
  const { tenant, tenantHostname } = contentOf(reply);
  const host = hostOf(tenantHostname);
  if (typeof tenant !== 'string' || !SEGMENT.test(tenant) || host === undefined) {
    throw new OutboundError('upstream_error', 'The tenant information of the platform has no valid tenant and host');
  }
  return { tenant, host };
}

async function issueToken(client: SplunkdClient, systemToken: string): Promise<string> {
  const reply = await client.call({
    method: 'GET',
    endpoint: 'authorization/scs_tokens',
    query: { principalId: 'slim', scope: 'tenant' },
    token: systemToken,
    namespace: 'services',
    anyStatus: true,
  });
  if (reply.status !== 200) throw refusal("a token for the tenant's models", reply);
  const { scs_token: token } = contentOf(reply);
  if (typeof token === 'string' && TOKEN.test(token)) return token;
  throw new OutboundError('upstream_error', "The platform answered without a token for the tenant's models");
}

/** Tells only the status, since the reply may quote the system token. */
const refusal = (what: string, { status }: SplunkdReply): OutboundError =>
  new OutboundError(
    status === 401 || status === 403 ? 'permission_denied' : 'upstream_error',
    `The platform did not give the app ${what} (${status})`,
    { httpStatus: status },
  );

function contentOf(reply: SplunkdReply): Readonly<Record<string, unknown>> {
  const { entry } = objectOf(reply);
  const first: unknown = Array.isArray(entry) ? entry[0] : undefined;
  return isObject(first) && isObject(first.content) ? first.content : {};
}

/** Undefined for anything that is more than a host and a port. */
function hostOf(name: unknown): string | undefined {
  if (typeof name !== 'string' || !URL.canParse(`https://${name}`)) return undefined;
  const { href, host } = new URL(`https://${name}`);
  return href === `https://${host}/` ? host : undefined;
}
