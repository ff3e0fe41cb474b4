import type { Server } from '@modelcontextprotocol/server';
import { isObject, type Json, MAX_JSON_LEVELS } from '../../../contract/basics.ts';
import { parseExact, stringifyExact, withRawNumbers } from '../../../contract/exactJson.ts';
import { version } from '../../../contract/version.ts';
import { someNames } from '../../../domain/values/texts.ts';
import {
  type McpMessage,
  type McpReply,
  type McpServer,
  type ServedToolResult,
  type ServedTools,
  ToolsFault,
} from '../../../ports/mcp/mcpServer.ts';
import { regularAnswer, regularMessage, wrongParams } from './clientMessages.ts';

const NAME = 'ml_extension';
/** Revisions with `initialize`; the library has older ones too. The latest stateless one needs no list. */
const HANDSHAKE_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26'];
/** A client may keep a list of tools for so long. */
const LIST_TTL_MS = 60_000;
/** Headers that the protocol reads. The caller's tokens and cookies are not passed on. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];
/** Never called: the library classifies requests by method and headers. */
const ADDRESS = 'http://localhost/mcp';
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const HEADER_MISMATCH = -32020;
/** Also of a reply without a body, for which the platform would name a type of its own. */
const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Lists of what this server does not have, which some clients ask for all the same. */
const EMPTY_LISTS: ReadonlyMap<unknown, string> = new Map([
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
]);

/** An MCP server of both eras by the official package, without sessions and without an HTTP server. */
export async function createMcpServer(): Promise<McpServer> {
  const { Server, ProtocolError, WebStandardStreamableHTTPServerTransport, createMcpHandler, isLegacyRequest } =
    await import('@modelcontextprotocol/server');

  /** One server for one message. `failed` gets what is no answer of the protocol. */
  function serverOf(
    { method }: Json,
    tools: ServedTools,
    failed: (error: unknown) => void,
    revisions?: readonly string[],
  ): Server {
    const server = new Server(
      { name: NAME, title: 'Machine Learning Extension', version },
      {
        capabilities: { tools: {} },
        cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
        ...(tools.instructions === undefined ? {} : { instructions: tools.instructions }),
        ...(revisions === undefined ? {} : { supportedProtocolVersions: [...revisions] }),
        jsonSchemaValidator: noValidation as never,
      },
    );
    const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        if (error instanceof ToolsFault) throw new ProtocolError(INTERNAL_ERROR, error.message, error.data);
        if (error instanceof ProtocolError) throw error;
        failed(error);
        throw new ProtocolError(INTERNAL_ERROR, 'Internal error');
      }
    };
    server.setRequestHandler('tools/list', ({ params }) =>
      guarded(async () => withRawNumbers(await tools.list(params?.cursor)) as never),
    );
    server.setRequestHandler('tools/call', ({ params }) =>
      guarded(async () => {
        const called = await tools.call(params.name, params.arguments ?? {});
        if (!called) throw new ProtocolError(INVALID_PARAMS, await unknownTool(tools, params.name));
        const { outputSchema } = called;
        // Revisions with `initialize` know structured results that are objects.
        if (!revisions) return withRawNumbers(called.result) as never;
        const project = (result: ServedToolResult) =>
          server.projectCallToolResult(withRawNumbers(result) as never, outputSchema) as never;
        return projected(called.result, project);
      }),
    );
    const list = EMPTY_LISTS.get(method);
    if (list !== undefined) {
      const hints = revisions ? {} : { ttlMs: LIST_TTL_MS, cacheScope: 'private' };
      server.fallbackRequestHandler = async () => ({ [list]: [], ...hints });
    }
    return server;
  }

  /** A request of the era with `initialize`, which needs no session here. */
  async function serveHandshakeEra(request: Request, body: unknown, server: Server): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
    });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: body });
    } finally {
      await server.close();
    }
  }

  return {
    async serve({ body: bytes, header }: McpMessage, tools: ServedTools): Promise<McpReply> {
      const message = parse(bytes);
      if (message === undefined) return rejected(400, PARSE_ERROR, 'The body is not JSON in UTF-8');
      if (!isObject(message))
        return rejected(400, INVALID_REQUEST, 'The body must be one JSON-RPC message, not a batch');
      const body = regularMessage(message);
      if (!body) return rejected(400, INVALID_REQUEST, `The message has more than ${MAX_JSON_LEVELS} levels`);
      if (body.method === 'subscriptions/listen') {
        // Its answer would be a stream that does not end.
        return rejected(404, METHOD_NOT_FOUND, 'Method not found', idOf(message));
      }
      const wrong = wrongParams(message);
      if (wrong !== undefined) return rejected(200, INVALID_PARAMS, wrong, idOf(message));
      let failure: { error: unknown } | undefined;
      const failed = (error: unknown) => {
        failure ??= { error };
      };
      const request = requestOf(header);
      if (!request)
        return rejected(400, HEADER_MISMATCH, 'A header has characters that headers cannot have', idOf(message));
      const response = (await isLegacyRequest(request, body))
        ? await serveHandshakeEra(request, body, serverOf(body, tools, failed, HANDSHAKE_REVISIONS))
        : await createMcpHandler(() => serverOf(body, tools, failed), { legacy: 'reject' }).fetch(request, {
            parsedBody: body,
          });
      const text = await response.text();
      const answer = text === '' ? '' : stringifyExact(regularAnswer(parseExact(text) as Json, message.id));
      const reply = { status: response.status, headers: JSON_TYPE, body: answer };
      if (failure) throw failure.error;
      return reply;
    },
  };
}

/** The library would take a large integer, which is written by an object, for an object. */
function projected(result: ServedToolResult, project: (result: ServedToolResult) => never): never {
  const { content, structuredContent } = result;
  if (typeof structuredContent !== 'bigint') return project(result);
  const text = [{ type: 'text', text: String(structuredContent) }];
  const other: Json = project({ ...result, content: content.length === 0 ? text : content, structuredContent: 0 });
  return { ...other, structuredContent: withRawNumbers({ result: structuredContent }) } as never;
}

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** Nothing is elicited from clients, so nothing is validated. */
const noValidation = {
  getValidator: () => (value: unknown) => ({ valid: true, data: value, errorMessage: undefined }),
};

function parse(bytes: Uint8Array): unknown {
  try {
    return parseExact(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Replies are always JSON, and bodies are read as JSON whatever the headers say. @returns undefined for an impossible header */
function requestOf(header: McpMessage['header']): Request | undefined {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
  for (const name of PROTOCOL_HEADERS) {
    const value = header(name);
    if (value === undefined) continue;
    try {
      headers.set(name, value);
    } catch {
      return undefined;
    }
  }
  return new Request(ADDRESS, { method: 'POST', headers });
}

type Id = string | number | bigint | null;

const idOf = ({ id }: Json): Id => (['string', 'number', 'bigint'].includes(typeof id) ? (id as Id) : null);

function rejected(status: number, code: number, message: string, id: Id = null): McpReply {
  const body = stringifyExact({ jsonrpc: '2.0', error: { code, message }, id });
  return { status, headers: JSON_TYPE, body };
}

/** Names tools that exist: a model may have misspelt the name. */
async function unknownTool(tools: ServedTools, name: string): Promise<string> {
  const message = `Unknown tool: ${name}`;
  try {
    const names = (await tools.list(undefined)).tools.map((tool) => tool.name);
    return names.length === 0 ? message : `${message}. Existing tools: ${someNames(names)}.`;
  } catch (error) {
    if (error instanceof ToolsFault) return message;
    throw error;
  }
}
