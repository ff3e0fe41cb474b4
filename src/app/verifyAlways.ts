/** A variable in splunkd's environment must not disable TLS verification of all clients. */
export function verifyAlways(): void {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
}
