import { splitList } from '../../../contract/settings/settings.ts';
import { plainHost } from '../../../domain/net/url.ts';
import type { KubernetesPart } from '../../../ports/engines/containerEngine.ts';
import { addressWithoutScheme, baseUrl, tryOrUndefined } from './addressParts.ts';
import type { EngineKind, Hosts, WorkloadInput } from './engineKind.ts';
import type { Fields } from './fields.ts';
import { KUBERNETES_FIELDS, KUBERNETES_SECRETS } from './kubernetesFields.ts';
import { checkIdentity, clusterIdentity, endingCredentials } from './kubernetesIdentity.ts';

/** A namespace of a Kubernetes cluster. */
export const kubernetes: EngineKind = {
  fields: KUBERNETES_FIELDS,
  secrets: KUBERNETES_SECRETS,
  defaults: {
    image_pull_secrets: 'None',
    in_cluster_mode: '0',
    namespace: 'default',
    pod_security: 'default',
    service_type: 'nodeport',
  },
  check: checkIdentity,
  addresses,
  receives: {
    node_port_hostname_internal: ['api_token'],
    ingress_host_pattern: ['api_token'],
    // The environment of containers; the cluster's credentials stay outside the namespace.
    namespace: ['api_token', 'jupyter_passwd', 'obs_access_token', 'platform_access_token', 'platform_ingest_token'],
    cloud_region_name: ['cloud_secret_access_key'],
  },
  isVerified: ({ cluster_url = '' }) => !/^http:/i.test(cluster_url),
  credentials: ({ auth_mode }) => endingCredentials(auth_mode),
  location(fields) {
    const { cluster_url: url, auth_mode: mode } = fields;
    return {
      address: url === undefined ? undefined : (tryOrUndefined(() => addressWithoutScheme(url)) ?? url),
      in_cluster_mode: fields.in_cluster_mode,
      namespace: fields.namespace,
      // Another auth mode with the same address is the same cluster.
      cloud: mode === 'cloud-iam' && url === undefined ? clusterAddress(fields) : undefined,
    };
  },
  reach(fields, https) {
    const byField = addresses(fields, https);
    const hosts = [
      byField.endpoint_hostname,
      byField.cluster_url,
      byField.node_port_hostname_internal,
      byField.ingress_host_pattern,
    ];
    // The first entry is Docker's: stored records have this format.
    return [undefined, ...hosts, byField.namespace, clusterAddress(fields), fields.service_type];
  },
  target: (fields, secrets, tls, server) => ({
    cluster: 'kubernetes',
    ...(fields.cluster_url ? { url: fields.cluster_url } : {}),
    ...(tls.ca ? { ca: tls.ca } : {}),
    namespace: fields.namespace ?? 'default',
    ...(fields.storage_class ? { storageClass: fields.storage_class } : {}),
    inCluster: fields.in_cluster_mode === '1',
    ingress: fields.service_type === 'ingress',
    identity: clusterIdentity(fields, secrets, tls, server),
  }),
  hosts,
  workloadPart: (input) => ({ kubernetes: workloadPart(input) }),
  autoscales: true,
  inventory: {
    reads: ['cluster_url'],
    shows: {
      cluster_url: {
        type: 'string',
        description: "Of kubernetes: address of the cluster's API; empty inside the cluster",
      },
    },
    // Empty for a pod of the cluster.
    entry: ({ cluster_url = '' }) => ({ cluster_url }),
  },
};

function addresses(fields: Fields, https: boolean) {
  const cluster = clusterAddress(fields);
  const pattern = fields.ingress_host_pattern?.replaceAll('*', 'any').replaceAll(/[{}]/g, '');
  const isCloud = fields.auth_mode === 'cloud-iam';
  return {
    cluster_url: cluster,
    // Without node_port_hostname_internal the token goes to the cluster's host.
    node_port_hostname_internal: baseUrl(fields.node_port_hostname_internal ?? hostOf(cluster), https),
    ingress_host_pattern: baseUrl(pattern, https),
    endpoint_hostname: baseUrl(fields.endpoint_hostname, https),
    // The environment is a Secret, readable by everyone who may read Secrets of the namespace.
    namespace: fields.namespace,
    // The region is part of the host in the signed identity, the cluster name part of the signature.
    cloud_region_name: isCloud ? fields.cloud_region_name : undefined,
    cloud_cluster_name: isCloud ? fields.cloud_cluster_name : undefined,
  };
}

/** The cluster's API: configured, the pod's, or found by the cluster's name. */
function clusterAddress(fields: Fields): string {
  if (fields.cluster_url !== undefined) return fields.cluster_url;
  if (fields.in_cluster_mode === '1') return 'in-cluster';
  return `eks ${fields.cloud_region_name} ${fields.cloud_cluster_name}`;
}

function hostOf(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  return url === null ? undefined : plainHost(url);
}

function hosts(fields: Fields): Hosts {
  const cluster = hostOf(fields.cluster_url) ?? '';
  const internal = fields.node_port_hostname_internal ?? cluster;
  return { internal, external: fields.node_port_hostname_external ?? internal };
}

function workloadPart({ fields, spec, volume }: WorkloadInput): KubernetesPart {
  const secrets = fields.image_pull_secrets ?? 'None';
  return {
    serviceType: (fields.service_type ?? 'nodeport') as KubernetesPart['serviceType'],
    ...(fields.ingress_host_pattern ? { hostPattern: fields.ingress_host_pattern } : {}),
    ingressAnnotations: JSON.parse(fields.ingress_annotations ?? '{}') as Record<string, string>,
    imagePullSecrets: secrets === 'None' ? [] : splitList(secrets),
    claim: volume,
    security: (fields.pod_security ?? 'default') as KubernetesPart['security'],
    replicas: Number(spec.min_replicas),
    ...(spec.hpa_enabled === '1'
      ? { autoscale: { max: Number(spec.max_replicas), cpuPercent: Number(spec.cpu_threshold_percent) } }
      : {}),
  };
}
