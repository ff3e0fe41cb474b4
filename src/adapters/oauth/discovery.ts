import { OutboundError } from '../../contract/codes/outbound.ts';
import { isLoopbackHost, plainUrlProblem } from '../../domain/net/url.ts';
import type { TokenEndpoint } from '../../ports/oauth/oauthTokenClient.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Trust } from '../outbound/agents.ts';
import type { Outbound } from '../outbound/outbound.ts';

const MAX_METADATA_BYTES = 256 * 1024;
/** A resource may name several authorization servers. */
const MAX_SERVERS = 3;

type Document = Record<string, unknown>;

export interface DiscoveryRequest {
  outbound: Pick<Outbound, 'request'>;
  mcpUrl: URL;
  resourceMetadataUrl: string | undefined;
  trust: Trust;
  deadline: Deadline;
}

/**
 * Tries RFC 9728, then RFC 8414 and OpenID metadata, then metadata on the MCP host (published before RFC 9728).
 * The result receives a refresh token, so the resource must match the MCP URL, the issuer must match its address, and the
 * endpoint must use https.
 */
export async function discoverTokenEndpoint(request: DiscoveryRequest): Promise<TokenEndpoint> {
  const { mcpUrl } = request;
  const reader = createReader(request);
  for (const address of resourceMetadataAddresses(mcpUrl, request.resourceMetadataUrl)) {
    const resource = await reader.read(address);
    if (resource === undefined || !coversResource(resource.resource, mcpUrl)) continue;
    for (const issuer of textList(resource.authorization_servers).slice(0, MAX_SERVERS)) {
      for (const metadataUrl of await serverMetadataAddresses(issuer)) {
        const server = await reader.read(metadataUrl);
        if (server === undefined || !sameIssuer(server.issuer, issuer)) continue;
        const endpoint = endpointOf(server, mcpUrl);
        if (endpoint !== undefined) return endpoint;
      }
    }
  }
  for (const address of await hostMetadataAddresses(mcpUrl)) {
    const hostMetadata = await reader.read(address);
    const endpoint = hostMetadata === undefined ? undefined : endpointOf(hostMetadata, mcpUrl);
    if (endpoint !== undefined) return endpoint;
  }
  throw (
    reader.firstFailure() ??
    new OutboundError(
      'configuration_invalid',
      'The MCP server publishes no usable OAuth metadata. Set details.token_url to the token endpoint.',
    )
  );
}

function createReader({ outbound, mcpUrl, trust, deadline }: DiscoveryRequest) {
  let failure: OutboundError | undefined;
  return {
    /** Undefined if missing, not JSON, not allowed or unreachable; the first failure is remembered. */
    async read(address: string): Promise<Document | undefined> {
      if (!mayCall(address, mcpUrl)) return undefined;
      try {
        const { verifyTls, caCertificate } = trust;
        const answer = await outbound.request({
          method: 'GET',
          url: address,
          headers: { accept: 'application/json' },
          deadline,
          verifyTls,
          caCertificate,
          keepDefaultAnchors: true,
          maxBytes: MAX_METADATA_BYTES,
        });
        return answer.status === 200 ? asDocument(answer.text) : undefined;
      } catch (error) {
        if (!(error instanceof OutboundError) || error.code === 'timeout') throw error;
        // A redirect or an oversized page means that nothing is published here.
        if (error.code !== 'upstream_error') failure ??= error;
        return undefined;
      }
    },
    firstFailure: () => failure,
  };
}

/** https, or http to this machine if the MCP server is on this machine as well. */
export function mayCall(address: string, mcpUrl: URL | undefined): boolean {
  if (plainUrlProblem(address) !== undefined) return false;
  const url = new URL(address);
  if (url.protocol === 'https:') return true;
  return isLoopbackHost(url) && (mcpUrl === undefined || isLoopbackHost(mcpUrl));
}

function resourceMetadataAddresses(mcpUrl: URL, named: string | undefined): string[] {
  const base = `${mcpUrl.origin}/.well-known/oauth-protected-resource`;
  const path = mcpUrl.pathname.replace(/\/$/, '');
  return [...new Set([...(named === undefined ? [] : [named]), ...(path === '' ? [] : [base + path]), base])];
}

/** RFC 8414 puts the well-known part before the path, OpenID after it; servers do both. */
async function serverMetadataAddresses(issuer: string): Promise<string[]> {
  if (plainUrlProblem(issuer) !== undefined) return [];
  const { buildDiscoveryUrls } = await import('@modelcontextprotocol/client');
  return buildDiscoveryUrls(issuer).map(({ url }) => url.href);
}

/** Metadata on the MCP host itself, of its path and of its root. */
async function hostMetadataAddresses({ origin, pathname }: URL): Promise<string[]> {
  const path = pathname.replace(/\/$/, '');
  const withPath = path === '' ? [] : await serverMetadataAddresses(`${origin}${path}`);
  return [...withPath, `${origin}/.well-known/oauth-authorization-server`];
}

/** RFC 9728 section 3.3: a document for another or an unnamed resource must not be used. */
function coversResource(resource: unknown, mcpUrl: URL): boolean {
  const named = typeof resource === 'string' ? URL.parse(resource) : null;
  if (named === null || named.origin !== mcpUrl.origin) return false;
  const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);
  return withSlash(mcpUrl.pathname).startsWith(withSlash(named.pathname));
}

function sameIssuer(published: unknown, expected: string): boolean {
  const plain = (issuer: string): string => issuer.replace(/\/$/, '');
  return typeof published === 'string' && plain(published) === plain(expected);
}

function endpointOf(server: Document, mcpUrl: URL): TokenEndpoint | undefined {
  const url = server.token_endpoint;
  if (typeof url !== 'string' || !mayCall(url, mcpUrl)) return undefined;
  const methods = textList(server.token_endpoint_auth_methods_supported);
  const onlyBasic = methods.includes('client_secret_basic') && !methods.includes('client_secret_post');
  return { url, clientAuthentication: onlyBasic ? 'client_secret_basic' : 'client_secret_post' };
}

export function asDocument(text: string): Document | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Document) : undefined;
  } catch {
    return undefined;
  }
}

function textList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
