import { assertPlainUrl, UrlProblem } from '../../../domain/net/url.ts';

export type DockerAddress = { socket: string } | { url: string };

/**
 * Normalises the daemon's address to a socket path, or http(s) with host and port.
 * @throws UrlProblem
 */
export function dockerAddress(text: string): DockerAddress {
  const socket = /^(?:unix:\/\/)?(\/[^\0]*)$/.exec(text)?.[1] ?? /^unix:\/\/([^/\0].*)$/.exec(text)?.[1];
  if (socket !== undefined) {
    if (/[\s\\]/.test(socket))
      throw new UrlProblem('The path of a socket must not contain white space or a backslash.');
    const path = `/${socket.replace(/^\/+/, '')}`;
    if (path === '/') throw new UrlProblem('The path of the socket is missing.');
    return { socket: path };
  }
  const scheme = /^(tcp|https?):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    throw new UrlProblem('The address must be unix:///path, /path, tcp://host:port or http(s)://host[:port].');
  }
  const authority = text.slice(scheme.length + 3);
  // Parsed as http, since Docker's default ports differ from those of the scheme.
  const url = assertPlainUrl(`http://${authority}`);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new UrlProblem('The address of a Docker daemon must not have a path.');
  }
  const explicitPort = /:(\d+)\/?$/.exec(authority)?.[1];
  const port = Number(explicitPort ?? (scheme === 'https' ? 2376 : 2375));
  const secure = scheme === 'https' || (scheme === 'tcp' && port === 2376);
  return { url: `${secure ? 'https' : 'http'}://${url.hostname}:${port}` };
}

/** Host of the published ports; a socket is on this machine. */
export function dockerHost(text: string): string {
  const address = dockerAddress(text);
  return 'socket' in address ? '127.0.0.1' : new URL(address.url).hostname;
}

/** `host[:port]` or a URL; defaults https and 8088. @throws UrlProblem */
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
