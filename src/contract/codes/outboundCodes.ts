import type { OutboundCode } from './outbound.ts';

/** @see Code */
interface OutboundText {
  status?: number;
  gatewayStatus?: number;
  when: string;
  remedy: string;
  see?: string;
}

/** The status applies when the whole request fails, not a test. The default is 502, never the upstream's own status. */
export const OUTBOUND: Readonly<Record<OutboundCode, OutboundText>> = {
  dns_failed: {
    when: 'The host name cannot be resolved on the machine that runs splunkd.',
    remedy:
      'Check the spelling, and run `getent hosts <name>` on that machine. Behind a proxy, set [outbound] proxy_url.',
  },
  connection_refused: {
    when: 'No server listens at this address and port, or there is no route to it.',
    remedy: 'Check that the server runs, listens on an external interface, and is not blocked by a firewall.',
  },
  connection_reset: {
    when: 'The connection was closed before an answer arrived.',
    remedy:
      'Check for a proxy or load balancer in between, and that the URL uses https if the server does. Then try again.',
  },
  timeout: {
    status: 504,
    when: 'The server did not answer in time.',
    remedy:
      'Check with `curl -v` that the machine that runs splunkd reaches the server; a firewall may drop packets. For language models, raise `request_timeout`.',
  },
  tls_untrusted: {
    when: 'The certificate is not signed by a trusted authority.',
    remedy:
      "Set the authority's PEM in `ca_certificate` (for container engines `cluster_ca`) of the connection, or for all drivers in NODE_EXTRA_CA_CERTS.",
  },
  tls_hostname_mismatch: {
    when: 'The certificate is for another host name.',
    remedy: 'Use the host name in the certificate instead of an address or alias.',
  },
  tls_expired: {
    when: 'The certificate has expired, or is not valid yet.',
    remedy: 'Renew the certificate, and check the clocks of both machines.',
  },
  tls_protocol: {
    when: 'The port does not use TLS, or supports no common TLS version.',
    remedy: 'Check the port, and whether it uses http instead of https. TLS 1.2 or newer is required.',
  },
  blocked_by_policy: {
    when: 'The outbound policy blocks this address. Link-local and metadata addresses are always blocked, private ones with allow_private = 0.',
    remedy: 'Use another address, or ask an administrator to allow private addresses.',
    see: 'administration.md#calls-to-other-servers',
  },
  auth_failed: {
    when: 'The server rejected the credentials.',
    remedy:
      'Create a new key or token at the server (for AgentCore: the AWS keys in the password storage; for container engines perhaps a client certificate), save it in the connection, and test the connection. Check also that it has not expired, and belongs to this server, account and region.',
  },
  permission_denied: {
    when: 'The credentials are valid, but do not have permission for this.',
    remedy: 'Grant the credentials access to the model, server, region or role.',
  },
  rate_limited: {
    status: 429,
    when: 'The server limits the rate of requests. `retry_after` has the seconds to wait, if the server sent them.',
    remedy: 'Wait `retry_after` seconds, or a minute without it, then try again.',
  },
  quota_exceeded: {
    gatewayStatus: 429,
    when: 'The quota or credit is used up.',
    remedy: 'Check your account with the provider.',
  },
  model_not_found: {
    gatewayStatus: 404,
    when: 'The provider does not have the model.',
    remedy:
      'Use a model that the server lists (`refresh_models`). Azure expects the deployment name, Ollama a pulled model.',
  },
  model_not_invokable: {
    when: 'The model exists, but does not support this kind of call.',
    remedy: 'On Bedrock, use the id of an inference profile. Elsewhere, check that it is a chat model.',
  },
  bad_request: {
    gatewayStatus: 400,
    when: 'The server rejected the request. The message has its reason.',
    remedy: 'Check the parameter or API version named in the message.',
  },
  context_length_exceeded: {
    status: 400,
    when: 'The prompt is longer than the model allows, or leaves too little room for the answer.',
    remedy: 'Send less text or fewer messages, lower max_tokens, or use a model with a longer context.',
  },
  content_filtered: {
    status: 400,
    when: "The provider's content filter refused the prompt.",
    remedy: 'Change the prompt, or the filter in the account with the provider.',
  },
  invalid_structured_output: {
    when: "The model's answer does not match the JSON schema of the request, also when asked again. The message names the first problems.",
    remedy: 'Simplify the schema, describe its fields, raise max_tokens, or use a model that supports schemas.',
  },
  not_supported: {
    gatewayStatus: 400,
    when: 'The server does not support this.',
    remedy: 'Use a feature that the server supports; some have no list of models or tools.',
  },
  upstream_error: {
    when: 'The server or proxy answered with an error, a redirect, an invalid response or more than 8 MiB. The message has the reason.',
    remedy:
      'Check the path of the URL. For a redirect the message has the new URL, for a 407 where to set the proxy credentials.',
  },
  configuration_invalid: {
    gatewayStatus: 400,
    when: 'A value in the record or in a setting is missing or invalid. Nothing was sent.',
    remedy: 'Correct the value named in the message.',
  },
};
