import { isDeepStrictEqual } from 'node:util';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { isWithin } from '../../domain/net/certificates.ts';
import { displayUrl, type HostBinding, hostBinding } from '../../domain/net/url.ts';
import type { ClusterIdentity, KubernetesTarget } from '../../ports/engines/containerEngine.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { AwsIdentity } from '../aws/clients.ts';
import { type AwsOptions, AwsSession } from '../aws/session.ts';
import type { ClusterAccess } from './client.ts';

type Cloud = Extract<ClusterIdentity, { mode: 'cloud' }>;

const CLUSTER_HEADER = 'x-k8s-aws-id';
const EXPIRES_S = 60;

/**
 * The token authenticates us at the cluster, so it is only sent to the endpoint in the cloud's description of the cluster,
 * never to an address from the connection alone.
 */
export async function cloudAccess(
  target: KubernetesTarget,
  cloud: Cloud,
  options: AwsOptions,
  deadline: Deadline,
): Promise<ClusterAccess> {
  using session = new AwsSession(
    options,
    { region: cloud.region, ...(cloud.keys ? { keys: cloud.keys } : {}) },
    deadline,
  );
  const { cluster } = await session.send('eks', async (client, send) => {
    const { DescribeClusterCommand } = await import('@aws-sdk/client-eks');
    return client.send(new DescribeClusterCommand({ name: cloud.clusterName }), send);
  });
  const data = cluster?.certificateAuthority?.data;
  const described = { url: cluster?.endpoint, ca: data ? Buffer.from(data, 'base64').toString('utf8') : undefined };
  const { url, ca } = verifiedEndpoint(target, cloud, described);
  const identity = await session.send('sts', async (client) => client.config.credentials());
  return { url, ca, token: await identityToken(cloud.region, cloud.clusterName, identity) };
}

interface ClusterAddress {
  url: string | undefined;
  ca: string | undefined;
}

/** @throws OutboundError `configuration_invalid` when the connection contradicts the description */
export function verifiedEndpoint(
  target: Pick<KubernetesTarget, 'url' | 'ca'>,
  cloud: Pick<Cloud, 'clusterName' | 'keys'>,
  described: ClusterAddress,
): { url: string; ca: string | undefined } {
  const wrong = (message: string) => new OutboundError('configuration_invalid', message);
  const { url } = described;
  if (url === undefined) throw wrong('The cluster has no endpoint yet');
  const endpoint = bindingOf(url);
  if (!endpoint?.secure) throw wrong('The endpoint in the description of the cluster is not an https address');
  if (target.url !== undefined && !isDeepStrictEqual(bindingOf(target.url), endpoint)) {
    throw wrong(
      `cluster_url is not the endpoint of the cluster ${cloud.clusterName}: leave it out, or give ${displayUrl(url)}`,
    );
  }
  // The connection's keys are bound to its CA like every secret; the machine's identity is only protected by this check.
  if (target.ca !== undefined && !cloud.keys && described.ca !== undefined && !isWithin(target.ca, described.ca)) {
    throw wrong(`cluster_ca is not the authority of the cluster ${cloud.clusterName}: leave it out`);
  }
  return { url, ca: target.ca ?? described.ca };
}

function bindingOf(address: string): HostBinding | undefined {
  try {
    return hostBinding(address);
  } catch {
    return undefined;
  }
}

/** A presigned GetCallerIdentity in the form that the EKS authenticator expects. */
export async function identityToken(
  region: string,
  clusterName: string,
  credentials: AwsIdentity,
  signingDate = new Date(),
): Promise<string> {
  const [{ Sha256 }, { SignatureV4 }] = await Promise.all([
    import('@aws-crypto/sha256-js'),
    import('@smithy/signature-v4'),
  ]);
  const hostname = `sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const signer = new SignatureV4({ service: 'sts', region, credentials, sha256: Sha256 });
  const request = {
    method: 'GET',
    protocol: 'https:',
    hostname,
    path: '/',
    query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
    headers: { host: hostname, [CLUSTER_HEADER]: clusterName },
  };
  // The authenticator only accepts the cluster name as a signed header, not in the query.
  const signed = await signer.presign(request, {
    expiresIn: EXPIRES_S,
    unhoistableHeaders: new Set([CLUSTER_HEADER]),
    signingDate,
  });
  const query = Object.entries(signed.query ?? {}).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  const url = `https://${hostname}${signed.path}?${query.join('&')}`;
  return `k8s-aws-v1.${Buffer.from(url).toString('base64url')}`;
}
