/** `ml_extension.conf`, merged: stanza -> key -> text. */
export type Stanzas = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Settings {
  /** Read during this request, so that a setting changed just before takes effect. */
  read(): Promise<Stanzas>;
  /** Up to a few seconds old: enough to permit a request, not to refuse one. */
  recent(): Promise<Stanzas>;
}

/**
 * Credentials in the password storage, as JSON objects: for cloud services (realm `ml_extension_cloud_services`, name = kind)
 * or the proxy (realm `ml_extension_proxy`, name `default`).
 */
export interface SiteCredentials {
  /** Undefined when missing; empty when not a JSON object. */
  read(kind: string): Promise<Readonly<Record<string, string>> | undefined>;
}
