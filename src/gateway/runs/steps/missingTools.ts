import { ToolCatalogue } from '../../tools/usableTools.ts';
import type { RunDoc, StepDoc, UnavailableTools } from '../documents/stored.ts';
import { timeLeft } from './limits.ts';
import type { NextAction } from './nextAction.ts';
import { type RunTools, toolsOfRun } from './runTools.ts';
import type { StepWork } from './stepWork.ts';

/** Seconds before each further try to list the tools of an agent. */
const PAUSES_S = [2, 8];

/** Tools for a request to the model, or why the model is not asked. */
export type ListedTools =
  | (RunTools & { do: 'ask' })
  /** They are listed once more, at the time that the run notes. */
  | { do: 'wait'; lack: NonNullable<RunDoc['lack']> }
  | { do: 'fail'; unavailable: UnavailableTools[] };

/**
 * Lists the tools of a run for one request to the model. The run notes each failed try, so that the next one is due at its time
 * whichever process comes then.
 * @throws Fault `unknown_reference`, `too_many_requests`
 */
export async function listTools(
  { site, run, context }: StepWork,
  { index }: Extract<NextAction, { do: 'model' }>,
): Promise<ListedTools> {
  const { deps, store } = site;
  const { definition, lack } = run;
  const earlier = lack?.index === index ? lack : undefined;
  // Connects the request with its slot before a server is asked.
  await context.enter();
  const listed = await toolsOfRun(new ToolCatalogue(deps), deps, context.caller, definition, earlier !== undefined);
  const { unavailable } = listed;
  if (unavailable.length === 0 || definition.on_unavailable === 'continue') return { do: 'ask', ...listed };
  const tries = (earlier?.tries ?? 0) + 1;
  const pause = PAUSES_S[tries - 1];
  const now = store.now();
  if (pause === undefined || pause >= timeLeft(run, now)) return { do: 'fail', unavailable };
  return { do: 'wait', lack: { index, tries, until: now + pause } };
}

/** Without some of its tools a model would answer something else, so it is not asked. */
export function failForLack(
  { writer }: StepWork,
  next: Extract<NextAction, { do: 'model' }>,
  unavailable: UnavailableTools[],
): Promise<StepDoc> {
  const step = next.step ?? writer.fresh(next.index, 'model', {});
  const output = `The model was not asked, since tools of the agent are missing: ${namesOf(unavailable)}.`;
  const failed: StepDoc = { ...step, state: 'failed', error_code: 'tools_unavailable', output, unavailable };
  return next.step ? writer.finish(failed) : writer.insertEnded(failed);
}

/** Words for the model about tools that are missing; undefined if none is. */
export const lackText = (unavailable: readonly UnavailableTools[]): string | undefined =>
  unavailable.length === 0
    ? undefined
    : `These tools are not available now: ${namesOf(unavailable)}. Work without them, and say in your answer what could not be looked up for that reason.`;

const KINDS: Readonly<Record<UnavailableTools['kind'], string>> = {
  mcp_connection: 'the MCP connection',
  vector_store: 'the vector store',
  search_tool: 'the search tool',
};

/** Names of the missing tools, in words. */
export const namesOf = (unavailable: readonly UnavailableTools[]): string =>
  unavailable.map(({ kind, name, error_code }) => `${KINDS[kind]} ${name} (${error_code})`).join(', ');
