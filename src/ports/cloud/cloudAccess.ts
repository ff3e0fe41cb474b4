/** Credentials and options of AWS calls. Contains plain-text secrets: never log or store it. */
export interface CloudAccess {
  region: string;
  /** Default: the credentials of the machine. */
  keys?: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Redacted from messages, besides the keys. */
  secrets?: readonly string[] | undefined;
  /** A role to assume with these credentials first. */
  roleArn?: string | undefined;
  /** Replaces the URL of every service except STS. */
  endpoint?: string | undefined;
  /** TLS verification of `endpoint`, else of AWS. */
  verifyTls?: boolean | undefined;
  caCertificate?: string | undefined;
  /** Sent along to every service except STS, and not signed: gateways may take them off. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Sent to every service except STS in place of a signature with the keys. */
  bearer?: string | undefined;
  /** Attempts of one call (default 3) and the time limit of each (default: the deadline). */
  attempts?: number | undefined;
  attemptMs?: number | undefined;
}
