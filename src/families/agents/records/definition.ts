import type { Caller } from '../../../contract/caller.ts';
import type { AgentState } from '../../../contract/families/agents.ts';
import { mayWrite } from '../../../domain/access/acl.ts';
import type { AgentDefinitionInput } from '../inputSchemas.ts';
import { type AgentInput, type AgentStored, inputOf, toolsOf } from './stored.ts';

/** What a run needs to know of its agent. */
export interface AgentDefinition
  extends Pick<
    AgentInput,
    | 'runtime_type'
    | 'runtime'
    | 'system_prompt'
    | 'task_prompt'
    | 'llm'
    | 'knowledge_bases'
    | 'agent_timeout'
    | 'max_steps'
    | 'max_tokens_per_run'
    | 'approve_tools'
    | 'approve_tools_named'
  > {
  /** Without `tools`: all that the connection allows; an empty list: none. */
  mcps: { name: string; tools?: string[] }[];
}

/** A saved agent, as one caller may use it. */
export interface RunnableAgent {
  name: string;
  definition: AgentDefinition;
  state: AgentState;
  is_enabled: boolean;
  mayWrite: boolean;
  /** Tells it from another agent that had the name. */
  created_at: number;
  /** The runtime in the cloud; its parts are null while unknown, and without a cloud. */
  cloud: { id: string | null; arn: string | null; location: string | null };
}

/** Reads and checks what runs are made from, with the rights of a caller. */
export interface AgentDefinitions {
  /** Undefined if there is no such agent, or the caller may not read it. */
  read(caller: Caller, name: string): Promise<RunnableAgent | undefined>;
  /** Those that can be run now, of the agents that the caller may read. */
  runnable(caller: Caller): Promise<{ name: string; description: string }[]>;
  /** The agents that the caller may write, as their runs name them. */
  writable(caller: Caller): Promise<{ agent: string; agent_created_at: number }[]>;
  /**
   * Checks and completes a definition that is not saved, as a create does.
   * @throws Fault `validation_failed`, `unknown_reference`, `ambiguous_reference`
   */
  complete(caller: Caller, input: AgentDefinitionInput): Promise<AgentDefinition>;
  /**
   * Whether the caller may still read everything that a definition names. Its tools are not checked.
   * @throws Fault `unknown_reference` with every name in `errors`; `ambiguous_reference`
   */
  assertReadable(caller: Caller, definition: AgentDefinition): Promise<void>;
}

export function definitionOf(input: AgentInput): AgentDefinition {
  const { description, is_enabled, mcps, ...rest } = input;
  const { runtime_type, runtime, system_prompt, task_prompt, llm, knowledge_bases, agent_timeout } = rest;
  const { max_steps, max_tokens_per_run, approve_tools, approve_tools_named } = rest;
  return {
    runtime_type,
    ...(runtime && { runtime }),
    system_prompt,
    task_prompt,
    llm,
    mcps: mcps.map((mcp) => {
      const tools = toolsOf(mcp);
      return { name: mcp.name, ...(tools && { tools }) };
    }),
    knowledge_bases,
    agent_timeout,
    max_steps,
    ...(max_tokens_per_run !== undefined && { max_tokens_per_run }),
    approve_tools,
    approve_tools_named,
  };
}

export function runnableAgent(caller: Caller, record: AgentStored): RunnableAgent {
  const { name, state, is_enabled, created_at, runtime_id, runtime_arn, order } = record;
  return {
    name,
    definition: definitionOf(inputOf(record)),
    state,
    is_enabled,
    mayWrite: mayWrite(caller, record),
    created_at,
    cloud: { id: runtime_id, arn: runtime_arn, location: order.place },
  };
}
