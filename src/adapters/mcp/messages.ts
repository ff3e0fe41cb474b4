import { isObject, type Json } from '../../contract/basics.ts';
import { parseExact, stringifyExact } from '../../contract/exactJson.ts';

/** The one place that reads JSON of an MCP server. */
export const readJson = (text: string): unknown => parseExact(text);

/** A request whose answer has not come yet. */
export interface Pending {
  id: string | number;
  method: string;
}

/** A message as it came: only what is needed to route it has been looked at. */
export type Incoming =
  | { kind: 'result'; id: unknown; result: unknown }
  | { kind: 'error'; id: unknown; error: unknown }
  /** A request or notification of the server, with regular members only. */
  | { kind: 'other'; message: Json };

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

/** The messages of a parsed body: one, or a batch of revision 2025-03-26. */
export const messagesIn = (body: unknown): Incoming[] =>
  (Array.isArray(body) ? body : [body]).flatMap((message) => incoming(message) ?? []);

/** A member that is null is absent. @returns undefined for what is no message of JSON-RPC */
function incoming(raw: unknown): Incoming | undefined {
  if (!isObject(raw)) return undefined;
  const { id, method, params, error } = raw;
  const hasResult = !isAbsent(raw.result);
  if (!isAbsent(error) && !(hasResult && isBlank(error))) return { kind: 'error', id, error };
  if (typeof method === 'string' && !('result' in raw)) {
    const hasId = typeof id === 'string' || typeof id === 'number';
    const message = { jsonrpc: '2.0', ...(hasId ? { id } : {}), method, ...(isObject(params) ? { params } : {}) };
    return { kind: 'other', message };
  }
  if (hasResult) return { kind: 'result', id, result: raw.result };
  return 'result' in raw ? { kind: 'error', id, error: NO_RESULT } : undefined;
}

const INTERNAL_ERROR = -32603;
const NO_RESULT = { code: INTERNAL_ERROR, message: 'the result is null' };

const isBlank = (error: unknown): boolean =>
  error === '' || error === false || (isObject(error) && Object.keys(error).length === 0);

/** Servers write numbers as text; an error of a message that could not be read has no id. */
export function isAnswerTo({ kind, ...message }: Incoming, pending: Pending): boolean {
  if (!('id' in message)) return false;
  return kind === 'error' && isAbsent(message.id) ? true : String(message.id) === String(pending.id);
}

/** An error with the members that JSON-RPC requires. The words of the server are kept. */
export function regularError(raw: unknown): { code: number; message: string; data?: unknown } {
  if (!isObject(raw)) return { code: INTERNAL_ERROR, message: textOf(raw) };
  const { code, message, data } = raw;
  const isNumber = Number.isSafeInteger(typeof code === 'string' && code.trim() !== '' ? Number(code) : code);
  const named = isAbsent(code) || isNumber ? '' : ` (${textOf(code)})`;
  const text = isAbsent(message) || message === '' ? textOf(isAbsent(data) ? raw : data) : textOf(message);
  return {
    code: isNumber ? Number(code) : INTERNAL_ERROR,
    message: `${text}${named}`,
    ...(isAbsent(data) ? {} : { data }),
  };
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : stringifyExact(value));

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
/** Required of results since 2026-07-28. */
const COMPLETE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } as const;

/**
 * Makes a result for the client library, which refuses one with an irregular member: it gets the members that it needs to go on,
 * and the app reads the result itself.
 */
export function resultForLibrary(method: string, result: unknown): unknown {
  const given: Json = isObject(result) ? result : {};
  switch (method) {
    case 'initialize': {
      const serverInfo = implementationOf(given.serverInfo) ?? { name: '', version: '' };
      return { protocolVersion: String(given.protocolVersion ?? ''), capabilities: { tools: {} }, serverInfo };
    }
    case 'server/discover': {
      if (!Array.isArray(given.supportedVersions)) return {};
      const supportedVersions = given.supportedVersions.filter((version) => typeof version === 'string');
      const serverInfo = isObject(given._meta) ? implementationOf(given._meta[SERVER_INFO]) : undefined;
      const meta = serverInfo ? { _meta: { [SERVER_INFO]: serverInfo } } : {};
      return { ...COMPLETE, supportedVersions, capabilities: { tools: {} }, ...meta };
    }
    case 'tools/list':
      return { ...COMPLETE, tools: [] };
    case 'tools/call':
      return { ...COMPLETE, content: [] };
    default:
      return given;
  }
}

function implementationOf(raw: unknown): { name: string; version: string; title?: string } | undefined {
  if (!isObject(raw)) return undefined;
  const { name, version, title } = raw;
  return {
    name: isAbsent(name) ? '' : textOf(name),
    version: isAbsent(version) ? '' : textOf(version),
    ...(typeof title === 'string' ? { title } : {}),
  };
}
