import { OutboundError } from '../../contract/outbound.ts';
import type { ClusterIdentity, KubernetesTarget } from '../../ports/containerEngine.ts';
import type { Deadline } from '../../ports/deadline.ts';
import type { AwsIdentity } from '../aws/clients.ts';
import { type AwsOptions, AwsSession } from '../aws/session.ts';
import type { ClusterAccess } from './identity.ts';

type Cloud = Extract<ClusterIdentity, { mode: 'cloud' }>;

const CLUSTER_HEADER = 'x-k8s-aws-id';
const EXPIRES_S = 60;

/** Endpoint and CA as given, else from the cluster's description; the token is a signed statement of who we are. */
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
  const identity = await session.send('sts', async (client) => client.config.credentials());
  const token = await identityToken(cloud.region, cloud.clusterName, identity);
  if (target.url !== undefined && target.ca !== undefined) return { url: target.url, ca: target.ca, token };
  const { cluster } = await session.send('eks', async (client, send) => {
    const { DescribeClusterCommand } = await import('@aws-sdk/client-eks');
    return client.send(new DescribeClusterCommand({ name: cloud.clusterName }), send);
  });
  const url = target.url ?? cluster?.endpoint;
  if (url === undefined) throw new OutboundError('configuration_invalid', 'The cluster has no endpoint (yet)');
  const data = cluster?.certificateAuthority?.data;
  return { url, ca: target.ca ?? (data ? Buffer.from(data, 'base64').toString('utf8') : undefined), token };
}

/** A presigned GetCallerIdentity for one cluster, as its authenticator wants it. */
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
  // The header has to be signed as a header: moved into the query, the cluster would not find it.
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
