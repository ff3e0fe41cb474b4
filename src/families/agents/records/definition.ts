import type { Json } from '../../../contract/basics.ts';
import type { Caller } from '../../../contract/caller.ts';
import type { AgentState } from '../../../contract/families/agents.ts';
import type { RecordPlan } from '../../../contract/rows/recordPlan.ts';
import { mayWrite } from '../../../domain/access/acl.ts';
import { withoutUndefined } from '../../../domain/values/json.ts';
import { viewPlanned } from '../../../resources/record/planned.ts';
import type { AgentDefinitionInput, AgentInput, AgentStored, LatestField, RunInput } from '../definition.ts';
import { runFieldsOf } from './stored.ts';

/** The part of an agent that a run needs. */
export interface AgentDefinition
  extends Omit<RunInput, 'mcps' | 'search_tools' | LatestField>,
    Partial<Pick<RunInput, LatestField>> {
  /** Without `tools`: all that the connection allows; an empty list: none. */
  mcps: { name: string; tools?: string[] }[];
  /** Runs of earlier versions have none. */
  search_tools?: string[];
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
  /** Where a run's agent runs in the cloud, whoever asks; undefined if the agent of this name is another one by now. */
  cloudOf(name: string, createdAt: number): Promise<RunnableAgent['cloud'] | undefined>;
  /** The agents that the caller may read and that can be run now. */
  runnable(caller: Caller): Promise<{ name: string; description: string; output_schema?: Json }[]>;
  /** The agents that the caller may write, as their runs name them. */
  writable(caller: Caller): Promise<{ agent: string; agent_created_at: number }[]>;
  /**
   * Checks and completes a definition that is not saved, as a create does.
   * @param warnings receives what the definition has and its runtime ignores
   * @throws Fault `validation_failed`, `unknown_reference`, `ambiguous_reference`
   */
  complete(caller: Caller, input: AgentDefinitionInput, warnings: string[]): Promise<AgentDefinition>;
  /**
   * Whether the caller may still read everything that a definition names. Its tools are not checked.
   * @throws Fault `unknown_reference` with every name in `errors`; `ambiguous_reference`
   */
  assertReadable(caller: Caller, definition: AgentDefinition): Promise<void>;
}

/** @param fields of an agent with its defaults */
export const definitionOf = (fields: AgentInput): AgentDefinition => withoutUndefined(runFieldsOf(fields));

export function runnableAgent(caller: Caller, record: AgentStored, plan: RecordPlan): RunnableAgent {
  const { name, state, is_enabled, created_at } = record;
  return {
    name,
    definition: definitionOf(viewPlanned(plan, record) as unknown as AgentInput),
    state,
    is_enabled,
    mayWrite: mayWrite(caller, record),
    created_at,
    cloud: cloudOfRecord(record),
  };
}

export const cloudOfRecord = ({ runtime_id: id, runtime_arn: arn, order }: AgentStored): RunnableAgent['cloud'] => ({
  ...{ id, arn, location: order.place },
});
