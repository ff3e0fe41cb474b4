import type { Static } from 'typebox';
import { auditedUser, type CountedWork } from '../../contract/audit.ts';
import type { Json } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { withSentence } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { integerSetting } from '../../contract/settings/integerSetting.ts';
import { nestsDeeperThan } from '../../domain/values/json.ts';
import type { OpenConnection } from '../../families/mcp-connections/public.ts';
import { unmasked, type Walk } from '../../masking/outgoing.ts';
import { isSecret } from '../../masking/policy/kinds.ts';
import { NO_TOKENS } from '../../metering/tokens.ts';
import type { McpToolAnswer, McpToolCall } from '../../ports/mcp/mcpClient.ts';
import type { RequestContext } from '../context.ts';
import { scopeOf, type ValuedAnswer, withValues } from '../masking/answers.ts';
import { withCheckedBodies } from '../masking/chats.ts';
import { type MaskedFor, maskFor } from '../masking/masker.ts';
import { mapStrings } from '../masking/strings.ts';
import type { Operation, OperationContext, Target } from '../operation.ts';
import { checkArguments } from '../tools/checkArguments.ts';
import type { ToolCallBody, ToolCallReply } from '../tools/schemas.ts';
import { toolNameOf } from '../tools/toolNames.ts';
import { ToolCatalogue } from '../tools/usableTools.ts';

export type ToolCallInput = Static<typeof ToolCallBody>;

export interface ToolResult {
  content: Json[];
  /** Any value since 2026-07-28; an object before. */
  structuredContent?: unknown;
  isError: boolean;
}

/** Deeper results could not be written as JSON. */
const MAX_LEVELS = 500;

export interface ToolCall {
  /** As the caller may read it now. */
  opened: OpenConnection;
  catalogue: ToolCatalogue;
  tool: string;
  arguments: Json;
  timeoutS?: number | undefined;
  /** In a run: what goes to the tool although policies would mask it. */
  own?: RunArguments | undefined;
}

export interface RunArguments {
  /** Names of arguments that a person wrote. */
  edited: readonly string[];
  /** Whether the connection has brought a value itself. */
  hasBrought(value: string): boolean;
}

export interface CalledTool {
  result: ToolResult;
  outputSchema: Json | undefined;
}

/** Calls a tool at most once: slot, definition, arguments, limits, audit, call. Nothing here repeats a call. */
export const toolCall: Operation<ToolCall, Target, ValuedAnswer<ToolResult>, CalledTool> = {
  name: 'execute_tool',
  hasEffects: true,
  async open(context, { opened, catalogue, tool, arguments: args, timeoutS, own }) {
    const { deps, caller, use } = context;
    const { source } = opened;
    const target = { service: 'mcp', connection_name: source.name, model: tool };
    return async (deadline) => {
      const find = () => catalogue.one(caller, opened, tool, deadline);
      const usable = await (catalogue.needsServer([source]) ? use.meter.upstream(find) : find());
      const { input_schema, output_schema } = usable.tool;
      const unchecked = await checkArguments(deps.schemas, input_schema, args);
      const call = { name: tool, arguments: args, input_schema };
      return {
        input: { arguments: args },
        targets: [target],
        open: async () => target,
        async send(upstream) {
          const workMs = 1000 * (timeoutS ?? (await toolTimeout(deps)));
          const { content, masked } = await outgoingCall(context, target, call, {
            own,
            unmaskKinds: source.details.unmask_kinds,
          });
          if (masked || deps.origin.run) use.input = { arguments: content.arguments };
          const audited = auditedCall(deps, source.name, tool, caller);
          return deps.stores.audit.runCounted(deps.entries, audited, async () => {
            const { connections } = catalogue;
            const { answer, called } = await withCheckedBodies(() =>
              upstream.request(() => connections.call(opened, content, workMs, upstream, usable.greeting)),
            );
            return withValues(called.masked(resultOf(answer)), masked);
          });
        },
        result: ({ answer, logged }) => ({
          response: { result: answer, outputSchema: output_schema },
          tokens: NO_TOKENS,
          charge: undefined,
          output: logged,
          warnings: [...(usable.warning ? [usable.warning] : []), ...unchecked, ...use.warnings],
        }),
      };
    };
  },
};

