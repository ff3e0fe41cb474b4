import type { Caller } from '../../../contract/caller.ts';
import { setting } from '../../../contract/settings/settings.ts';
import { mayRead } from '../../../domain/access/acl.ts';
import { shortName } from '../../../domain/values/texts.ts';
import type { McpTool } from '../../../ports/mcp/mcpClient.ts';
import { isAllowed } from '../calls/toolCalls.ts';
import type { AcceptedTool, McpStored } from '../records.ts';
import { acceptanceFingerprint, type ExaminedTool, isAcceptedBy, titlePrint } from './definitions.ts';

/** Policy for tools that are new or have changed since they were accepted. */
export type OnToolChange = 'refuse' | 'warn';

export type ToolVerdict =
  | {
      mayUse: true;
      warning?: string;
      /** Whether its title has changed since it was accepted, and must not be shown. */
      hidesTitle?: boolean;
    }
  | { mayUse: false; reason: 'not_found' | 'not_allowed' | 'tool_changed'; message: string };

/** An invalid value means `refuse`. */
export function readOnToolChange(stanzas: Readonly<Record<string, Readonly<Record<string, string>>>>): OnToolChange {
  return setting(stanzas, 'gateway', 'on_tool_change') === 'warn' ? 'warn' : 'refuse';
}

const acceptedEntry = (
  record: Pick<McpStored, 'accepted_tools'> | undefined,
  listed: Pick<ExaminedTool, 'tool' | 'fingerprint'>,
): AcceptedTool | undefined =>
  record?.accepted_tools?.find((entry) => entry.name === listed.tool.name && isAcceptedBy(entry, listed));

/** Whether this definition of the tool is the accepted one. */
export const isAccepted = (...tool: Parameters<typeof acceptedEntry>): boolean => acceptedEntry(...tool) !== undefined;

/** The only place that decides whether a caller may use a tool, by the definition that the server gives now. */
export function judgeTool(
  caller: Caller,
  record: Pick<McpStored, 'name' | 'acl' | 'tools_allowed' | 'accepted_tools'>,
  tool: McpTool,
  onChange: OnToolChange,
): ToolVerdict {
  const { name } = record;
  if (!mayRead(caller, record)) {
    const message = `There is no MCP connection ${name}, or you may not read it`;
    return { mayUse: false, reason: 'not_found', message };
  }
  if (!isAllowed(record, tool.name)) {
    const message = `The connection ${name} does not allow the tool ${shortName(tool.name)}. Add it to tools_allowed.`;
    return { mayUse: false, reason: 'not_allowed', message };
  }
  const accepted = acceptedEntry(record, { tool, fingerprint: acceptanceFingerprint(tool) });
  if (accepted) return { mayUse: true, ...(accepted.title === titlePrint(tool) ? {} : { hidesTitle: true }) };
  return unaccepted(record, tool, onChange);
}

/** Verdict on a tool that is new or has changed since it was accepted. */
export function unaccepted(
  { name, accepted_tools }: Pick<McpStored, 'name' | 'accepted_tools'>,
  tool: Pick<McpTool, 'name'>,
  onChange: OnToolChange,
): ToolVerdict {
  const isKnown = accepted_tools?.some((entry) => entry.name === tool.name);
  const what = isKnown ? 'has changed since it was accepted' : 'has not been accepted';
  const message = `The tool ${shortName(tool.name)} of the connection ${name} ${what}. Look at it and accept it with POST /ml/mcp_connection/accept_tools.`;
  return onChange === 'warn' ? { mayUse: true, warning: message } : { mayUse: false, reason: 'tool_changed', message };
}
