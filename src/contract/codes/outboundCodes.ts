import type { OutboundCode } from './outbound.ts';

/** What is said of a code, see `Code`. */
interface Said {
  status?: number;
  when: string;
  remedy: string;
  see?: string;
}

/** As the answer of a whole request (not of a test) these are 502 unless said otherwise: never an upstream's own status. */
export const OUTBOUND: Readonly<Record<OutboundCode, Said>> = {
  dns_failed: {
    when: 'The host name cannot be resolved on the machine that runs splunkd.',
    remedy:
      'Look for a misspelling; try `getent hosts <name>` on that machine. Behind a proxy, set [outbound] proxy_url.',
  },
  connection_refused: {
    when: 'Nothing listens at this address and port, or no route leads there.',
    remedy:
      'Check that the server runs, that it listens on more than its own loopback, and that no firewall is in between.',
  },
  connection_reset: {
    when: 'The connection was cut.',
    remedy:
      'Try again. Look for a proxy or load balancer in between, and check that you do not use http where the server speaks https: that looks like this too.',
  },
  timeout: {
    status: 504,
    when: 'The server did not answer in time.',
    remedy:
      'Check that it can be reached from the machine that runs splunkd (`curl -v`): packets that a firewall drops look like this. For language models, raise `request_timeout`.',
  },
  tls_untrusted: {
    when: 'The certificate is not signed by an authority that is trusted.',
    remedy:
      "Give the authority's PEM to the connection (`ca_certificate`), or to all drivers with NODE_EXTRA_CA_CERTS.",
  },
  tls_hostname_mismatch: {
    when: 'The certificate is for another host name.',
    remedy: 'Use the name in the certificate, not an address or an alias.',
  },
  tls_expired: {
    when: 'The certificate has expired, or is not valid yet.',
    remedy: 'Renew it, and check the clocks of both machines.',
  },
  tls_protocol: {
    when: 'The port does not speak TLS, or no version that both sides support.',
    remedy: 'Check the port, and whether it speaks http rather than https. TLS 1.2 or newer is needed.',
  },
  blocked_by_policy: {
    when: 'The address may not be called: link-local and metadata addresses never, private ones not with allow_private = 0.',
    remedy: 'Use another address, or have an administrator allow private ones.',
    see: 'administration.md#calls-to-other-servers',
  },
  auth_failed: {
    when: 'The server refused the credentials.',
    remedy:
      'Replace the key, token or password, or sign in again: it may be mistyped, expired, withdrawn, or meant for another server.',
  },
  permission_denied: {
    when: 'The credentials are valid, but do not permit this.',
    remedy: 'Have the provider permit them the model, the server, the region or the role.',
  },
  rate_limited: {
    status: 429,
    when: 'The server asked to slow down; `retry_after` tells for how many seconds, if the server said so.',
    remedy: 'Wait for `retry_after` seconds if it is given, otherwise for a minute.',
  },
  quota_exceeded: {
    when: 'The quota or the credit is used up.',
    remedy: 'Check your account with the provider: waiting seldom helps.',
  },
  model_not_found: {
    when: 'The provider does not know the model.',
    remedy:
      "Use one of those that `refresh_models` lists. For Azure it is the deployment's name, for Ollama a model that was pulled.",
  },
  model_not_invokable: {
    when: 'The model exists but cannot be called this way.',
    remedy: 'On Bedrock, use the id of an inference profile; elsewhere, check that it is a chat model.',
  },
  bad_request: {
    when: 'The server did not accept the request; its own reason is in the message.',
    remedy: 'Read the reason: often it is a parameter or an API version.',
  },
  not_supported: {
    when: 'The server does not offer this.',
    remedy: 'It may have no list of models or of tools: use what it has.',
  },
  upstream_error: {
    when: 'The server answered with an error, with a redirect, with something that is not its protocol, or with more than 8 MiB; or the proxy refused to pass the call on. The reason, without secrets, is in the message.',
    remedy:
      'Check the path of the address. After a redirect on the same host the message names the address to use; after a 407 it tells where the credentials of the proxy belong.',
  },
  configuration_invalid: {
    when: 'The record, or a setting of the site, lacks something that this call needs, or holds something that it must not; nothing was sent.',
    remedy: 'Set what the message names.',
  },
};
