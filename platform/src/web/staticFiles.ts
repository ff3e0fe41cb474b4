import { createReadStream, realpathSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { HostedApp } from '../apps/hostedApp.ts';
import { GUARDS, WebError, type WebRequest } from './reply.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=UTF-8',
  '.csv': 'text/csv; charset=UTF-8',
  '.gif': 'image/gif',
  '.htm': 'text/html; charset=UTF-8',
  '.html': 'text/html; charset=UTF-8',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=UTF-8',
  '.json': 'application/json; charset=UTF-8',
  '.map': 'application/json; charset=UTF-8',
  '.md': 'text/plain; charset=UTF-8',
  '.mjs': 'text/javascript; charset=UTF-8',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=UTF-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.xml': 'text/xml; charset=UTF-8',
};

/** A year, since a new build has a new address. */
const FOREVER = 'public, max-age=31536000';

/** A file below an app's folder; undefined for anything else, including links that lead out of it. */
export function fileBelow(app: HostedApp, folder: string, segments: readonly string[]): string | undefined {
  if (segments.length === 0 || segments.some((segment) => !isPlain(segment))) return undefined;
  try {
    const root = realpathSync(join(app.dir, folder));
    const file = realpathSync(join(root, ...segments));
    return file.startsWith(root + sep) && statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

/** No parent folders, hidden files, other separators, streams or drives. */
function isPlain(segment: string): boolean {
  return segment !== '' && !segment.startsWith('.') && !/[/\\:\0]/.test(segment);
}

/** Sends a file below `appserver/static`, or 304 if the browser has it. */
export async function sendStatic(
  app: HostedApp,
  segments: readonly string[],
  forever: boolean,
  req: WebRequest,
): Promise<void> {
  const file = fileBelow(app, 'appserver/static', segments);
  if (file === undefined) throw new WebError(404, `The app ${app.name} has no such file below appserver/static.`);
  const { response } = req;
  const { size, mtimeMs, ino } = statSync(file);
  const tag = `"${ino.toString(36)}-${size.toString(36)}-${Math.round(mtimeMs * 1000).toString(36)}"`;
  for (const [name, value] of GUARDS) response.setHeader(name, value);
  response.setHeader('Content-Type', TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream');
  response.setHeader('Cache-Control', forever ? FOREVER : 'no-cache');
  response.setHeader('ETag', tag);
  if (hasTag(req.message.headers['if-none-match'], tag)) {
    response.writeHead(304).end();
    return;
  }
  response.setHeader('Content-Length', size);
  response.writeHead(200);
  if (req.method === 'HEAD' || size === 0) response.end();
  // Sends at most the announced length, even if the file grows meanwhile.
  else await pipeline(createReadStream(file, { end: size - 1 }), response).catch(() => response.destroy());
}

function hasTag(header: string | undefined, tag: string): boolean {
  return (header ?? '')
    .split(',')
    .some((entityTag) => entityTag.trim().replace(/^W\//, '') === tag || entityTag.trim() === '*');
}
