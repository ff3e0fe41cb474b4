/** Certificates and keys as people paste them: PEM, base64 of PEM, or the path of a file in an allowed folder. */
export interface Certificates {
  /** One or more certificates as PEM; undefined when the text has none of the three forms. */
  read(text: string): Promise<{ pem: string; expiresAt: number } | undefined>;
  /** A private key as PEM; undefined when the text has none of the three forms. */
  readKey(text: string): Promise<string | undefined>;
  /** Whether a private key belongs to the first of the certificates (both PEM). */
  match(certificate: string, key: string): Promise<boolean>;
}
