import type { Problem } from '../../../contract/faults.ts';
import { confBoolean } from '../../../contract/flags.ts';
import { isHost } from '../../../domain/hosts.ts';
import { plainUrlProblem, UrlProblem } from '../../../domain/url.ts';
import {
  AUTH_MODES,
  type ContainerType,
  type Fields,
  OPEN_NAMES,
  type OpenField,
  SERVICE_TYPES,
  type SecretField,
} from '../fields.ts';
import { dockerAddress, logEndpoint } from './addresses.ts';
import { annotationProblem } from './annotations.ts';

/** A connection as it would be: its open fields, and the names of the secrets that it would have. */
export interface Candidate {
  type: ContainerType;
  fields: Fields;
  secrets: readonly string[];
  /** Annotations that the administrator lets pass. */
  allowed: readonly string[];
  /** Only a part of it is known: what is absent is not missed. */
  partly?: boolean;
}

type Field = OpenField | SecretField;
type Rule = (value: string, allowed: readonly string[]) => string | undefined;

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const REGION = /^[a-z]{2,5}(-[a-z0-9]{2,}){1,3}-\d{1,2}$/;

const oneOf =
  (values: readonly string[]): Rule =>
  (value) =>
    values.includes(value) ? undefined : `must be one of ${values.join(', ')}`;
const matching =
  (pattern: RegExp, what: string): Rule =>
  (value) =>
    pattern.test(value) ? undefined : `must be ${what}`;
const flag: Rule = (value) => (confBoolean(value) === undefined ? "must be 'true' or 'false'" : undefined);
const host: Rule = (value) => (isHost(value) ? undefined : 'must be a host name or an IP address');
const address =
  (parse: (text: string) => unknown): Rule =>
  (value) => {
    try {
      parse(value);
      return undefined;
    } catch (error) {
      if (error instanceof UrlProblem) return error.message;
      throw error;
    }
  };

const RULES: { [K in OpenField]?: Rule } = {
  docker_url: address(dockerAddress),
  container_enable_https: oneOf(['true', 'false']),
  endpoint_hostname: host,
  endpoint_hostname_external: host,
  docker_network: matching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/, 'the name of a Docker network'),
  docker_logging_endpoint_hostname: address(logEndpoint),
  auth_mode: oneOf(AUTH_MODES),
  cluster_url: plainUrlProblem,
  cloud_region_name: matching(REGION, 'the name of a region, such as eu-west-1'),
  cloud_cluster_name: matching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, 'the name of a cluster'),
  image_pull_secrets: (value) =>
    value === 'None' || namesOf(value).every((name) => SUBDOMAIN.test(name))
      ? undefined
      : "must be 'None' or names of secrets, comma-separated",
  in_cluster_mode: oneOf(['0', '1']),
  namespace: matching(LABEL, 'the name of a namespace: lower-case letters, digits and -'),
  storage_class: matching(SUBDOMAIN, 'the name of a storage class'),
  service_type: oneOf(SERVICE_TYPES),
  ingress_host_pattern: hostPattern,
  ingress_annotations: annotationProblem,
  node_port_hostname_internal: host,
  node_port_hostname_external: host,
  obs_enabled: flag,
  obs_otel_endpoint: plainUrlProblem,
  platform_access_enabled: flag,
  platform_access_host: host,
  platform_access_port: (value) =>
    /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535 ? undefined : 'must be a port, 1 to 65535',
  platform_ingest_enabled: flag,
  platform_ingest_url: plainUrlProblem,
  endpoint_cert_check_hostname: flag,
};

export const namesOf = (list: string): string[] => {
  const names = list.split(',').map((name) => name.trim());
  return names.filter(Boolean);
};

/** Without a part that changes with the model all models would share one host. */
function hostPattern(value: string): string | undefined {
  const plain = value.replaceAll('*', 'x').replaceAll(/\{(name|port|namespace)\}/g, 'x');
  if (!SUBDOMAIN.test(plain))
    return 'must be a host name, lower case, with the placeholders *, {name}, {port}, {namespace}';
  return value.includes('*') || value.includes('{name}')
    ? undefined
    : 'must contain * or {name}: models need hosts of their own';
}

