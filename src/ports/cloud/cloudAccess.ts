/** Who calls which AWS region, and how. Holds secrets in the clear: never log it, never store it. */
export interface CloudAccess {
  region: string;
  /** Absent: the credentials of the machine the app runs on. */
  keys?: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** What must not appear in anything said about a call, besides the keys and those of the role. */
  secrets?: readonly string[] | undefined;
  /** A role to assume with these credentials before anything else. */
  roleArn?: string | undefined;
  /** Replaces the address of every service but STS. */
  endpoint?: string | undefined;
  /** Trust for `endpoint` where there is one, else for AWS itself. Default: verified by the usual authorities. */
  verifyTls?: boolean | undefined;
  caCertificate?: string | undefined;
  /** Tries of one call, the first included (3), and how long each may take (as long as the deadline). */
  attempts?: number | undefined;
  attemptMs?: number | undefined;
}
