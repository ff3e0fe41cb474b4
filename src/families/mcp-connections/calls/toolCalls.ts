import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { Outgoing } from '../../../masking/checkedBody.ts';
import type { McpDependencies, McpGreeting, McpToolAnswer, McpToolCall } from '../../../ports/mcp/mcpClient.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { Target } from '../../../resources/target.ts';
import type { McpConnections } from '../kind.ts';
import type { McpStored } from '../records.ts';
import { callServer, contactMs, failedContact, type Outcome } from './contact.ts';
import { renewalOf } from './testing.ts';

/** Without `tools_allowed` all tools are allowed. */
export const isAllowed = (record: Pick<McpStored, 'tools_allowed'> | undefined, tool: string): boolean =>
  record?.tools_allowed?.includes(tool) ?? true;

/** Checks `tools_allowed` again at the call, by the record whose secrets it uses: `judgeTool` has decided on an earlier reading. */
export function assertAllowed(record: Pick<McpStored, 'tools_allowed'>, tool: string): void {
  if (isAllowed(record, tool)) return;
  throw new OutboundError(
    'blocked_by_policy',
    `The connection does not allow the tool ${tool}. Add it to tools_allowed.`,
  );
}

/**
 * Calls a tool at most once; a request that the server refused with 401 did not, and is repeated once with a new token.
 * @param workMs time limit of the tool, without connecting and token refresh
 * @param greeting of a listing a short time ago
 */
export function callTool(
  connections: McpConnections,
  deps: McpDependencies,
  target: Target<McpStored>,
  call: Outgoing<McpToolCall>,
  workMs: number,
  outer?: Deadline,
  greeting?: McpGreeting,
): Promise<Outcome<McpToolAnswer>> {
  assertAllowed(target.saved ?? target.record, call.name);
  const renewal = renewalOf(connections, deps);
  return callServer<McpToolAnswer>(
    deps.client,
    { ...renewal, renew: async (...asked) => ifUnchanged(target, await renewal.renew(...asked)) },
    target,
    (client, access, deadline) =>
      client.callTool({ ...access, greeting }, call, { connectMs: contactMs(target), workMs }, deadline),
    failedContact,
    outer,
    workMs,
  );
}

/** The caller's rights, `tools_allowed` and the acceptance were judged by the record as it was: a changed one is not called. */
const ifUnchanged = ({ saved }: Target<McpStored>, next: Target<McpStored> | undefined): typeof next =>
  next?.saved?.version === saved?.version && next?.saved?.created_at === saved?.created_at ? next : undefined;
