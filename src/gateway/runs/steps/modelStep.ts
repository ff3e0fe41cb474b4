import { type Json, MAX_JSON_LEVELS } from '../../../contract/basics.ts';
import type { Caller } from '../../../contract/caller.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import { nestsDeeperThan } from '../../../domain/values/json.ts';
import type { AgentDefinition } from '../../../families/agents/public.ts';
import { isRefusedByCallsUnderWay } from '../../../metering/limits/limitFaults.ts';
import type { RequestContext } from '../../context.ts';
import { runOperation } from '../../frame.ts';
import { checkAnswer } from '../../models/structured.ts';
import type { OperationContext } from '../../operation.ts';
import { type ChatInput, uncheckedChat } from '../../operations/chat.ts';
import { acceptedOf } from '../acceptedTools.ts';
import { cutText } from '../cutText.ts';
import type { RunDoc, RunUsage, StepDoc, TurnCall } from '../documents/stored.ts';
import { CallRestoring, type RestoredCall } from '../masked/callRestoring.ts';
import { shownResults } from '../masked/connectionCodes.ts';
import { withholdable } from '../masked/withheld.ts';
import { isKept, MAX_CALLS, type MadeCall, problemOf } from './calls.ts';
import { lateText } from './limits.ts';
import { messagesOf } from './messages.ts';
import { failForLack, lackText, listTools } from './missingTools.ts';
import type { NextAction } from './nextAction.ts';
import { isRepeatable, needsApproval, type RunTool, type RunTools, shownTarget, unknownReference } from './runTools.ts';
import { replaced, type StepOutcome, type StepWork } from './stepWork.ts';
import { toolParameters } from './toolParameters.ts';

/** A request to the model of a run. */
interface Question {
  body: ChatInput;
  tools: readonly RunTool[];
  definition: AgentDefinition;
  /** Puts values back in the calls of its answer. */
  restoring: CallRestoring;
}

type Recorder = <T>(work: (context: OperationContext) => Promise<T>) => Promise<T>;

/** One request to the model, which a step stands for before and after. */
export async function takeModelStep(work: StepWork, next: Extract<NextAction, { do: 'model' }>): Promise<StepOutcome> {
  const { site, writer, run, history, context } = work;
  const { deps } = site;
  const steps = history.steps.toSorted((a, b) => a.index - b.index);
  const listed = await listTools(work, next);
  if (listed.do === 'wait') return { history, step: undefined, lack: listed.lack };
  if (listed.do === 'fail') {
    const failed = await failForLack(work, next, listed.unavailable);
    return { history: replaced(history, failed), step: failed };
  }
  const { unavailable } = listed;
  const results = shownResults(history, steps);
  const restoring = new CallRestoring(listed.tools, results);
  const question = { ...prepareQuestion(run, steps, listed, next.withTools), restoring };
  const { model } = question.body;
  const name = typeof model === 'string' ? { name: model } : {};
  const fresh: StepDoc = { ...(next.step ?? writer.fresh(next.index, 'model', name)), unavailable };
  let step: StepDoc | undefined;
  const begin = async (): Promise<StepDoc> => {
    step ??= await writer.begin(fresh, next);
    return step;
  };
  const beforeCall = async (): Promise<void> => void (await begin());
  const { signal } = await context.enter();
  const outcome = await askModel(deps, question, fresh.index, signal, (work) =>
    site.record(run, context, (own) =>
      work({ ...own, beforeCall, restoreCall: restoring.restore, mayWithhold: withholdable(run, results) }),
    ),
  );
  // A request that was refused before it was sent has a step as well.
  const stored = await writer.finish({ ...(await begin()), ...outcome });
  const isFirstListing = next.index === 0 && (run.accepted?.length ?? 0) < run.definition.mcps.length;
  const accepted = isFirstListing
    ? { accepted: await acceptedOf(deps.stores.records, context.caller, run.definition) }
    : {};
  return { history: replaced(history, stored), step: stored, ...accepted };
}

