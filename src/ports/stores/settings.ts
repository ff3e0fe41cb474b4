/** `ml_extension.conf` as the platform merges it: stanza -> key -> text. */
export type Stanzas = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What one request knows of the settings. */
export interface Settings {
  /** As they are now: read since the request came, so that nobody is refused for lack of something they have just set. */
  read(): Promise<Stanzas>;
  /** Perhaps a few seconds old. Good enough to let a request pass, but never to refuse one. */
  recent(): Promise<Stanzas>;
}

/**
 * Credentials that an administrator has put into the password storage, each a JSON object of texts: for a cloud service of
 * the site (realm `ml_extension_cloud_services`, name = the kind) or its proxy (realm `ml_extension_proxy`, name `default`).
 */
export interface SiteCredentials {
  /** Undefined when there are none; empty when they are not such an object. */
  read(kind: string): Promise<Readonly<Record<string, string>> | undefined>;
}
