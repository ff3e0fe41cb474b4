import type { Static } from 'typebox';
import { type AuditedToolCall, auditedUser } from '../../contract/audit.ts';
import type { Json } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { integerSetting } from '../../contract/settings/integerSetting.ts';
import type { ToolCallEntries } from '../../domain/audit/toolCallEntries.ts';
import { nestsDeeperThan } from '../../domain/values/json.ts';
import type { OpenConnection } from '../../families/mcp-connections/public.ts';
import type { SchemaChecks } from '../../ports/llm/schemaChecks.ts';
import type { McpToolAnswer } from '../../ports/mcp/mcpClient.ts';
import type { SearchJobs } from '../../ports/platform/searchJobs.ts';
import type { UseOrigin } from '../use/recordedUse.ts';
import type { Served, Serving } from '../use/serving.ts';
import { NO_TOKENS } from '../use/tokens.ts';
import { checkArguments } from './checkArguments.ts';
import type { ToolCallBody, ToolCallReply } from './schemas.ts';
import { toolNameOf } from './toolNames.ts';
import { ToolCatalogue, type ToolDependencies } from './usableTools.ts';

export type ToolCallInput = Static<typeof ToolCallBody>;

export interface CallDependencies extends ToolDependencies {
  schemas: SchemaChecks;
  entries: ToolCallEntries;
  searches: Pick<SearchJobs, 'isKnown'>;
  /** Of the request. */
  origin: Pick<UseOrigin, 'sid' | 'requestId' | 'run'>;
}

export interface ToolResult {
  content: Json[];
  /** Any value since 2026-07-28; an object before. */
  structuredContent?: unknown;
  isError: boolean;
}

/** Deeper results could not be written as JSON. */
const MAX_LEVELS = 500;

/** `POST /ai_gateway/tools/call`. @throws Fault; OutboundError */
export async function serveToolCall(
  deps: CallDependencies,
  { connection, tool, arguments: args, timeout_s }: ToolCallInput,
  serving: Serving,
): Promise<Served<Static<typeof ToolCallReply>>> {
  const catalogue = new ToolCatalogue(deps);
  const opened = await catalogue.connections.open(serving.caller, connection);
  const call = { opened, tool, arguments: args ?? {}, timeoutS: timeout_s };
  const { result, warnings } = await callTool(deps, catalogue, call, serving);
  const { content, structuredContent, isError } = result;
  const structured = structuredContent === undefined ? {} : { structured_content: structuredContent };
  const response = { result: { content, ...structured, is_error: isError } };
  return { response, tokens: NO_TOKENS, charge: undefined, warnings };
}

export interface ToolCall {
  /** As the caller may read it now. */
  opened: OpenConnection;
  tool: string;
  arguments: Json;
  timeoutS?: number | undefined;
}

/**
 * Calls a tool at most once: slot, definition, arguments, limits, audit, call. Nothing here repeats a call.
 * @throws Fault; OutboundError for failures on the way to the tool
 */
export async function callTool(
  deps: CallDependencies,
  catalogue: ToolCatalogue,
  { opened, tool, arguments: args, timeoutS }: ToolCall,
  { caller, enter, use, beforeCall }: Serving,
): Promise<{ result: ToolResult; outputSchema: Json | undefined; warnings: string[] }> {
  const deadline = await enter();
  const { source } = opened;
  const find = () => catalogue.one(caller, opened, tool, deadline);
  const usable = await (catalogue.needsServer([source]) ? use.meter.upstream(find) : find());
  const unchecked = await checkArguments(deps.schemas, usable.tool.input_schema, args);
  const target = { service: 'mcp', connection_name: source.name, model: tool };
  const deadlineMs = deadline.remaining();
  const input = { arguments: args };
  use.describe({ operation: 'execute_tool', alias: undefined, target, prices: () => undefined, deadlineMs, input });
  await use.begin(target);
  const workMs = 1000 * (timeoutS ?? (await toolTimeout(deps)));
  const {
    greeting,
    tool: { input_schema },
  } = usable;
  const call = () =>
    catalogue.connections.call(opened, { name: tool, arguments: args, input_schema }, workMs, deadline, greeting);
  const audited = auditedCall(deps, source.name, tool, caller);
  await beforeCall?.();
  const result = await deps.stores.audit.runToolCall(deps.entries, audited, async () => {
    try {
      const { answer, called } = await use.meter.upstream(call);
      const masked = called.masked(resultOf(answer));
      use.answered(1);
      return masked;
    } catch (error) {
      use.failed(error);
      throw error;
    }
  });
  use.output = result;
  const warnings = [...(usable.warning ? [usable.warning] : []), ...unchecked, ...use.warnings];
  return { result, outputSchema: usable.tool.output_schema, warnings };
}

/** A call of a run is recorded under the family of runs and nowhere else. */
function auditedCall(
  { origin: { sid, requestId, run }, searches }: CallDependencies,
  connection: string,
  tool: string,
  caller: Caller,
): AuditedToolCall {
  const via = sid === undefined ? 'rest' : 'search';
  const common = { ...auditedUser(caller), request_id: requestId, via, tool } as const;
  return run
    ? { ...common, action: 'execute_tool', family: 'runs', name: toolNameOf({ connection, tool }), run_id: run.id }
    : {
        ...common,
        action: 'call',
        family: 'mcp-connections',
        name: connection,
        sid,
        isKnownSearch: (id) => searches.isKnown(caller.user, id),
      };
}

const toolTimeout = async ({ settings, stores }: CallDependencies): Promise<number> =>
  integerSetting(await settings.recent(), 'gateway', 'tool_timeout_s', stores.log);

/** @throws OutboundError */
function resultOf({ error, result, mayHaveRun }: McpToolAnswer): ToolResult {
  if (error) throw mayHaveRun ? mayBeDone(error) : error;
  if (nestsDeeperThan(result, MAX_LEVELS))
    throw answered('upstream_error', 'The result of the tool is nested too deeply.');
  const { content, structuredContent, isError, resultType } = result ?? {};
  if (resultType === 'input_required') {
    throw answered('not_supported', 'The tool asks for input during a call, which is not passed on.');
  }
  return {
    content: Array.isArray(content) ? content : [],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    isError: isError === true,
  };
}

function answered(code: 'upstream_error' | 'not_supported', message: string): OutboundError {
  return Object.assign(new OutboundError(code, message), { isAnswered: true, mayBeDone: true });
}

/** With these codes no answer came, so the message says what a caller cannot know. */
const CUT_OFF = ['timeout', 'connection_reset'];

/** The failure of a call that was sent: nobody may repeat it. */
function mayBeDone(error: OutboundError): OutboundError {
  const { code, message, httpStatus, retryAfter } = error;
  const text = CUT_OFF.includes(code) ? `${message} The tool may have run.` : message;
  const failure = new OutboundError(code, text, { httpStatus, retryAfter, cause: error });
  return Object.assign(failure, { mayBeDone: true });
}
