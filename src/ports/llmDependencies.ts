import type { CloudModels } from './cloudModels.ts';
import type { Http } from './http.ts';

/** The administrator's own model service (`Platform_Hosted_Models`). */
export interface HostedSite {
  endpoint?: string | undefined;
  token?: string | undefined;
}

/** What providers of language models are called through. */
export interface LlmDependencies {
  http: Http;
  cloud: CloudModels;
  hostedSite(): Promise<HostedSite>;
  /** Its address alone: what forms and saves need, without a look at the token. */
  hostedEndpoint(): Promise<string | undefined>;
}
