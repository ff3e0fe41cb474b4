import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { type Peer, startHttp } from '../listen.ts';

export interface PeerTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

export interface ModernPeer extends Peer {
  /** Replaces the tools from the next request on. */
  setTools(tools: PeerTool[]): void;
  /** The names of the tools that were called. */
  calls: string[];
  /** The headers of every request so far. */
  seen: { method: string; headers: Record<string, string | string[] | undefined> }[];
}

export interface ModernOptions {
  tools?: PeerTool[];
  /** Tools per page; all on one page unless given. */
  pageSize?: number;
  /** Refuse the eras before 2026-07-28. */
  modernOnly?: boolean;
}

/** A server of the 2026-07-28 era made with the official package; older clients get its stateless fallback. */
export async function startModern(options: ModernOptions = {}): Promise<ModernPeer> {
  let tools = options.tools ?? [{ name: 'echo', description: 'Says it again' }];
  const seen: ModernPeer['seen'] = [];
  const calls: string[] = [];
  const handler = createMcpHandler(
    () => {
      const server = new Server(
        { name: 'modern-peer', version: '1.2.3', title: 'Modern' },
        { capabilities: { tools: {} } },
      );
      server.setRequestHandler('tools/list', (request) => {
        const start = Number(request.params?.cursor ?? 0);
        const size = options.pageSize ?? tools.length;
        const page = tools.slice(start, start + size);
        const more = start + size < tools.length ? { nextCursor: String(start + size) } : {};
        return {
          tools: page.map((tool) => ({ ...tool, inputSchema: { type: 'object' as const, ...tool.inputSchema } })),
          ...more,
        };
      });
      server.setRequestHandler('tools/call', ({ params }) => {
        calls.push(params.name);
        const structuredContent = { ...params.arguments };
        return {
          content: [{ type: 'text' as const, text: 'done' }],
          structuredContent,
          isError: params.name === 'fails',
        };
      });
      return server;
    },
    options.modernOnly ? { legacy: 'reject' } : {},
  );
  const node = toNodeHandler(handler);
  const peer = await startHttp((request, response) => {
    seen.push({ method: request.method ?? '', headers: request.headers });
    // The package's structural type says `method?: string`; Node's own says `string | undefined`.
    void node(request as Parameters<typeof node>[0], response);
  });
  return {
    url: `${peer.url}/mcp`,
    close: peer.close,
    seen,
    calls,
    setTools(next) {
      tools = next;
    },
  };
}
