import type { Json } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { stringifyExact } from '../../contract/exactJson.ts';
import type { RunState } from '../../contract/families/runs.ts';
import type { InternalCalls } from '../../contract/rows/internalCalls.ts';
import { withoutUndefined } from '../../domain/values/json.ts';
import type { AgentDefinitions } from '../../families/agents/public.ts';
import type { ServedTool } from '../../ports/mcp/mcpServer.ts';
import type { SchemaChecks } from '../../ports/platform/schemaChecks.ts';
import type { ToolResult } from '../operations/tool.ts';
import { assertArguments } from '../tools/checkArguments.ts';
import { mayNameRecord, recordToolName } from '../tools/toolNames.ts';
import { agentOutputSchema } from './agentOutput.ts';
import type { ToolKind } from './toolKind.ts';

/** One request's access to agents. */
export interface AgentToolRequest {
  deps: { schemas: SchemaChecks };
  agents: AgentDefinitions;
  caller: Caller;
  /** Runs begin and are read through the endpoints of runs, with their checks and audit. */
  calls: Pick<InternalCalls, 'perform'>;
}

/** So long a call waits for the end of a run. */
const WAIT_S = 20;
const RESULT_TOOL = 'agent_result';

const AGENT_INPUT = {
  type: 'object',
  properties: {
    input: { type: 'string', minLength: 1, maxLength: 262_144, description: 'The question or task' },
    session_id: {
      type: 'string',
      minLength: 1,
      maxLength: 128,
      description: 'Continues your earlier runs of this agent with the same session_id',
    },
  },
  required: ['input'],
  additionalProperties: false,
};
const RESULT_INPUT = {
  type: 'object',
  properties: {
    run_id: { type: 'string', pattern: '^[0-9a-f-]{1,64}$', description: 'Of a run that had not ended' },
  },
  required: ['run_id'],
  additionalProperties: false,
};

/** Each agent that the caller may run, as the tool `agent__<name>`, and the tool that asks for the end of a run. */
export function toolsOfAgents({ deps, agents, caller, calls }: AgentToolRequest): ToolKind {
  return {
    async list() {
      const runnable = await agents.runnable(caller);
      return { tools: runnable.length === 0 ? [] : [...runnable.map(agentTool), RESULT] };
    },
    async call(name, args) {
      if (name === RESULT_TOOL) {
        await assertArguments(deps.schemas, RESULT_INPUT, args);
        const params = { run_id: args.run_id };
        return called(await calls.perform('getRun', { params, query: { wait_s: String(WAIT_S) } }));
      }
      if (!mayNameRecord('agent', name)) return undefined;
      const agent = (await agents.runnable(caller)).find(
        (candidate) => recordToolName('agent', candidate.name) === name,
      );
      if (!agent) return undefined;
      await assertArguments(deps.schemas, AGENT_INPUT, args);
      const reply = await calls.perform('startRun', { body: { agent: agent.name, ...args, wait_s: WAIT_S } });
      return { ...called(reply), ...outputOf(agent) };
    },
  };
}

type RunnableAgent = Awaited<ReturnType<AgentDefinitions['runnable']>>[number];

const outputOf = ({ output_schema: schema }: RunnableAgent): Pick<ServedTool, 'outputSchema'> =>
  schema === undefined ? {} : { outputSchema: agentOutputSchema(schema) };

function agentTool(agent: RunnableAgent): ServedTool {
  const { name, description } = agent;
  const about = `Runs the agent ${name}. Answers within ${WAIT_S} seconds, or with a run_id for ${RESULT_TOOL}.`;
  return {
    name: recordToolName('agent', name),
    title: `Ask ${name}`,
    description: [about, description].filter((text) => text !== '').join(' '),
    inputSchema: AGENT_INPUT,
    ...outputOf(agent),
    annotations: { readOnlyHint: false, openWorldHint: true },
  };
}

const RESULT: ServedTool = {
  name: RESULT_TOOL,
  title: 'Ask for the answer of an agent',
  description: `Waits up to ${WAIT_S} seconds for the end of a run, and gives its answer or its state.`,
  inputSchema: RESULT_INPUT,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
};

interface Run {
  run_id: string;
  state: RunState;
  /** An object where the agent has a schema of its answers. */
  output?: string | Json;
  error_code?: string;
  message?: string;
}

const called = ({ config }: Json) => ({ result: resultOf(config as Run & Json), warnings: [] });

function resultOf(run: Run): ToolResult {
  const { run_id, state, output, error_code, message } = run;
  return {
    content: [{ type: 'text', text: textOf(run) }],
    structuredContent: withoutUndefined({ run_id, state, output, error_code, message }),
    isError: state === 'failed' || state === 'cancelled',
  };
}

function textOf({ run_id, state, output = '', error_code, message = '' }: Run): string {
  const later = `Call ${RESULT_TOOL} with {"run_id": "${run_id}"} for its answer.`;
  switch (state) {
    case 'succeeded':
      return typeof output === 'string' ? output : stringifyExact(output);
    case 'failed':
      return `${error_code}: ${message}`;
    case 'cancelled':
      return `The run ${run_id} was cancelled.`;
    case 'waiting_for_approval':
      return `The run ${run_id} waits until a person has decided about a call. ${later}`;
    default:
      return `The run ${run_id} has not ended yet. ${later}`;
  }
}
