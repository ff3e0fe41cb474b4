import {
  AGENT_DEFAULTS,
  type AgentAction,
  type AgentState,
  type Approval,
  type RuntimeType,
} from '../../../contract/families/agents.ts';
import type { Acl } from '../../../contract/schemas/common.ts';
import type { LlmReference } from '../../../contract/schemas/llmReference.ts';
import type { Sealed } from '../../../domain/records/sealedRecord.ts';
import type { AgentLlm } from '../inputSchemas.ts';

export interface Tracking {
  job_id: string | null;
  action: AgentAction;
  /** Epoch seconds; the deadline starts here. */
  started_at: number;
  last_polled_at: number | null;
  /** Polls since `started_at`. */
  attempts: number;
}

/** Last poll, timed by the clock of the host that made it. */
export interface Polled {
  domain: string;
  at: number;
  /** Consecutive failed polls. */
  troubles: number;
}

export interface Order {
  /** Idempotency token, new for each creation: a reused name must not reuse a token. */
  token: string;
  /** Cloud location of the request; settings may have changed since. */
  place: string | null;
  /** The cloud refused the request, so nothing was created with this token. */
  refused: boolean;
  /** The created runtime will never be ready: a retry needs a new token. */
  spent: boolean;
  /** Failed runtime to be removed before its name is reused. */
  discarded: string | null;
}

/** `tools` is empty for all that the connection allows, as earlier versions store it, unless there is `none`. */
export interface StoredMcp {
  name: string;
  tools: string[];
  none?: true;
}

export interface AgentStored extends Sealed {
  name: string;
  description: string;
  is_enabled: boolean;
  runtime_type: RuntimeType;
  runtime?: { container?: string } | undefined;
  system_prompt: string;
  task_prompt: string;
  llm: AgentLlm | null;
  mcps: StoredMcp[];
  knowledge_bases: string[];
  agent_timeout: number;
  /** Absent in records of earlier versions, as are the two about approval. */
  max_steps?: number;
  max_tokens_per_run?: number | undefined;
  approve_tools?: Approval;
  approve_tools_named?: string[];
  acl: Acl;
  state: AgentState;
  /** Reason and code of the state, or of the last failed poll. */
  state_reason: string | null;
  state_code: string | null;
  runtime_id: string | null;
  runtime_arn: string | null;
  runtime_version: string | null;
  runtime_status: string | null;
  tracking: Tracking;
  /** Absent until the first poll. */
  polled?: Polled;
  order: Order;
}

/** The part of a record that callers write. */
export type AgentInput = Pick<
  AgentStored,
  | 'description'
  | 'is_enabled'
  | 'runtime_type'
  | 'runtime'
  | 'system_prompt'
  | 'task_prompt'
  | 'llm'
  | 'mcps'
  | 'knowledge_bases'
  | 'agent_timeout'
  | 'max_tokens_per_run'
> &
  Required<Pick<AgentStored, keyof typeof LATER>>;

/** Fields that records of earlier versions lack, with the values that these have. */
export const LATER = {
  max_steps: AGENT_DEFAULTS.max_steps as number,
  approve_tools: AGENT_DEFAULTS.approve_tools as Approval,
  approve_tools_named: [] as string[],
};

export const inputOf = (record: AgentStored): AgentStored & AgentInput => ({ ...LATER, ...record });

/** The tools that an agent may call: undefined = all that the connection allows, empty = none. */
export const toolsOf = ({ tools, none }: AgentInput['mcps'][number]): string[] | undefined =>
  tools.length > 0 || none ? tools : undefined;

/** The configuration that an agent names by its parts; undefined for a reference. */
export function configurationOf(llm: AgentInput['llm']): LlmReference | undefined {
  if (llm?.service === undefined || llm.connection_name === undefined) return undefined;
  return { service: llm.service, connection_name: llm.connection_name, model: llm.model };
}
