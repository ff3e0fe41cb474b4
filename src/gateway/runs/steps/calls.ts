import { isObject, type Json, MAX_JSON_LEVELS } from '../../../contract/basics.ts';
import { Fault, invalid } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { stringifyWellFormed } from '../../../contract/exactJson.ts';
import type { StepState } from '../../../contract/families/runs.ts';
import { argumentsOf, nestsDeeperThan } from '../../../domain/values/json.ts';
import { someNames } from '../../../domain/values/texts.ts';
import type { OpenConnection } from '../../../families/mcp-connections/public.ts';
import { isRefusedByCallsUnderWay } from '../../../metering/limits/limitFaults.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { RequestContext } from '../../context.ts';
import { runOperation } from '../../frame.ts';
import { STORE_INPUT } from '../../mcp/storeKind.ts';
import type { OperationContext } from '../../operation.ts';
import { type RetrieveInput, retrieve } from '../../operations/retrieve.ts';
import { searchCall } from '../../operations/search.ts';
import { type RunArguments, toolCall } from '../../operations/tool.ts';
import { assertArguments, checkArguments } from '../../tools/checkArguments.ts';
import { ToolCatalogue } from '../../tools/usableTools.ts';
import { cutText } from '../cutText.ts';
import type { ShownTarget, TurnCall } from '../documents/stored.ts';
import { textOfResult } from './resultText.ts';
import { type RunTool, shownTarget, unknownReference } from './runTools.ts';

/** Results of tools are cut for the model, in bytes. */
const MAX_RESULT = 32 * 1024;

/** How the call of a tool or store ended. */
export interface CallOutcome {
  state: Extract<StepState, 'done' | 'failed'>;
  /** The text that the model reads. */
  output: string;
  error_code?: string;
  /** The model reads only a part of the result. */
  is_cut?: true;
  /** The search job of a search tool. */
  sid?: string;
}

/** The approved call would go to something else by now. */
export class ChangedSinceShown extends Error {
  readonly now: ShownTarget;
  /** The change, in words. */
  readonly what: string;

  constructor(shown: ShownTarget, now: ShownTarget, { connection, tool }: ToolTarget) {
    const host = `the host of the MCP connection ${connection} is ${now.host} (was ${shown.host})`;
    const definition = `the definition of the tool ${tool} has changed`;
    const what = [now.host === shown.host ? [] : host, now.fingerprint === shown.fingerprint ? [] : definition];
    super('changed since it was shown');
    this.now = now;
    this.what = what.flat().join(', and ');
  }
}

type ToolTarget = Extract<NonNullable<TurnCall['target']>, { kind: 'tool' }>;

/**
 * Asks the server of an approved call for its tools anew.
 * @throws ChangedSinceShown; Fault; OutboundError
 */
export async function assertAsShown(
  catalogue: ToolCatalogue,
  opened: OpenConnection,
  { target, shown }: TurnCall,
  deadline: Deadline,
): Promise<void> {
  if (target?.kind !== 'tool' || !shown) return;
  catalogue.forget(opened.source);
  const offer = await catalogue.offerOf(opened, target.tool, deadline);
  // The call of a tool that is gone fails by itself.
  const now = offer && shownTarget(offer);
  if (now && (now.host !== shown.host || now.fingerprint !== shown.fingerprint)) {
    throw new ChangedSinceShown(shown, now, target);
  }
}

/**
 * Calls a tool or asks a store, at most once. What fails is an answer for the model.
 * @param approved the call as it was shown, if a person was asked about it
 * @param own what goes to a tool although policies would mask it
 * @throws Fault `unknown_reference` if the caller may not read the connection or store any more; `store_unavailable`; ChangedSinceShown
 */
