/** Reads certificates and keys given as PEM, base64 of PEM, or a path in an allowed folder. */
export interface Certificates {
  /** `pem` has each certificate before its issuer. Undefined when the text has none of the three forms. */
  read(text: string): Promise<{ pem: string; expiresAt: number } | undefined>;
  /** Undefined when the text has none of the three forms. */
  readKey(text: string): Promise<string | undefined>;
  /** Whether a private key belongs to the first certificate (both PEM). */
  match(certificate: string, key: string): Promise<boolean>;
}
