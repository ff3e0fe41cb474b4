import type { CloudModels } from '../cloud/cloudModels.ts';
import type { Http } from './http.ts';

/** The models that the site itself hosts, as its administrator has set them up. */
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
