import type { CloudModels } from '../cloud/cloudModels.ts';
import type { ClientTokenIssuer } from '../oauth/oauthTokenClient.ts';
import type { Http } from './http.ts';
import type { PlatformTenant } from './platformTenant.ts';

/** The site's hosted model service. */
export interface HostedSite {
  endpoint?: string | undefined;
  token?: string | undefined;
}

export interface LlmDependencies {
  http: Http;
  cloud: CloudModels;
  hostedSite(): Promise<HostedSite>;
  /** The URL without reading the token. */
  hostedEndpoint(): Promise<string | undefined>;
  tenant: PlatformTenant;
  tokens: ClientTokenIssuer;
}
