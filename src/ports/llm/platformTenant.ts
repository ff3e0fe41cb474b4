import type { Deadline } from '../platform/clock.ts';

/** The site's tenant in Splunk's cloud. */
export interface Tenant {
  /** A segment of paths that needs no escaping. */
  tenant: string;
  /** Host of the tenant's services, with its port unless that is 443. */
  host: string;
}

/** A model that Splunk hosts for a tenant. */
export interface TenantModel {
  name: string;
  id: string;
  /** `extra_headers` of requests to it, if the list has them. */
  extraHeaders?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The platform's tenant and its token. The methods throw OutboundError where the platform refuses, and Fault `store_unavailable`
 * where it cannot be reached.
 */
export interface PlatformTenant {
  /** Undefined on premises. */
  find(): Promise<Tenant | undefined>;
  /** A token for the tenant's services, which all processes share and one of them renews in time. */
  token(tenant: Tenant, deadline: Deadline): Promise<string>;
  /** A token in place of one that was refused; undefined if that one has only just been issued. */
  renewed(tenant: Tenant, refused: string, deadline: Deadline): Promise<string | undefined>;
  /** The models that this process has listed a short time ago. */
  models(tenant: Tenant): readonly TenantModel[] | undefined;
  keepModels(tenant: Tenant, models: readonly TenantModel[]): void;
}
