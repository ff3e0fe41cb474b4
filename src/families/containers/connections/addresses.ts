import type { Trust } from '../../../domain/binding.ts';
import { assertPlainUrl, hostBinding, plainHost, UrlProblem } from '../../../domain/url.ts';
import type { ContainerType, Fields } from '../fields.ts';

export type DockerAddress = { socket: string } | { url: string };

/**
 * The daemon's address in one form: a socket path, or http(s) with host and port.
 * @throws UrlProblem
 */
export function dockerAddress(text: string): DockerAddress {
  const socket = /^(?:unix:\/\/)?(\/[^\0]*)$/.exec(text)?.[1] ?? /^unix:\/\/([^/\0].*)$/.exec(text)?.[1];
  if (socket !== undefined) {
    if (/[\s\\]/.test(socket))
      throw new UrlProblem('The path of a socket must not contain white space or a backslash.');
    const path = `/${socket.replace(/^\/+/, '')}`;
    if (path === '/') throw new UrlProblem('This names no socket.');
    return { socket: path };
  }
  const scheme = /^(tcp|https?):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    throw new UrlProblem('The address must be unix:///path, /path, tcp://host:port or http(s)://host[:port].');
  }
  const rest = text.slice(scheme.length + 3);
  // Parsed as http so that the port is never taken for a default one: Docker has defaults of its own.
  const url = assertPlainUrl(`http://${rest}`);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new UrlProblem('The address of a Docker daemon has no path.');
  }
  const given = /:(\d+)\/?$/.exec(rest)?.[1];
  const port = Number(given ?? (scheme === 'https' ? 2376 : 2375));
  const secure = scheme === 'https' || (scheme === 'tcp' && port === 2376);
  return { url: `${secure ? 'https' : 'http'}://${url.hostname}:${port}` };
}

/** The daemon's host as containers' published ports are reached; a socket is on this machine. */
export function dockerHost(text: string): string {
  const address = dockerAddress(text);
  return 'socket' in address ? '127.0.0.1' : new URL(address.url).hostname;
}

/** `host[:port]` or a URL; https and 8088 where nothing else is said. @throws UrlProblem */
export function logEndpoint(text: string): string {
  const hasScheme = /^[a-z]+:\/\//i.test(text);
  const url = assertPlainUrl(hasScheme ? text : `https://${text}`);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new UrlProblem('It must be host[:port] or a URL without a path.');
  }
  const authority = text.replace(/^[a-z]+:\/\//i, '');
  const port = /:(\d+)\/?$/.exec(authority)?.[1] ?? '8088';
  return `${url.protocol}//${url.hostname}:${port}`;
}

const attempt = (make: () => string): string | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

const isOn = (text: string | undefined) => /^(1|true|yes|on|t|y|enabled)$/i.test(text ?? '');

/** Host of what the platform calls itself, as an address that can be compared. */
const service = (host: string | undefined, https: boolean) =>
  host === undefined ? undefined : `${https ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}/`;

/**
 * Every address to which a secret of the connection goes, as a URL where it is one. A default counts as the address
 * that it stands for: without `endpoint_hostname` the token goes to the host of the engine.
 */
export function secretAddresses(type: ContainerType, fields: Fields): Record<string, string | undefined> {
  const https = isOn(fields.container_enable_https);
  const { platform_access_host: access, platform_access_port: port } = fields;
  const common = {
    obs_otel_endpoint: fields.obs_otel_endpoint,
    platform_access_host: access === undefined ? undefined : `https://${access}:${port ?? '8089'}/`,
    platform_ingest_url: fields.platform_ingest_url,
  };
  if (type === 'docker') {
    const engine = fields.docker_url ?? '';
    const address = attempt(() => {
      const found = dockerAddress(engine);
      return 'socket' in found ? `socket ${found.socket}` : found.url;
    });
    const log = fields.docker_logging_endpoint_hostname;
    return {
      ...common,
      docker_url: address ?? engine,
      endpoint_hostname: service(fields.endpoint_hostname ?? attempt(() => dockerHost(engine)), https),
      docker_logging_endpoint_hostname: log === undefined ? undefined : (attempt(() => logEndpoint(log)) ?? log),
    };
  }
  const cluster = clusterAddress(fields);
  const pattern = fields.ingress_host_pattern?.replaceAll('*', 'any').replaceAll(/[{}]/g, '');
  return {
    ...common,
    cluster_url: cluster,
    node_port_hostname_internal: service(fields.node_port_hostname_internal ?? hostOf(cluster), https),
    ingress_host_pattern: service(pattern, https),
    endpoint_hostname: service(fields.endpoint_hostname, https),
    // What a container finds in its environment stands in a Secret, for whoever reads those of the namespace.
    namespace: fields.namespace,
    // The region becomes part of the host that the signed identity is meant for, the name a part of what is signed.
    cloud_region_name: fields.auth_mode === 'cloud-iam' ? fields.cloud_region_name : undefined,
    cloud_cluster_name: fields.auth_mode === 'cloud-iam' ? fields.cloud_cluster_name : undefined,
  };
}

