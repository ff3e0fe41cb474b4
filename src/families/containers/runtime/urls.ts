import {
  PORT_NAMES,
  type PortName,
  type PublishedPort,
  type WorkloadState,
} from '../../../ports/engines/containerEngine.ts';
import { bracketed } from '../engines/addressParts.ts';
import type { EngineKind } from '../engines/engineKind.ts';
import type { Fields } from '../engines/fields.ts';
import { NO_URLS, urlName } from './records.ts';

/** The ports with TLS if https is enabled. */
const WITH_TLS: readonly PortName[] = ['api', 'jupyter'];

function address(secure: boolean, host: string, { port }: PublishedPort): string {
  if (host === '') return '';
  return `${secure ? 'https' : 'http'}://${bracketed(host)}${port === undefined ? '' : `:${port}`}`;
}

/** Whether an application speaks https: its image says it, else the connection. */
export const isHttps = (image: string | undefined, fields: Fields): boolean =>
  (image || fields.container_enable_https) === 'true';

/** '' for a port that is not published. @param https of the image */
export function urlsOf(
  kind: EngineKind,
  fields: Fields,
  published: WorkloadState['published'],
  https?: string,
): Record<string, string> {
  const { internal, external } = kind.hosts(fields);
  const urls: Record<string, string> = { ...NO_URLS };
  for (const port of PORT_NAMES) {
    const endpoint = published[port];
    if (endpoint === undefined) continue;
    const secure = isHttps(https, fields) && WITH_TLS.includes(port);
    if (port === 'api') {
      urls.api_url = address(secure, endpoint.host ?? (internal || endpoint.node || ''), endpoint);
      urls.api_url_external = address(secure, endpoint.host ?? (external || endpoint.node || ''), endpoint);
    } else {
      urls[urlName(port)] = address(secure, endpoint.host ?? (external || endpoint.node || ''), endpoint);
    }
  }
  return urls;
}
