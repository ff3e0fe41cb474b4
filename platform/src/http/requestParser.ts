import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { PlatformError } from './reply.ts';
import type { Namespace, PlatformRequest } from './request.ts';

export interface Target {
  path: string;
  segments: string[];
  ns: Namespace;
  namespaced: boolean;
  query: [string, string][];
  /** True where the path lies under one of the two trees. */
  inTree: boolean;
}

/** Splits the request target; answers 400 for invalid percent-encoding. */
export function parseTarget(url: string): Target {
  const rooted = url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  const [pathPart = '', ...queryParts] = rooted.split('?');
  const path = pathPart.split('#')[0] ?? '';
  const query = pairs(queryParts.join('?'), decodeStrictly);
  const raw = path.split('/').slice(1);
  const decoded = raw.map((segment) => decodeStrictly(segment));
  if (decoded.some((segment) => segment.includes('\0'))) throw new PlatformError(400, 'Bad Request');
  const skip = decoded[0] === 'services' ? 1 : decoded[0] === 'servicesNS' && decoded.length >= 3 ? 3 : 0;
  if (skip === 0) return { path, segments: decoded.filter(notEmpty), ns: {}, namespaced: false, query, inTree: false };
  const ns: Namespace = {};
  if (skip === 3) {
    const [, user = '', app = ''] = decoded;
    // A wildcard or an empty part leaves only its own half undefined.
    if (user !== '-' && user !== '') ns.user = user.toLowerCase();
    if (app !== '-' && app !== '') ns.app = app;
  }
  const tail = raw.slice(skip).join('/');
  // Clients end collection paths with a slash, so empty segments are ignored.
  const segments = decoded.slice(skip).filter(notEmpty);
  return { path: `/${tail}`, segments, ns, namespaced: skip === 3, query, inTree: true };
}

function notEmpty(text: string): boolean {
  return text !== '';
}

function decodeStrictly(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new PlatformError(400, 'Bad Request: malformed percent-encoding in the URL');
  }
}

/** Never refuses a body: a driver may read JSON that was sent with a form's content type. */
function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function pairs(text: string, decode: (text: string) => string): [string, string][] {
  if (text === '') return [];
  return text
    .split('&')
    .filter(notEmpty)
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = equals < 0 ? pair : pair.slice(0, equals);
      const value = equals < 0 ? '' : pair.slice(equals + 1);
      return [decode(name.replaceAll('+', ' ')), decode(value.replaceAll('+', ' '))];
    });
}

export function parseCookies(header: string | undefined): [string, string][] {
  return (header ?? '').split(';').flatMap((part): [string, string][] => {
    const equals = part.indexOf('=');
    return equals <= 0
      ? []
      : [
          [
            part.slice(0, equals).trim(),
            part
              .slice(equals + 1)
              .trim()
              .replace(/^"(.*)"$/, '$1'),
          ],
        ];
  });
}

export function parseForm(body: Buffer, contentType: string | undefined): [string, string][] {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (body.length === 0 || (type !== undefined && type !== 'application/x-www-form-urlencoded')) return [];
  const text = body.toString('utf8');
  // JSON without a type, or with curl's default type, is not a form.
  return /^\s*[{[]/.test(text) ? [] : pairs(text, decodeLeniently);
}

export function connectionOf(message: IncomingMessage): PlatformRequest['connection'] {
  const { socket } = message;
  const plain = (address: string | undefined) => (address ?? '').replace(/^::ffff:/, '');
  return {
    src_ip: plain(socket.remoteAddress),
    ssl: (socket as TLSSocket).encrypted === true,
    listening_port: socket.localPort ?? 0,
    listening_ip: plain(socket.localAddress),
  };
}

export function headerPairs(rawHeaders: readonly string[]): [string, string][] {
  const result: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    result.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return result;
}

/** Whether a message names its host twice: what forwards it may have checked the other one. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  return headerPairs(rawHeaders).filter(([name]) => name.toLowerCase() === 'host').length > 1;
}

/**
 * Reads a body up to `limit` bytes, else 413, whether or not a length was announced. The rest is left to Node to
 * discard: destroying the stream would close the connection before the client has its reply.
 */
export function readBody(message: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => new PlatformError(413, `Content-Length of the request is too large (maximum: ${limit})`);
  if (Number(message.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    message.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        chunks = [];
        reject(tooLarge());
      }
    });
    message.on('end', () => resolve(Buffer.concat(chunks)));
    message.on('error', reject);
    message.on('close', () => reject(new Error('the client went away while sending')));
  });
}

export function outputMode(form: readonly [string, string][], query: readonly [string, string][]): string | undefined {
  return [...form, ...query].find(([name]) => name === 'output_mode')?.[1].toLowerCase();
}
