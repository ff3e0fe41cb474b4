/**
 * A variable that somebody has left in the environment of splunkd must not switch off the verification of certificates: it
 * would reach every client that does not say how it verifies, libraries' own among them.
 */
export function verifyAlways(): void {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
}
