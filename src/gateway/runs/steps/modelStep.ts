import type { Caller } from '../../../contract/caller.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { AgentDefinition } from '../../../families/agents/public.ts';
import type { RunDoc, RunUsage, StepDoc, TurnCall } from '../../../families/runs/public.ts';
import { type ChatInput, serveChat } from '../../models/operations.ts';
import { ToolCatalogue } from '../../tools/usableTools.ts';
import type { Serving } from '../../use/serving.ts';
import { acceptedOf } from '../acceptedTools.ts';
import { cutText } from '../cutText.ts';
import { MAX_ARGUMENTS, type MadeCall, problemOf } from './calls.ts';
import { messagesOf } from './messages.ts';
import type { Next } from './next.ts';
import {
  isRepeatable,
  needsApproval,
  type RunDependencies,
  type RunTool,
  toolsOfRun,
  unknownReference,
} from './runTools.ts';
import { type Acted, replaced, type StepWork } from './stepWork.ts';

/** A request to the model of a run. */
interface Question {
  body: ChatInput;
  tools: readonly RunTool[];
  definition: AgentDefinition;
}

type Recorder = <T>(work: (serving: Serving) => Promise<T>) => Promise<T>;

/** One request to the model, which a step stands for before and after. */
export async function takeModelStep(
  { site, writer, run, history, serving }: StepWork,
  next: Extract<Next, { do: 'model' }>,
): Promise<Acted> {
  const { deps } = site;
  const steps = history.steps.toSorted((a, b) => a.index - b.index);
  const question = await prepareQuestion(deps, new ToolCatalogue(deps), run, steps, next.withTools, serving.caller);
  const { model } = question.body;
  const name = model === undefined ? {} : { name: model };
  const step = await writer.begin(next.step ?? writer.fresh(next.index, 'model', name), next);
  const stored = await writer.finish(await askModel(deps, question, step, (work) => site.record(run, serving, work)));
  const isFirstListing = next.index === 0 && (run.accepted?.length ?? 0) < run.definition.mcps.length;
  const accepted = isFirstListing
    ? { accepted: await acceptedOf(deps.stores.records, serving.caller, run.definition) }
    : {};
  return { history: replaced(history, stored), step: stored, ...accepted };
}

/** @throws Fault `unknown_reference`, `context_length_exceeded` */
async function prepareQuestion(
  deps: RunDependencies,
  catalogue: ToolCatalogue,
  run: RunDoc,
  steps: readonly StepDoc[],
  withTools: boolean,
  caller: Caller,
): Promise<Question> {
  const { definition } = run;
  const { tools } = await toolsOfRun(catalogue, deps.stores.records, caller, definition);
  const messages = messagesOf(run, steps);
  const { max_tokens, response_variability: temperature } = definition.llm ?? {};
  // Some providers want the tools of earlier calls to be listed.
  const isListed = tools.length > 0 && (withTools || steps.some(({ call }) => call !== undefined));
  const listed = tools.map(({ served: { name, description, inputSchema } }) => ({
    type: 'function' as const,
    function: { name, description, parameters: inputSchema },
  }));
  const reference = referenceOf(definition);
  const body = {
    ...(reference === undefined ? {} : { model: reference }),
    messages,
    ...(isListed ? { tools: listed } : {}),
    ...(isListed && !withTools ? { tool_choice: 'none' } : {}),
    ...(max_tokens === undefined ? {} : { max_tokens }),
    ...(temperature === undefined ? {} : { temperature }),
  } as ChatInput;
  return { body, tools, definition };
}

/** @throws Fault `unknown_reference` for a model that the caller may not use */
export async function assertModel(deps: RunDependencies, definition: AgentDefinition, caller: Caller): Promise<void> {
  const reference = referenceOf(definition);
  await deps.resolve(caller, reference).catch((error: unknown) => {
    if (error instanceof Fault && (error.code === 'not_found' || error.code === 'ambiguous_reference')) {
      throw unknownReference(`the model ${reference ?? 'default'}`);
    }
    throw error;
  });
}

function referenceOf({ llm }: AgentDefinition): string | undefined {
  if (!llm) return undefined;
  const { service, connection_name, model } = llm;
  return service === undefined ? model : [service, connection_name, model].join('/');
}

/** @returns the step with the model's answer, or with the failure of the provider. @throws Fault `store_unavailable` */
async function askModel(
  deps: RunDependencies,
  { body, tools, definition }: Question,
  step: StepDoc,
  record: Recorder,
): Promise<StepDoc> {
  try {
    const { response } = await record((serving) => serveChat(deps, body, serving));
    const { choices, usage, ml } = response;
    const [choice] = choices;
    const message = choice?.message as { content: string | null; refusal: string | null; tool_calls?: MadeCall[] };
    const used: RunUsage = {
      requests: 1,
      input_tokens: usage.prompt_tokens,
      output_tokens: usage.completion_tokens,
      ...(ml.cost === undefined ? {} : { cost: ml.cost }),
    };
    const { tool_calls: made = [], refusal } = message;
    if (choice?.finish_reason === 'content_filter' || (refusal && made.length === 0)) {
      const output = filteredText(ml.model, refusal ?? message.content ?? '');
      return { ...step, state: 'failed', output, error_code: 'content_filtered', usage: used };
    }
    const calls: TurnCall[] = [];
    for (const [index, call] of made.entries()) {
      calls.push(await turnCall(deps, definition, tools, call, `call_${step.index}_${index}`));
    }
    return { ...step, state: 'done', output: message.content ?? '', calls, usage: used };
  } catch (error) {
    if (!(error instanceof Fault || error instanceof OutboundError) || error.code === 'store_unavailable') throw error;
    const usage: RunUsage = { requests: 1, input_tokens: 0, output_tokens: 0 };
    return { ...step, state: 'failed', output: error.message, error_code: error.code, usage };
  }
}

const MAX_WORDS = 1000;

/** @param words what the model says instead of an answer */
function filteredText(model: string, words: string): string {
  const said = words.trim() === '' ? '' : ` It said: ${cutText(words.trim(), MAX_WORDS)}`;
  return `The model ${model}, or a content filter of its provider, refused to answer. Change the input, the prompts or the model.${said}`;
}

/** @param id where the model gave none */
async function turnCall(
  deps: RunDependencies,
  definition: AgentDefinition,
  tools: readonly RunTool[],
  made: MadeCall,
  id: string,
): Promise<TurnCall> {
  const { name = '', arguments: text = '' } = made.function ?? {};
  const tool = tools.find(({ served }) => served.name === name);
  const problem = await problemOf(deps, tool, name, text);
  return {
    id: made.id === undefined || made.id === '' ? id : made.id,
    name,
    // Arguments that are too long are not stored.
    arguments: problem !== undefined && Buffer.byteLength(text) > MAX_ARGUMENTS ? '{}' : text,
    ...(tool ? { target: tool.target } : {}),
    ...(problem === undefined ? {} : { problem }),
    needsApproval: problem === undefined && tool !== undefined && needsApproval(definition, tool),
    isRepeatable: tool !== undefined && isRepeatable(tool),
    ...(made.extra_content ? { extra: made.extra_content } : {}),
  };
}
