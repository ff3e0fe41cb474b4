import { displayUrl } from '../../../domain/net/url.ts';
import { headersIn } from '../../../domain/secrets/secretHeaders.ts';
import type { McpTarget } from '../../../ports/mcp/mcpClient.ts';
import type { Target } from '../../../resources/target.ts';
import type { McpStored } from '../records.ts';
import { HEADERS } from '../rules.ts';

export function serverOf({ record: { details }, secrets, hidden, saved }: Target<McpStored>): McpTarget {
  return {
    url: details.url,
    token: secrets['details/token'],
    headers: headersIn(HEADERS, secrets),
    verifyTls: details.verify_tls,
    caCertificate: details.ca_certificate,
    transportHint: saved?.transport_detected,
    secrets: hidden,
  };
}

/** The fields of a reply that identify the server. */
export function describeTarget({ record: { type, details }, saved }: Target<McpStored>, responseTimeMs: number) {
  return {
    mcp_name: saved?.name ?? null,
    mcp_type: type,
    mcp_server_url: displayUrl(details.url),
    response_time_ms: Math.round(responseTimeMs),
  };
}
