import type { McpServer } from '../../ports/mcp/mcpServer.ts';
import { lazy } from '../lazy.ts';

/** The MCP server of one process; its library is loaded with the first message. */
export function mcpServer(): McpServer {
  let loading: Promise<McpServer> | undefined;
  return lazy<McpServer>(() => {
    loading ??= import('../../adapters/mcp/server/mcpServer.ts').then(({ createMcpServer }) => createMcpServer());
    return loading;
  });
}
