import { readFile } from 'node:fs/promises';
import { EngineFailure, type KubernetesTarget } from '../../ports/containerEngine.ts';
import type { Deadline } from '../../ports/deadline.ts';
import type { AwsOptions } from '../aws/session.ts';
import type { Outbound } from '../outbound/outbound.ts';

const POD_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Where a cluster is and who we are there: the same for every auth mode. */
export interface ClusterAccess {
  url: string;
  ca: string | undefined;
  token?: string;
  clientCertificate?: { cert: string; key: string };
}

export interface IdentityParts {
  outbound: Outbound;
  aws: AwsOptions;
}

/** @throws EngineFailure, OutboundError */
export async function clusterAccess(
  target: KubernetesTarget,
  parts: IdentityParts,
  deadline: Deadline,
): Promise<ClusterAccess> {
  const { identity } = target;
  if (identity.mode === 'cloud') {
    const { cloudAccess } = await import('./cloudIdentity.ts');
    return cloudAccess(target, identity, parts.aws, deadline);
  }
  const { url, ca } = await placeOf(target);
  switch (identity.mode) {
    case 'certificate':
      return { url, ca, clientCertificate: { cert: identity.cert, key: identity.key } };
    case 'token':
      return { url, ca, token: identity.token };
    case 'pod':
      return { url, ca, token: (await podFile('token')).trim() };
    case 'login': {
      const { loginToken } = await import('./login.ts');
      return { url, ca, token: await loginToken(parts.outbound, { url, ca }, identity, deadline) };
    }
  }
}

async function placeOf(target: KubernetesTarget): Promise<{ url: string; ca: string | undefined }> {
  if (!target.inCluster) return { url: target.url ?? '', ca: target.ca };
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
  const own = host && port ? `https://${host.includes(':') ? `[${host}]` : host}:${port}` : undefined;
  const url = target.url ?? own;
  if (url === undefined) {
    throw new EngineFailure('configuration_invalid', "in_cluster_mode is '1', but the platform does not run in a pod");
  }
  return { url, ca: target.ca ?? (url === own ? await podFile('ca.crt') : undefined) };
}

/** Read anew for each piece of work: the cluster replaces the token while the pod runs. */
async function podFile(name: string): Promise<string> {
  try {
    return await readFile(`${POD_FOLDER}/${name}`, 'utf8');
  } catch (cause) {
    throw new EngineFailure('configuration_invalid', `The pod's own account cannot be read (${name})`, { cause });
  }
}
