/**
 * Credentials that an administrator has put into the password storage, each a JSON object of texts: for a cloud service of
 * the site (realm `ml_extension_cloud_services`, name = the kind) or its proxy (realm `ml_extension_proxy`, name `default`).
 */
export interface SiteCredentials {
  /** Undefined when there are none; empty when they are not such an object. */
  read(kind: string): Promise<Readonly<Record<string, string>> | undefined>;
}