export async function makeCall(
  target: NonNullable<TurnCall['target']>,
  args: Json,
  context: OperationContext,
  approved?: TurnCall,
  own?: RunArguments,
): Promise<CallOutcome> {
  const { deps, caller } = context;
  try {
    if (target.kind === 'retrieve') {
      await assertArguments(deps.schemas, STORE_INPUT, args);
      const input = { ...args, store: target.store } as unknown as RetrieveInput;
      const { response } = await runOperation(retrieve, context, input);
      return { state: 'done', ...shown(stringifyWellFormed(response)) };
    }
    if (target.kind === 'search') {
      const { response } = await runOperation(searchCall, context, { tool: target.tool, arguments: args });
      const { sid, truncated } = response.result;
      const more = { ...(sid === undefined ? {} : { sid }), ...(truncated ? { is_cut: true as const } : {}) };
      return { state: 'done', output: response.text, ...more };
    }
    const { connection, tool } = target;
    const catalogue = new ToolCatalogue(deps);
    const opened = await catalogue.connections.open(caller, connection);
    if (approved) await assertAsShown(catalogue, opened, approved, await context.enter());
    const call = { catalogue, opened, tool, arguments: args, own };
    const { result } = (await runOperation(toolCall, context, call)).response;
    const output = shown(textOfResult(result));
    return result.isError ? { state: 'failed', ...output, error_code: 'tool_error' } : { state: 'done', ...output };
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found') {
      throw unknownReference(labelOf(target));
    }
    return failedCall(error);
  }
}

function labelOf(target: NonNullable<TurnCall['target']>): string {
  if (target.kind === 'tool') return `the MCP connection ${target.connection}`;
  return target.kind === 'search' ? `the search tool ${target.tool}` : target.store;
}

/**
 * The outcome that the model reads of a call that could not be made.
 * @throws what is not a failure of the call; Fault `store_unavailable`, `acl_denied`, and `limit_exceeded` where only calls under way are
 *   in the way, after which the step can be taken again
 */
export function failedCall(error: unknown): CallOutcome {
  const isFailure = error instanceof Fault || error instanceof OutboundError;
  if (!isFailure || error.code === 'store_unavailable' || error.code === 'acl_denied') throw error;
  if (isRefusedByCallsUnderWay(error)) throw error;
  const { sid } = error instanceof Fault ? error.extra : {};
  const job = typeof sid === 'string' ? { sid } : {};
  return { state: 'failed', output: cut(`${error.code}: ${error.message}`), error_code: error.code, ...job };
}

const cut = (text: string): string => cutText(text, MAX_RESULT);

/** The part of a result that the model sees. */
function shown(text: string): Pick<CallOutcome, 'output' | 'is_cut'> {
  const output = cut(text);
  return output === text ? { output } : { output, is_cut: true };
}

/** Longer arguments go back to the model, or to the person who edited them; in bytes. */
export const MAX_ARGUMENTS = 64 * 1024;

/** Maximum of calls in one answer. */
export const MAX_CALLS = 256;

/** @throws Fault `validation_failed` for a value of a body that is nested too deeply */
export function assertShallow(field: string, value: unknown): void {
  if (nestsDeeperThan(value, MAX_JSON_LEVELS)) {
    throw invalid([{ field, message: `must not be nested deeper than ${MAX_JSON_LEVELS} levels` }]);
  }
}

/** Whether the arguments that a model wrote can be stored and sent back to it. */
export const isKept = (text: string): boolean =>
  Buffer.byteLength(text) <= MAX_ARGUMENTS && !nestsDeeperThan(argumentsOf(text), MAX_JSON_LEVELS);

/** A call as a model made it, of Chat Completions. */
export interface MadeCall {
  id?: string;
  function?: { name?: string; arguments?: string };
  extra_content?: Json;
}

/** Why a call cannot be made, in words for the model. */
export async function problemOf(
  deps: Pick<RequestContext, 'schemas'>,
  tools: readonly RunTool[],
  name: string,
  text: string,
): Promise<string | undefined> {
  const tool = tools.find(({ served }) => served.name === name);
  if (!tool) {
    const existing = tools.length === 0 ? '' : ` The tools are ${someNames(tools.map(({ served }) => served.name))}.`;
    return `tool_not_found: There is no tool ${name.slice(0, 100)}.${existing}`;
  }
  if (Buffer.byteLength(text) > MAX_ARGUMENTS)
    return `validation_failed: The arguments are longer than ${MAX_ARGUMENTS} bytes.`;
  const args = argumentsOf(text);
  if (!args) return 'validation_failed: The arguments are not a JSON object.';
  if (nestsDeeperThan(args, MAX_JSON_LEVELS))
    return `validation_failed: The arguments are nested deeper than ${MAX_JSON_LEVELS} levels.`;
  try {
    const { inputSchema } = tool.served;
    await checkArguments(deps.schemas, isObject(inputSchema) ? inputSchema : undefined, args);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `${error.code}: ${error.message}`;
  }
}
