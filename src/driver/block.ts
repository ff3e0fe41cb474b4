import { isObject, type Json } from '../contract/basics.ts';
import { stringifyExact } from '../contract/exactJson.ts';
import { cutLongStrings, decodeInPlace, LONG, longString } from '../rest/longStrings.ts';
import type { RestReply, RestRequest } from '../rest/request.ts';

/** A malformed request block, answered with 400. */
export class BadBlock extends Error {}

const isNested = (value: unknown) => typeof value === 'object' && value !== null;
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function pairs(value: unknown): [string, string][] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((pair) => Array.isArray(pair) && pair.length === 2 && !pair.some(isNested))
    .map(([key, item]) => [String(key), String(item)]);
}

interface ParsedBlock {
  block: Json;
  body: Buffer | undefined;
}

function parse(bytes: Buffer): ParsedBlock {
  let block: unknown;
  try {
    block = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new BadBlock('The request block is not valid JSON.');
  }
  if (!isObject(block)) throw new BadBlock('The request block is not a JSON object.');
  return { block, body: bodyOf(block) };
}

/** Decodes the body of an upload from bytes, without converting it to a string. */
function parseLarge(bytes: Buffer): ParsedBlock {
  const cut = cutLongStrings(bytes, bytes.length);
  // Another field is long, which is rare.
  if (cut?.long.length !== 1) return parse(bytes);
  const { block } = parse(cut.rest);
  const long = longString(cut, block.payload_base64);
  if (!long) return parse(bytes);
  const body = decodeInPlace(long);
  if (!body) throw new BadBlock('The payload of the request block is not base64.');
  return { block, body };
}

/**
 * Parses a request block. Keys may be absent: `payload` without a body, `session` for anonymous calls, `ns` under /services.
 * @throws BadBlock
 */
export function readBlock(bytes: Buffer): RestRequest {
  const { block, body } = bytes.length < LONG ? parse(bytes) : parseLarge(bytes);
  const server = isObject(block.server) ? block.server : {};
  const session = isObject(block.session) ? block.session : {};
  return {
    method: (text(block.method) ?? 'GET').toUpperCase(),
    path: pathOf(block),
    query: pairs(block.query),
    headers: pairs(block.headers),
    body,
    sessionToken: text(session.authtoken),
    systemToken: text(block.system_authtoken),
    serverUri: text(server.rest_uri) ?? 'https://127.0.0.1:8089',
    serverId: text(server.guid) ?? text(server.servername),
  };
}

function pathOf(block: Json): string {
  const path = text(block.rest_path);
  if (path) return path;
  const map = isObject(block.restmap) && isObject(block.restmap.conf) ? block.restmap.conf : {};
  return [text(map.match) ?? '/ml', text(block.path_info)].filter(Boolean).join('/');
}

function bodyOf(block: Json): Buffer | undefined {
  if (typeof block.payload_base64 === 'string') return Buffer.from(block.payload_base64, 'base64');
  return typeof block.payload === 'string' ? Buffer.from(block.payload, 'utf8') : undefined;
}

const JSON_TYPE = 'application/json; charset=UTF-8';
const TEXT_TYPE = 'text/plain; charset=UTF-8';

/**
 * A reply for the platform. It always has a Content-Type and never a null payload, which would become a 204 without one: the proxy of
 * Splunk Web turns an answer without Content-Type into an error page.
 */
export function writeReply({ status, headers, payload }: RestReply): string {
  const isText = typeof payload === 'string' || payload === null || payload === undefined;
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const complete = hasType ? headers : { ...headers, 'Content-Type': isText ? TEXT_TYPE : JSON_TYPE };
  try {
    return blockOf(status, complete, payload ?? '');
  } catch (error) {
    // Bigints: the platform may round the numbers of an object, so it gets a text.
    if (!(error instanceof TypeError)) throw error;
    return blockOf(status, complete, stringifyExact(payload));
  }
}

const blockOf = (status: number, headers: RestReply['headers'], payload: unknown): string =>
  JSON.stringify({ status, payload, headers: Object.entries(headers) });
