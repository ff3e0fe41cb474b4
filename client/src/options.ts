export type Credentials = { sessionKey: string } | { token: string } | { username: string; password: string };

export interface ClientOptions {
  /** URL of the management port, such as `https://host:8089`. With `auth: 'browser'` the default is the page's origin. */
  baseUrl?: string;
  /**
   * A session key, a bearer token, or user name and password. `browser`: the cookies of a Splunk Web page.
   */
  auth: Credentials | 'browser';
  /** Owner in the URL; does not affect authentication. */
  owner?: string;
  /**
   * URL path before `/servicesNS`, such as `/en-US/splunkd/__raw`. Default: the path of `baseUrl`, or the setting of a Splunk Web
   * page.
   */
  pathPrefix?: string;
  /** Custom `fetch`, for example for proxies or private CAs. */
  fetch?: typeof fetch;
  /** Milliseconds for one call with all retries; default 120,000, `Infinity` for no limit. */
  timeoutMs?: number;
  /** Maximum number of retries of a call that is safe to repeat; default 2. */
  retries?: number;
  /** Maximum size of a reply in bytes; default 64 MiB. */
  maxReplyBytes?: number;
}