/** @throws Fault `context_length_exceeded` */
function prepareQuestion(
  run: RunDoc,
  steps: readonly StepDoc[],
  { tools, unavailable }: RunTools,
  withTools: boolean,
): Omit<Question, 'restoring'> {
  const { definition } = run;
  const messages = messagesOf(run, steps, lackText(unavailable));
  const { max_tokens, response_variability: temperature } = definition.llm ?? {};
  // Some providers want the tools of earlier calls to be listed.
  const isListed = tools.length > 0 && (withTools || steps.some(({ call }) => call !== undefined));
  const listed = tools.map(({ served: { name, description, inputSchema } }) => ({
    type: 'function' as const,
    function: { name, description, parameters: toolParameters(inputSchema) },
  }));
  const reference = referenceOf(definition);
  const body = {
    ...(reference === undefined ? {} : { model: reference }),
    messages,
    ...(isListed ? { tools: listed } : {}),
    ...(isListed && !withTools ? { tool_choice: 'none' } : {}),
    ...(max_tokens === undefined ? {} : { max_tokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...responseFormat(definition),
  } as ChatInput;
  return { body, tools, definition };
}

const responseFormat = ({ output_schema: schema }: AgentDefinition) =>
  schema ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } } : {};

/** @throws Fault `unknown_reference` for a model that the caller may not use */
export async function assertModel(deps: RequestContext, definition: AgentDefinition, caller: Caller): Promise<void> {
  const reference = referenceOf(definition);
  await deps.resolve(caller, reference).catch((error: unknown) => {
    if (error instanceof Fault && (error.code === 'not_found' || error.code === 'ambiguous_reference')) {
      throw unknownReference(`the model ${reference ?? 'default'}`);
    }
    throw error;
  });
}

export function referenceOf({ llm }: AgentDefinition): string | undefined {
  if (!llm) return undefined;
  const { service, connection_name, model } = llm;
  return service === undefined ? model : [service, connection_name, model].join('/');
}

/** Fields that the end of a step of the model adds to it. */
type ModelOutcome = Required<Pick<StepDoc, 'state' | 'output' | 'usage'>> &
  Pick<StepDoc, 'calls' | 'echoed' | 'error_code' | 'problems'>;

/**
 * @param index of the step
 * @returns the model's answer, or the failure of the provider
 * @throws Fault `store_unavailable`, and `limit_exceeded` where only calls under way are in the way
 */
async function askModel(
  deps: RequestContext,
  { body, tools, definition, restoring }: Question,
  index: number,
  signal: AbortSignal,
  record: Recorder,
): Promise<ModelOutcome> {
  let used: RunUsage = { requests: 1, input_tokens: 0, output_tokens: 0 };
  try {
    const { response } = await record((context) => runOperation(uncheckedChat, context, body));
    const { choices, usage, ml } = response;
    const [choice] = choices;
    const message = choice?.message as Answer;
    used = {
      requests: 1,
      input_tokens: usage.prompt_tokens,
      output_tokens: usage.completion_tokens,
      ...(ml.cost === undefined ? {} : { cost: ml.cost }),
    };
    const { role: _, content, refusal, tool_calls: made = [], ...echoed } = message;
    if (choice?.finish_reason === 'content_filter' || (refusal && made.length === 0)) {
      const output = filteredText(ml.model, refusal ?? content ?? '');
      return { state: 'failed', output, error_code: 'content_filtered', usage: used };
    }
    const calls = await turnCalls(deps, definition, tools, withValues(made, restoring), index, signal);
    // Providers want to see the reasoning before calls again, but not that before an answer.
    const reasons = calls.length > 0 ? { echoed: keptEcho(echoed) } : {};
    const output = content ?? '';
    const problems = calls.length > 0 ? [] : await problemsOf(deps, definition, output, choice?.finish_reason ?? '');
    const checked = problems.length > 0 ? { problems } : {};
    return { state: 'done', output, calls, ...reasons, ...checked, usage: used };
  } catch (error) {
    if (!(error instanceof Fault || error instanceof OutboundError) || error.code === 'store_unavailable') throw error;
    if (isRefusedByCallsUnderWay(error)) throw error;
    return { state: 'failed', output: error.message, error_code: error.code, usage: used };
  }
}

/** The problems that are kept of an answer, and the characters of each. */
const MAX_PROBLEMS = 5;
const MAX_PROBLEM = 500;

