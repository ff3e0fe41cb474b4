import { plainHost } from '../../../domain/url.ts';
import { PORT_NAMES, type PortName, type Published, type WorkloadState } from '../../../ports/containerEngine.ts';
import { dockerHost } from '../connections/addresses.ts';
import type { ContainerType, Fields } from '../fields.ts';
import { NO_URLS, urlName } from './records.ts';

/** Hosts of a connection: as the platform reaches containers, and as browsers do. */
export function hostsOf(type: ContainerType, fields: Fields): { internal: string; external: string } {
  if (type === 'docker') {
    const internal = fields.endpoint_hostname ?? dockerHost(fields.docker_url ?? '');
    return { internal, external: fields.endpoint_hostname_external ?? internal };
  }
  const url = fields.cluster_url === undefined ? null : URL.parse(fields.cluster_url);
  const cluster = url === null ? '' : plainHost(url);
  const internal = fields.node_port_hostname_internal ?? cluster;
  return { internal, external: fields.node_port_hostname_external ?? internal };
}

/** Only these two speak TLS when the application is told to. */
const WITH_TLS: readonly PortName[] = ['api', 'jupyter'];

function address(secure: boolean, host: string, { port }: Published): string {
  if (host === '') return '';
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return `${secure ? 'https' : 'http'}://${name}${port === undefined ? '' : `:${port}`}`;
}

/** Every URL of the record; '' for a port that is not published. */
export function urlsOf(
  type: ContainerType,
  fields: Fields,
  published: WorkloadState['published'],
): Record<string, string> {
  const { internal, external } = hostsOf(type, fields);
  const urls: Record<string, string> = { ...NO_URLS };
  for (const port of PORT_NAMES) {
    const at = published[port];
    if (at === undefined) continue;
    const secure = fields.container_enable_https === 'true' && WITH_TLS.includes(port);
    if (port === 'api') {
      urls.api_url = address(secure, at.host ?? (internal || at.node || ''), at);
      urls.api_url_external = address(secure, at.host ?? (external || at.node || ''), at);
    } else {
      urls[urlName(port)] = address(secure, at.host ?? (external || at.node || ''), at);
    }
  }
  return urls;
}