/** How those prove who they are to whom secrets go. Over plain http nobody proves anything. */
export function secretTrust(type: ContainerType, fields: Fields): Record<string, Trust> {
  const { docker_url: engine = '', cluster_url: cluster, endpoint_cert_filename_or_path: certificates } = fields;
  const overTls = type === 'docker' ? attempt(() => securely(engine)) !== undefined : !/^http:/i.test(cluster ?? '');
  const https = isOn(fields.container_enable_https);
  const byName = isOn(fields.endpoint_cert_check_hostname);
  return {
    cluster_ca: { verify: overTls, ca: fields.cluster_ca },
    // With neither of the two the first certificate that an application shows is good.
    endpoint_cert_filename_or_path: { verify: https && (certificates !== undefined || byName), ca: certificates },
    endpoint_cert_check_hostname: { verify: https && byName },
  };
}

function securely(engine: string): string {
  const address = dockerAddress(engine);
  if ('socket' in address || !address.url.startsWith('https:')) throw new UrlProblem('This is no TLS address.');
  return address.url;
}

/** Whether a change leads to another engine, or to another place in it: what runs stays behind in the old one. */
export function movesEngine(type: ContainerType, before: Fields, after: Fields): boolean {
  const [old, now] = [engineParts(type, before), engineParts(type, after)];
  return Object.keys({ ...old, ...now }).some((part) => old[part] !== now[part]);
}

function engineParts(type: ContainerType, fields: Fields): Record<string, string | undefined> {
  if (type === 'docker') {
    const engine = fields.docker_url ?? '';
    return {
      address: attempt(() => {
        const found = dockerAddress(engine);
        return 'socket' in found ? `socket ${found.socket}` : place(found.url);
      }),
    };
  }
  const { cluster_url: url, auth_mode: mode } = fields;
  return {
    address: url === undefined ? undefined : (attempt(() => place(url)) ?? url),
    in_cluster_mode: fields.in_cluster_mode,
    namespace: fields.namespace,
    // Another way to show who one is leads to no other cluster, as long as the address stays.
    cloud: mode === 'cloud-iam' && url === undefined ? clusterAddress(fields) : undefined,
  };
}

/** The scheme is no part of it: http and https at one port are the same engine. */
function place(address: string): string {
  const { host, port } = hostBinding(address);
  return `${host}:${port}${new URL(address).pathname}`;
}

/**
 * From where on the platform reaches what it sends the application's token to: an address that was found under other
 * values of these is not the connection's any more.
 */
export function reachOf(type: ContainerType, fields: Fields): string {
  const { docker_url, endpoint_hostname, ...rest } = secretAddresses(type, fields);
  const { cluster_url, node_port_hostname_internal, ingress_host_pattern, namespace } = rest;
  const places = [docker_url, endpoint_hostname, cluster_url, node_port_hostname_internal, ingress_host_pattern];
  return JSON.stringify([...places, namespace, type === 'docker' ? '' : clusterAddress(fields), fields.service_type]);
}

/** Where the cluster's API is: given, the pod's own, or found by the cluster's name. */
function clusterAddress(fields: Fields): string | undefined {
  if (fields.cluster_url !== undefined) return fields.cluster_url;
  if (fields.in_cluster_mode === '1') return 'in-cluster';
  return `eks ${fields.cloud_region_name} ${fields.cloud_cluster_name}`;
}

function hostOf(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  return url === null ? undefined : plainHost(url);
}