/** In a run the rules for its model have decided before which values go to the tool. @throws Fault `content_refused`, `masking_failed` */
async function outgoingCall(
  context: OperationContext,
  target: Target,
  call: McpToolCall,
  { own, unmaskKinds = [] }: { own: RunArguments | undefined; unmaskKinds: readonly string[] | undefined },
): Promise<MaskedFor<McpToolCall>> {
  const { origin } = context.deps;
  const task = { operation: 'execute_tool', target, scope: scopeOf(origin, target.connection_name) } as const;
  const outgoing = await maskFor(context, task, call, withArgumentTexts);
  if (!origin.run || !outgoing.masked) return outgoing;
  const { content, masked } = outgoing;
  const args = masked.restorer.arguments(content.arguments, {
    mayRestore: ({ kind, plain }) => !isSecret(kind) && (unmaskKinds.includes(kind) || own?.hasBrought(plain) === true),
  });
  const edited = (own?.edited ?? []).map((name) => [name, call.arguments[name]]);
  // Its result stays as it is: a value that the server only says again would count as brought by it.
  return { content: unmasked({ ...call, arguments: { ...args, ...Object.fromEntries(edited) } }) };
}

const withArgumentTexts: Walk<McpToolCall> = (call, replace, _, read) => {
  read(call.arguments);
  return { ...call, arguments: mapStrings(call.arguments, replace) };
};

/** `POST /ai_gateway/tools/call`. */
export const tool: Operation<ToolCallInput, Target, ValuedAnswer<ToolResult>, Static<typeof ToolCallReply>> = {
  name: 'execute_tool',
  hasEffects: true,
  row: 'callTool',
  flag: 'mcp_connections',
  isExact: true,
  async open(context, { connection, tool: name, arguments: args, timeout_s: timeoutS }) {
    const catalogue = new ToolCatalogue(context.deps);
    const opened = await catalogue.connections.open(context.caller, connection);
    const complete = await toolCall.open(context, { opened, catalogue, tool: name, arguments: args ?? {}, timeoutS });
    return async (deadline) => {
      const plan = await complete(deadline);
      return {
        ...plan,
        result: (called, target) => ({ ...plan.result(called, target), response: replyOf(called.answer) }),
      };
    };
  },
};

function replyOf({ content, structuredContent, isError }: ToolResult): Static<typeof ToolCallReply> {
  const structured = structuredContent === undefined ? {} : { structured_content: structuredContent };
  return { result: { content, ...structured, is_error: isError } };
}

/** A call of a run is recorded under the family of runs and nowhere else. */
function auditedCall(
  { origin: { sid, requestId, run }, searches }: RequestContext,
  connection: string,
  tool: string,
  caller: Caller,
): CountedWork {
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

const toolTimeout = async ({ settings, stores }: RequestContext): Promise<number> =>
  integerSetting(await settings.recent(), 'gateway', 'tool_timeout_s', stores.log);

/** @throws OutboundError */
function resultOf({ error, result, mayHaveRun }: McpToolAnswer): ToolResult {
  if (error) throw mayHaveRun ? mayBeDone(error) : error;
  if (nestsDeeperThan(result, MAX_LEVELS))
    throw answered('upstream_error', 'The result of the tool is nested too deeply');
  const { content, structuredContent, isError, resultType } = result ?? {};
  if (resultType === 'input_required') {
    throw answered('not_supported', 'The tool asks for input during a call, which is not passed on');
  }
  return {
    content: Array.isArray(content) ? content : [],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    isError: isError === true,
  };
}

function answered(code: 'upstream_error' | 'not_supported', message: string): OutboundError {
  return new OutboundError(code, message, { isAnswered: true, mayBeDone: true });
}

/** With these codes no answer came, so the message says what a caller cannot know. */
const CUT_OFF = ['timeout', 'connection_reset'];

/** The failure of a call that was sent: nobody may repeat it. */
function mayBeDone(error: OutboundError): OutboundError {
  const { code, message } = error;
  return error.saying(CUT_OFF.includes(code) ? withSentence(message, 'The tool may have run.') : message, {
    mayBeDone: true,
  });
}
