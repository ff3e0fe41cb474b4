import { isLoopbackHost } from '../../../domain/net/url.ts';
import type { DockerPart } from '../../../ports/engines/containerEngine.ts';
import { addressWithoutScheme, baseUrl, bracketed, tryOrUndefined } from './addressParts.ts';
import { dockerAddress, dockerHost, logEndpoint } from './dockerAddress.ts';
import { DOCKER_FIELDS, DOCKER_SECRETS } from './dockerFields.ts';
import type { EngineKind, Hosts, WorkloadInput } from './engineKind.ts';
import type { Fields } from './fields.ts';

/** A daemon of the Docker Engine API, on this machine or another. */
export const docker: EngineKind = {
  fields: DOCKER_FIELDS,
  secrets: DOCKER_SECRETS,
  defaults: {},
  check({ has, need }) {
    need('docker_url', 'for docker');
    if (has('client_key') !== has('client_cert')) {
      need('client_cert', 'with client_key');
      need('client_key', 'with client_cert');
    }
  },
  addresses,
  receives: { docker_logging_endpoint_hostname: ['docker_logging_platform_token'] },
  isVerified: ({ docker_url = '' }) => usesHttps(docker_url),
  credentials: ({ docker_url = '' }) => (usesHttps(docker_url) ? ['client_cert'] : []),
  location: ({ docker_url = '' }) => ({ address: tryOrUndefined(() => daemonAt(docker_url, addressWithoutScheme)) }),
  reach(fields, https) {
    const { docker_url, endpoint_hostname } = addresses(fields, https);
    // Empty entries for cluster fields: stored records have this format.
    const cluster = [undefined, undefined, undefined, undefined, ''];
    return [docker_url, endpoint_hostname, ...cluster, fields.service_type];
  },
  target: (fields, _secrets, tls) => ({
    cluster: 'docker',
    address: dockerAddress(fields.docker_url ?? ''),
    host: hosts(fields).internal,
    tls,
    ...(fields.docker_network ? { network: fields.docker_network } : {}),
  }),
  hosts,
  workloadPart: (input) => ({ docker: workloadPart(input) }),
  autoscales: false,
  inventory: {
    reads: ['docker_url', 'client_cert'],
    shows: {
      docker_url: { type: 'string', description: 'Of docker: address of the daemon' },
      tls_enabled: { type: 'boolean', description: 'Of docker: whether the daemon is reached over TLS' },
    },
    entry: (fields) => ({ docker_url: fields.docker_url ?? '', tls_enabled: usesTls(fields) }),
  },
};

function addresses(fields: Fields, https: boolean) {
  const { docker_url = '', endpoint_hostname, docker_logging_endpoint_hostname: log } = fields;
  return {
    docker_url: tryOrUndefined(() => daemonAt(docker_url, (url) => url)) ?? docker_url,
    // Without endpoint_hostname the token goes to the engine's host.
    endpoint_hostname: baseUrl(endpoint_hostname ?? tryOrUndefined(() => dockerHost(docker_url)), https),
    docker_logging_endpoint_hostname: log === undefined ? undefined : (tryOrUndefined(() => logEndpoint(log)) ?? log),
  };
}

const usesHttps = (address: string): boolean =>
  tryOrUndefined(() => daemonAt(address, (url) => url))?.startsWith('https:') ?? false;

function daemonAt(text: string, read: (url: string) => string): string {
  const address = dockerAddress(text);
  return 'socket' in address ? `socket ${address.socket}` : read(address.url);
}

function hosts(fields: Fields): Hosts {
  const internal = fields.endpoint_hostname ?? dockerHost(fields.docker_url ?? '');
  return { internal, external: fields.endpoint_hostname_external ?? internal };
}

function workloadPart({ fields, secrets, volume }: WorkloadInput): DockerPart {
  const { internal, external } = hosts(fields);
  const local = [internal, external].every((host) => isLoopbackHost(new URL(`http://${bracketed(host)}/`)));
  const { docker_logging_endpoint_hostname: log } = fields;
  const { docker_logging_platform_token: token } = secrets;
  return {
    // Ports for local use are not published on the network.
    hostIp: local ? '127.0.0.1' : '',
    volume,
    ...(fields.docker_network ? { network: fields.docker_network } : {}),
    ...(log && token ? { log: { url: logEndpoint(log), token } } : {}),
  };
}

/** https, Docker's TLS port, or a client certificate. */
function usesTls({ docker_url = '', client_cert }: Fields): boolean {
  return /^https:/i.test(docker_url) || /^(tcp|https?):\/\/.*:2376\/?$/i.test(docker_url) || Boolean(client_cert);
}
