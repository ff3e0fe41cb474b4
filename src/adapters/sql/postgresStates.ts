import type { OutboundCode } from '../../contract/codes/outbound.ts';

/** Codes by SQLSTATE, the longest that fits. */
const STATES: Readonly<Record<string, OutboundCode>> = {
  // Invalid authorization.
  '28': 'auth_failed',
  // No such database.
  '3D': 'configuration_invalid',
  // A role that may not connect or read.
  '42501': 'permission_denied',
  // Cancelled, by the limit of the statement's time.
  '57014': 'timeout',
  // The server is going down or starting.
  '57P': 'upstream_error',
  '53300': 'rate_limited',
  '53': 'upstream_error',
  '0A': 'not_supported',
  '22': 'bad_request',
  '23': 'bad_request',
  '42': 'bad_request',
  '55P03': 'timeout',
};

export function codeOfState(state: string): OutboundCode {
  for (let length = state.length; length >= 2; length -= 1) {
    const code = STATES[state.slice(0, length)];
    if (code) return code;
  }
  return 'upstream_error';
}
