import type { PlatformMessage, PlatformReply } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import { XML_PROLOG, xmlMessages } from './xml.ts';

export function wantsJson(req: Pick<PlatformRequest, 'outputMode'>): boolean {
  return req.outputMode === 'json';
}

export function jsonReply(status: number, body: unknown, headers: [string, string][] = []): PlatformReply {
  return rawJsonReply(status, JSON.stringify(body), headers);
}

/** For a body that is JSON already. */
export function rawJsonReply(status: number, body: string, headers: [string, string][] = []): PlatformReply {
  return { status, headers: [['Content-Type', 'application/json; charset=UTF-8'], ...headers], body };
}

export function xmlReply(status: number, body: string, headers: [string, string][] = []): PlatformReply {
  return { status, headers: [['Content-Type', 'text/xml; charset=UTF-8'], ...headers], body: XML_PROLOG + body };
}

export function messagesReply(
  req: Pick<PlatformRequest, 'outputMode'>,
  status: number,
  messages: readonly PlatformMessage[],
  headers: [string, string][] = [],
): PlatformReply {
  if (wantsJson(req)) {
    const list = messages.map(({ type, code, text }) => (code === undefined ? { type, text } : { type, code, text }));
    return jsonReply(status, { messages: list }, headers);
  }
  return xmlReply(status, `<response>\n  ${xmlMessages(messages)}\n</response>\n`, headers);
}
