/** Where a cluster is and who we are there: the same for every auth mode. */
export interface ClusterAccess {
  url: string;
  ca: string | undefined;
  token?: string;
  clientCertificate?: { cert: string; key: string };
}
