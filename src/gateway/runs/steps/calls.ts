import { isObject, type Json } from '../../../contract/basics.ts';
import type { Caller } from '../../../contract/caller.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { StepState } from '../../../contract/families/runs.ts';
import { stringifyExact } from '../../../domain/values/exactJson.ts';
import { argumentsOf } from '../../../domain/values/json.ts';
import type { TurnCall } from '../../../families/runs/public.ts';
import { STORE_INPUT } from '../../mcp/storeKind.ts';
import type { RetrieveInput } from '../../retrieval/retrieve.ts';
import { serveRetrieve } from '../../retrieval/retrieve.ts';
import { callTool, type ToolResult } from '../../tools/callTool.ts';
import { assertArguments, checkArguments } from '../../tools/checkArguments.ts';
import { ToolCatalogue } from '../../tools/usableTools.ts';
import type { Serving } from '../../use/serving.ts';
import { cutText } from '../cutText.ts';
import { type RunDependencies, type RunTool, unknownReference } from './runTools.ts';

/** Results of tools are cut for the model, in bytes. */
const MAX_RESULT = 32 * 1024;

/** How the call of a tool or store ended. */
export interface CallOutcome {
  state: Extract<StepState, 'done' | 'failed'>;
  /** What the model reads. */
  output: string;
  error_code?: string;
}

/**
 * Calls a tool or asks a store, at most once. What fails is an answer for the model.
 * @throws Fault `unknown_reference` if the caller may not read the connection or store any more; `store_unavailable`
 */
export async function makeCall(
  deps: RunDependencies,
  caller: Caller,
  target: NonNullable<TurnCall['target']>,
  args: Json,
  serving: Serving,
): Promise<CallOutcome> {
  try {
    if (target.kind === 'retrieve') {
      await assertArguments(deps.schemas, STORE_INPUT, args);
      const input = { ...args, store: target.store } as unknown as RetrieveInput;
      const { response } = await serveRetrieve(deps, input, serving);
      return { state: 'done', output: cut(JSON.stringify(response)) };
    }
    const { connection, tool } = target;
    const catalogue = new ToolCatalogue(deps);
    const opened = await catalogue.connections.open(caller, connection);
    const { result } = await callTool(deps, catalogue, { opened, tool, arguments: args }, serving);
    const output = cut(textOfResult(result));
    return result.isError ? { state: 'failed', output, error_code: 'tool_error' } : { state: 'done', output };
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found') {
      throw unknownReference(target.kind === 'tool' ? `the MCP connection ${target.connection}` : target.store);
    }
    return failedCall(error);
  }
}

/**
 * What the model reads of a call that could not be made.
 * @throws what is not a failure of the call; Fault `store_unavailable`, after which the step can be taken again
 */
export function failedCall(error: unknown): CallOutcome {
  if (!(error instanceof Fault || error instanceof OutboundError) || error.code === 'store_unavailable') throw error;
  return { state: 'failed', output: `${error.code}: ${error.message}`, error_code: error.code };
}

/** Texts as they are, everything else as JSON. */
function textOfResult({ content, structuredContent }: ToolResult): string {
  const texts = content.map((part) => (part.type === 'text' && typeof part.text === 'string' ? part.text : undefined));
  if (texts.length > 0 && !texts.includes(undefined)) return texts.join('\n');
  return stringifyExact(structuredContent ?? content);
}

const cut = (text: string): string => cutText(text, MAX_RESULT);

/** Longer arguments go back to the model, or to the person who edited them; in bytes. */
export const MAX_ARGUMENTS = 64 * 1024;

/** A call as a model made it, of Chat Completions. */
export interface MadeCall {
  id?: string;
  function?: { name?: string; arguments?: string };
  extra_content?: Json;
}

/** Why a call cannot be made, in words for the model. */
export async function problemOf(
  deps: Pick<RunDependencies, 'schemas'>,
  tool: RunTool | undefined,
  name: string,
  text: string,
): Promise<string | undefined> {
  if (!tool) return `tool_not_found: There is no tool ${name.slice(0, 100)}.`;
  if (Buffer.byteLength(text) > MAX_ARGUMENTS)
    return `validation_failed: The arguments are longer than ${MAX_ARGUMENTS} bytes.`;
  const args = argumentsOf(text);
  if (!args) return 'validation_failed: The arguments are not a JSON object.';
  try {
    const { inputSchema } = tool.served;
    await checkArguments(deps.schemas, isObject(inputSchema) ? inputSchema : undefined, args);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `${error.code}: ${error.message}`;
  }
}
