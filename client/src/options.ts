export type Credentials = { sessionKey: string } | { token: string } | { username: string; password: string };

export interface ClientOptions {
  /** Base address of the management port: `https://host:8089`. With `auth: 'browser'` it is the page's own origin unless given. */
  baseUrl?: string;
  /**
   * A session key, a bearer token, or user name and password. `browser`, in a page that Splunk Web has served: the browser's
   * cookies say who the caller is.
   */
  auth: Credentials | 'browser';
  /** Owner in the URL; has no influence on who the caller is. */
  owner?: string;
  /**
   * What stands in the URL before `/servicesNS`, such as `/en-US/splunkd/__raw`. Unless given, it is the path of `baseUrl`, and
   * in a page of Splunk Web what the page itself says.
   */
  pathPrefix?: string;
  /** Another fetch, for proxies or private authorities, say. */
  fetch?: typeof fetch;
  /** Milliseconds for one call with all its tries, 120,000 unless given; `Infinity` = no end. */
  timeoutMs?: number;
  /** How many times a call that is safe to repeat may be repeated: 2 unless given, 0 = never. */
  retries?: number;
  /** Bytes that a reply may have; 64 MiB unless given. */
  maxReplyBytes?: number;
}
