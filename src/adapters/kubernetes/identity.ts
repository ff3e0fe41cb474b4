import { readFile } from 'node:fs/promises';
import { hostBinding } from '../../domain/net/url.ts';
import { EngineFailure, type KubernetesTarget } from '../../ports/engines/containerEngine.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { AwsOptions } from '../aws/session.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { ClusterAccess } from './client.ts';

const POD_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface IdentityParts {
  outbound: Outbound;
  aws: AwsOptions;
  /** Folder of the pod's service account; set by tests only. */
  podFolder?: string | undefined;
}

/** Names of the API server inside its own cluster. */
const API_SERVER_NAMES = /^kubernetes\.default(\.svc(\.cluster\.local)?)?$/;

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
  const folder = parts.podFolder ?? POD_FOLDER;
  if (identity.mode === 'pod') return podAccess(target, folder);
  const { url, ca } = await resolveAddress(target, folder);
  switch (identity.mode) {
    case 'certificate':
      return { url, ca, clientCertificate: { cert: identity.cert, key: identity.key } };
    case 'token':
      return { url, ca, token: identity.token };
    case 'login': {
      const { loginToken } = await import('./login.ts');
      return { url, ca, token: await loginToken(parts.outbound, { url, ca }, identity, deadline) };
    }
  }
}

/** The pod's token must only reach its own API server, so the address and CA come from the pod, not the connection. */
async function podAccess(target: KubernetesTarget, folder: string): Promise<ClusterAccess> {
  const url = podApiAddress();
  if (url === undefined) throw notInPod();
  if (target.url !== undefined && !isSameServer(target.url, url)) {
    throw new EngineFailure(
      'configuration_invalid',
      "The pod's own account may only be used for the API server of its own cluster. Remove cluster_url, or set service_account_token.",
    );
  }
  const [token, ca] = await Promise.all([podFile(folder, 'token'), podFile(folder, 'ca.crt')]);
  return { url, ca, token: token.trim() };
}

function isSameServer(configured: string, current: string): boolean {
  const [asked, ours] = [hostBinding(configured), hostBinding(current)];
  if (!asked.secure) return false;
  if (API_SERVER_NAMES.test(asked.host)) return true;
  return asked.host === ours.host && asked.port === ours.port;
}

function podApiAddress(): string | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
  return host && port ? `https://${host.includes(':') ? `[${host}]` : host}:${port}` : undefined;
}

const notInPod = () =>
  new EngineFailure('configuration_invalid', "in_cluster_mode is '1', but the platform does not run in a pod");

async function resolveAddress(
  target: KubernetesTarget,
  folder: string,
): Promise<{ url: string; ca: string | undefined }> {
  if (!target.inCluster) return { url: target.url ?? '', ca: target.ca };
  const podAddress = podApiAddress();
  const url = target.url ?? podAddress;
  if (url === undefined) throw notInPod();
  return { url, ca: target.ca ?? (url === podAddress ? await podFile(folder, 'ca.crt') : undefined) };
}

/** Read at each use, since the cluster rotates the token. */
async function podFile(folder: string, name: string): Promise<string> {
  try {
    return await readFile(`${folder}/${name}`, 'utf8');
  } catch (cause) {
    throw new EngineFailure('configuration_invalid', `The pod's own account cannot be read (${name})`, { cause });
  }
}
