import type { Client, Tool } from '@modelcontextprotocol/client';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { nestsDeeperThan } from '../../domain/values/json.ts';
import type { McpTool } from '../../ports/mcp/mcpClient.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { requestOptions } from './attempt.ts';
import { isMethodNotFound } from './explain.ts';

const MAX_PAGES = 50;
const MAX_TOOLS = 2_000;
/** All tools together: 50 pages at the message limit would be 400 MiB. */
const MAX_LISTING_CHARS = 16 * 1024 * 1024;

/** Whether deeper schemas exhaust the stack where they are compared and written depends on how much of it is in use. */
const MAX_LEVELS = 500;

export interface ToolPages {
  tools: McpTool[];
  truncated?: string | undefined;
}

/** Not `client.listTools()`, which throws at its page limit and writes to stdout, where the driver's frames go. */
export async function readToolPages(client: Client, deadline: Deadline): Promise<ToolPages> {
  const tools: McpTool[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  let chars = 0;
  for (let page = 1; ; page += 1) {
    const params = cursor === undefined ? {} : { params: { cursor } };
    const answer = await client
      .request({ method: 'tools/list', ...params }, requestOptions(deadline))
      .catch((error) => {
        // A server without tools may not implement the method.
        if (page === 1 && isMethodNotFound(error)) return { tools: [], nextCursor: undefined };
        throw error;
      });
    for (const tool of answer.tools) {
      if (tools.length === MAX_TOOLS) return { tools, truncated: `The server offers more than ${MAX_TOOLS} tools.` };
      const entry = toTool(tool);
      if (nestsDeeperThan(entry, MAX_LEVELS))
        throw new OutboundError('upstream_error', 'The MCP server lists a tool whose schema is nested too deeply.');
      chars += JSON.stringify(entry).length;
      if (chars > MAX_LISTING_CHARS)
        return { tools, truncated: 'The descriptions of all tools together are larger than 16 MiB.' };
      tools.push(entry);
    }
    cursor = answer.nextCursor;
    if (cursor === undefined) return { tools };
    if (seen.has(cursor)) return { tools, truncated: 'The server repeated a page cursor.' };
    seen.add(cursor);
    if (page === MAX_PAGES) return { tools, truncated: `The server offers more than ${MAX_PAGES} pages of tools.` };
  }
}

function toTool(tool: Tool): McpTool {
  const title = tool.title ?? tool.annotations?.title;
  return {
    name: tool.name,
    ...(title === undefined ? {} : { title }),
    description: tool.description ?? '',
    input_schema: tool.inputSchema as Record<string, unknown>,
    ...(tool.outputSchema === undefined ? {} : { output_schema: tool.outputSchema as Record<string, unknown> }),
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations as Record<string, unknown> }),
  };
}
