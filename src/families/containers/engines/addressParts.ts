import { hostBinding } from '../../../domain/net/url.ts';

export const tryOrUndefined = (make: () => string): string | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

export const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/** Base URL of a host, for comparison. */
export const baseUrl = (host: string | undefined, https: boolean): string | undefined =>
  host === undefined ? undefined : `${https ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}/`;

/** Without the scheme, since http and https on the same port are the same engine. */
export function addressWithoutScheme(address: string): string {
  const { host, port } = hostBinding(address);
  return `${host}:${port}${new URL(address).pathname}`;
}