/** Why an answer is not what the agent's schema asks for; none without a schema. */
async function problemsOf(
  deps: RequestContext,
  { output_schema: schema }: AgentDefinition,
  content: string,
  finishReason: string,
): Promise<string[]> {
  if (!schema) return [];
  const answer = { message: { content }, toolCalls: [], finishReason };
  const { problems, warnings } = await checkAnswer(deps.schemas, schema, answer);
  // Nobody else checks it.
  return [...problems, ...warnings].slice(0, MAX_PROBLEMS).map((problem) => problem.slice(0, MAX_PROBLEM));
}

/** A message of Chat Completions. */
interface Answer extends Json {
  content: string | null;
  refusal: string | null;
  tool_calls?: MadeCall[];
}

/** Maximum for the reasoning of one answer, in bytes. */
const MAX_REASONING = 64 * 1024;

/** Text may be cut; signed and encrypted values are sent again as they came, or not at all. */
function keptEcho({ reasoning_content: reasoning, ...others }: Json): Json {
  return {
    ...(typeof reasoning === 'string' ? { reasoning_content: cutText(reasoning, MAX_REASONING) } : {}),
    ...(Buffer.byteLength(stringifyExact(others)) <= MAX_REASONING ? others : {}),
  };
}

const MAX_WORDS = 1000;

/** @param words what the model says instead of an answer */
function filteredText(model: string, words: string): string {
  const said = words.trim() === '' ? '' : ` It said: ${cutText(words.trim(), MAX_WORDS)}`;
  return `The model ${model}, or a content filter of its provider, refused to answer. Change the input, the prompts or the model.${said}`;
}

/** The calls of one answer. Of too many calls the first stands for all, and goes back to the model. @throws OutboundError `timeout` */
async function turnCalls(
  deps: RequestContext,
  definition: AgentDefinition,
  tools: readonly RunTool[],
  made: readonly ValuedCall[],
  step: number,
  signal: AbortSignal,
): Promise<TurnCall[]> {
  const calls: TurnCall[] = [];
  const isTooMany = made.length > MAX_CALLS;
  for (const [index, call] of (isTooMany ? made.slice(0, 1) : made).entries()) {
    // A check of arguments may take a second.
    if (signal.aborted) throw new OutboundError('timeout', lateText(definition));
    calls.push(await turnCall(deps, definition, tools, call, `call_${step}_${index}`));
  }
  if (!isTooMany) return calls;
  const problem = `validation_failed: The answer had ${made.length} calls, and at most ${MAX_CALLS} are taken at a time. None of them was made.`;
  return calls.map(({ target: _, shown: _shown, ...call }) => ({
    ...call,
    arguments: '{}',
    problem,
    needsApproval: false,
  }));
}

/** A call as the model made it, with its values. */
type ValuedCall = MadeCall & { restored: RestoredCall };

const withValues = (made: readonly MadeCall[], { calls }: CallRestoring): ValuedCall[] =>
  made.map((call, index) => {
    const restored = calls[index];
    // Without this it would not be known what must not go out.
    if (!restored) throw new Error('A call of the answer was not restored');
    return { ...call, restored };
  });

/** @param id where the model gave none */
async function turnCall(
  deps: RequestContext,
  definition: AgentDefinition,
  tools: readonly RunTool[],
  { restored, ...made }: ValuedCall,
  id: string,
): Promise<TurnCall> {
  const { name = '' } = made.function ?? {};
  const { arguments: text, sent } = restored;
  const tool = tools.find(({ served }) => served.name === name);
  const problem = restored.problem ?? (await problemOf(deps, tools, name, text));
  const waits = problem === undefined && tool !== undefined && needsApproval(definition, tool);
  return {
    id: made.id === undefined || made.id === '' ? id : made.id,
    name,
    // Arguments that are too long or too deep are neither stored nor sent back.
    arguments: isKept(text) ? text : '{}',
    ...(sent === undefined || problem !== undefined ? {} : { sent }),
    ...(tool ? { target: tool.target } : {}),
    ...(problem === undefined ? {} : { problem }),
    needsApproval: waits,
    isRepeatable: tool !== undefined && isRepeatable(tool),
    // After a crash a person may be asked also about a call that needs no approval.
    ...(tool?.offer ? { shown: shownTarget(tool.offer) } : {}),
    ...(made.extra_content && !nestsDeeperThan(made.extra_content, MAX_JSON_LEVELS)
      ? { extra: made.extra_content }
      : {}),
  };
}
