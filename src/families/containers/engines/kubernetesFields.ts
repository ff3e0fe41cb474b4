import { REGION_PATTERN } from '../../../contract/schemas/awsSyntax.ts';
import { splitList } from '../../../contract/settings/settings.ts';
import { plainUrlProblem } from '../../../domain/net/url.ts';
import { type FieldTable, flagOf, host, matching, oneOf, type SecretTable } from './field.ts';
import { annotationProblem } from './ingressAnnotations.ts';

export const AUTH_MODES = ['cert-key', 'user-token', 'user-login', 'cloud-iam', 'service-account'] as const;
const SERVICE_TYPES = ['ingress', 'nodeport', 'loadbalancer'] as const;

const POD_SECURITY = ['default', 'restricted', 'openshift'] as const;

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

export const KUBERNETES_FIELDS = {
  auth_mode: {
    about:
      'How the app shows the cluster who it is: client certificate, bearer token, user and password, role in the cloud, or token of a service account',
    ...oneOf(AUTH_MODES, 'KubernetesAuthMode'),
  },
  cluster_url: {
    about: "Address of the cluster's API; not needed inside the cluster, and found by its name for cloud-iam",
    rule: plainUrlProblem,
  },
  user_name: { about: 'Name of the user, for auth_mode user-login' },
  cloud_cluster_name: {
    about: 'Name of the cluster in the cloud, for auth_mode cloud-iam',
    ...matching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, 'the name of a cluster'),
  },
  cloud_access_key_id: {
    about: "Access key id, for auth_mode cloud-iam; without keys, the instance's own role is used",
  },
  cloud_region_name: {
    about: 'Region of the cloud, for auth_mode cloud-iam',
    ...matching(new RegExp(REGION_PATTERN), 'the name of a region, such as eu-west-1'),
  },
  image_pull_secrets: {
    about: 'Secrets of the namespace that images are pulled with: their names, comma-separated, or None',
    rule: (value) =>
      value === 'None' || splitList(value).every((name) => SUBDOMAIN.test(name))
        ? undefined
        : "must be 'None' or names of secrets, comma-separated",
  },
  in_cluster_mode: {
    about: "'1': the platform runs as a pod of the cluster",
    ...flagOf('0', '1'),
  },
  namespace: {
    about: 'Namespace that everything is made in; it has to exist',
    ...matching(LABEL, 'the name of a namespace: lower-case letters, digits and -'),
  },
  pod_security: {
    about:
      "Security of pods: 'restricted' fits the restricted Pod Security Standard (no root, no capabilities, seccomp), 'openshift' its SCC, which gives user and group itself",
    ...oneOf(POD_SECURITY, 'PodSecurity'),
  },
  storage_class: {
    about: "Storage class of the volume for /srv; the cluster's default class unless given",
    ...matching(SUBDOMAIN, 'the name of a storage class'),
  },
  service_type: {
    about: 'How containers are reached from outside the cluster',
    ...oneOf(SERVICE_TYPES, 'KubernetesServiceType'),
  },
  ingress_host_pattern: {
    about: 'Host of an ingress: * stands for <name>-<port>; {name}, {port} and {namespace} may be used too',
    rule: hostPattern,
  },
  ingress_annotations: {
    about: 'Annotations of ingresses: a JSON object, as a text',
    rule: annotationProblem,
    isLong: true,
  },
  node_port_hostname_internal: {
    about: 'Host at which the platform reaches node ports; that of cluster_url unless given',
    rule: host,
  },
  node_port_hostname_external: {
    about: 'Host at which browsers reach node ports; node_port_hostname_internal unless given',
    rule: host,
  },
} as const satisfies FieldTable;

export const KUBERNETES_SECRETS = {
  user_token: 'Bearer token, for auth_mode user-token',
  user_password: 'Password of the user, for auth_mode user-login',
  cloud_secret_access_key: 'Secret access key, for auth_mode cloud-iam',
  service_account_token:
    "Token of the service account, for auth_mode service-account; the pod's own inside the cluster",
} as const satisfies SecretTable;

/** Without a placeholder all models would share one host. */
function hostPattern(value: string): string | undefined {
  const plain = value.replaceAll('*', 'x').replaceAll(/\{(name|port|namespace)\}/g, 'x');
  if (!SUBDOMAIN.test(plain))
    return 'must be a host name, lower case, with the placeholders *, {name}, {port}, {namespace}';
  return value.includes('*') || value.includes('{name}')
    ? undefined
    : 'must contain * or {name}, since each model needs a separate host';
}