/** PEM and base64 of it are the long ones; no address, name or list is as long as this. */
const LONGEST = 4096;
const LONG: readonly string[] = ['cluster_ca', 'client_cert', 'endpoint_cert_filename_or_path', 'ingress_annotations'];

/** What is wrong with values of their own, whatever else the connection has. */
export function valueProblems(fields: Fields, allowed: readonly string[]): Problem[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    if (value === undefined) return [];
    // Before any pattern sees it.
    if (value.length > LONGEST && !LONG.includes(field)) {
      return [{ field, message: `must be at most ${LONGEST} characters` }];
    }
    const message = RULES[field as OpenField]?.(value, allowed);
    return message ? [{ field, message }] : [];
  });
}

/** Everything about a connection that can be told without reading a file or asking an engine. */
export function connectionProblems({ type, fields, secrets, allowed, partly = false }: Candidate): Problem[] {
  const own = Object.fromEntries(OPEN_NAMES.map((name) => [name, fields[name]])) as Fields;
  const problems = valueProblems(own, allowed);
  if (partly) return problems;
  const has = (field: Field) => fields[field as OpenField] !== undefined || secrets.includes(field);
  const need = (field: Field, why: string) => {
    if (!has(field)) problems.push({ field, message: `is required ${why}` });
  };
  if (type === 'docker') need('docker_url', 'for docker');
  else clusterNeeds(fields, has, need, problems);
  if (type === 'docker' && has('client_key') !== has('client_cert')) {
    need('client_cert', 'with client_key');
    need('client_key', 'with client_cert');
  }
  if (has('docker_logging_endpoint_hostname')) need('docker_logging_platform_token', 'for the log driver');
  return problems;
}

function clusterNeeds(
  fields: Fields,
  has: (field: Field) => boolean,
  need: (field: Field, why: string) => void,
  problems: Problem[],
): void {
  const { auth_mode: mode } = fields;
  need('auth_mode', `for kubernetes: ${AUTH_MODES.join(', ')}`);
  const inside = fields.in_cluster_mode === '1';
  // The description of a cloud's cluster tells its address.
  if (!inside && mode !== 'cloud-iam') need('cluster_url', "unless in_cluster_mode is '1'");
  // Both would show who the machine itself is, to whoever listens.
  const isOwnIdentity = mode === 'cloud-iam' || (mode === 'service-account' && !has('service_account_token'));
  if (isOwnIdentity && /^http:/i.test(fields.cluster_url ?? '')) {
    problems.push({ field: 'cluster_url', message: `must begin with https:// for auth_mode ${mode}` });
  }
  if (fields.service_type === 'ingress') need('ingress_host_pattern', 'for the service type ingress');
  const forMode = `for auth_mode ${mode}`;
  if (mode === 'cert-key') {
    need('client_cert', forMode);
    need('client_key', forMode);
  } else if (mode === 'user-token') {
    need('user_token', forMode);
  } else if (mode === 'user-login') {
    need('user_name', forMode);
    need('user_password', forMode);
  } else if (mode === 'cloud-iam') {
    need('cloud_cluster_name', forMode);
    need('cloud_region_name', forMode);
    if (has('cloud_access_key_id')) need('cloud_secret_access_key', 'with cloud_access_key_id');
    if (has('cloud_secret_access_key')) need('cloud_access_key_id', 'with cloud_secret_access_key');
  } else if (mode === 'service-account' && !inside) {
    need('service_account_token', `${forMode} outside the cluster`);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNSENDABLE = /[\u0000-\u001f\u007f]/;

/** Secrets become headers and environment variables: a line break inside one would end it. Keys are text of several lines. */
export function secretProblems(given: Readonly<Record<string, string | null>>): Problem[] {
  return Object.entries(given)
    .filter(([name, value]) => name !== 'client_key' && value !== null && UNSENDABLE.test(value))
    .map(([field]) => ({ field, message: 'must not contain control characters or line breaks' }));
}
