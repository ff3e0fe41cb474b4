import type { Client } from '@modelcontextprotocol/client';
import { isObject } from '../../contract/basics.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { stringifyExact } from '../../contract/exactJson.ts';
import { shortName } from '../../domain/values/texts.ts';
import type { McpListing, McpTool } from '../../ports/mcp/mcpClient.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { requestOptions } from './attempt.ts';
import { isMethodNotFound } from './explain.ts';
import { readTool } from './toolDefinitions.ts';

const MAX_PAGES = 50;
const MAX_TOOLS = 2_000;
/** All tools together: 50 pages at the message limit would be 400 MiB. */
const MAX_LISTING_BYTES = 8 * 1024 * 1024;
/** Tools that are left out and named one by one. */
const MAX_NAMED = 20;

export type ToolPages = Pick<McpListing, 'tools' | 'truncated' | 'leftOut'>;

/** Not `client.listTools()`, which throws at its page limit and writes to stdout, where the driver's frames go. */
export async function readToolPages(client: Client, deadline: Deadline, result: () => unknown): Promise<ToolPages> {
  const tools: McpTool[] = [];
  const named: string[] = [];
  let unusable = 0;
  const cursors = new Set<string>();
  const listed = new Set<string>();
  const end = (truncated?: string): ToolPages => {
    const more = unusable > MAX_NAMED ? [`${unusable - MAX_NAMED} more tools are left out.`] : [];
    return { tools, truncated, ...(unusable > 0 ? { leftOut: [...named, ...more] } : {}) };
  };
  let cursor: string | undefined;
  let bytes = 0;
  let position = 0;
  for (let page = 1; ; page += 1) {
    const params = cursor === undefined ? {} : { params: { cursor } };
    const isKnown = await client.request({ method: 'tools/list', ...params }, requestOptions(deadline)).then(
      () => true,
      (error: unknown) => {
        // A server without tools may not implement the method.
        if (page === 1 && isMethodNotFound(error)) return false;
        throw error;
      },
    );
    if (!isKnown) return end();
    const answer = readPage(result());
    let hasNews = answer.tools.length === 0 || page === 1;
    for (const raw of answer.tools) {
      position += 1;
      const tool = readTool(raw);
      if (typeof tool === 'string') {
        const key = `${tool} ${nameOf(raw)}`;
        if (listed.has(key)) continue;
        listed.add(key);
        hasNews = true;
        unusable += 1;
        if (unusable <= MAX_NAMED) named.push(`${titleOf(raw, position)} is left out: ${tool}.`);
        continue;
      }
      const text = stringifyExact(tool);
      // A server may repeat a page, or a tool on the next one.
      if (listed.has(text)) continue;
      if (tools.length === MAX_TOOLS) return end(`The server offers more than ${MAX_TOOLS} tools.`);
      bytes += Buffer.byteLength(text);
      if (bytes > MAX_LISTING_BYTES) return end('The definitions of all tools together are larger than 8 MiB.');
      listed.add(text);
      hasNews = true;
      tools.push(tool);
    }
    cursor = answer.nextCursor;
    if (cursor === undefined) return end();
    if (cursors.has(cursor)) return end('The server repeated a page cursor.');
    if (!hasNews) return end('The server repeated a page of tools.');
    cursors.add(cursor);
    if (page === MAX_PAGES) return end(`The server offers more than ${MAX_PAGES} pages of tools.`);
  }
}

/** A member that is null is absent; a number that is no cursor ends the list. @throws OutboundError */
function readPage(result: unknown): { tools: readonly unknown[]; nextCursor?: string } {
  const { tools, nextCursor } = isObject(result) ? result : { tools: result, nextCursor: undefined };
  // PHP writes an empty list as an empty object.
  const isEmpty = tools === null || tools === undefined || (isObject(tools) && Object.keys(tools).length === 0);
  if (!isEmpty && !Array.isArray(tools))
    throw new OutboundError(
      'upstream_error',
      'The MCP server breaks the protocol: the tools of its tools/list are no list',
    );
  const hasMore = (typeof nextCursor === 'string' || typeof nextCursor === 'number') && Boolean(nextCursor);
  return { tools: isEmpty ? [] : (tools as unknown[]), ...(hasMore ? { nextCursor: String(nextCursor) } : {}) };
}

const nameOf = (raw: unknown): string => (isObject(raw) && typeof raw.name === 'string' ? shortName(raw.name) : '');

function titleOf(raw: unknown, position: number): string {
  const name = nameOf(raw);
  return `Tool ${position} of the list${name === '' ? '' : ` (${name})`}`;
}
