/**
 * Credentials that an administrator has put into the password storage for a cloud service of the site: realm
 * `ml_extension_cloud_services`, name = the kind, value a JSON object of texts.
 */
export interface SiteCredentials {
  /** Undefined when there are none; empty when they are no such object. */
  read(kind: string): Promise<Readonly<Record<string, string>> | undefined>;
}
