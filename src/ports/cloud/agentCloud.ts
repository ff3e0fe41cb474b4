import type { OutboundError } from '../../contract/codes/outbound.ts';
import type { CloudRuntimeType } from '../../contract/families/agents.ts';
import type { Deadline } from '../platform/clock.ts';

/** Identifies a creation: repeating it with the same token creates nothing twice. */
export interface RuntimeRequest {
  name: string;
  token: string;
}

export interface AgentRuntime {
  id: string;
  arn?: string | undefined;
  version?: string | undefined;
  phase: 'pending' | 'ready' | 'failed' | 'removing' | 'remove_failed';
  /** Status as the cloud reports it. */
  status: string;
  /** The cloud's reason of a failure, redacted. */
  reason?: string | undefined;
}

/** `refused`: nothing was created. `unanswered`: a runtime may have been created, or may be later. */
export type Creation =
  | { kind: 'created'; runtime: AgentRuntime }
  | { kind: 'refused'; error: OutboundError }
  | { kind: 'unanswered'; error: OutboundError };

/** `busy`: the runtime is still changing. */
export type Removal = { kind: 'accepted' | 'gone' } | { kind: 'busy' | 'refused' | 'unanswered'; error: OutboundError };

/** An agent's answer may have so many bytes. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** A call of an agent by the contract of AgentCore's runtimes. */
export interface AgentRequest {
  /** JSON. */
  body: string;
  /** Requests of one session reach the same memory; 33 to 256 characters. */
  session: string;
}

/** JSON or an event stream. */
export interface AgentAnswer {
  contentType: string;
  text: string;
}

/** Agent runtimes at one location of a cloud. */
export interface AgentCloud {
  create(request: RuntimeRequest, deadline: Deadline): Promise<Creation>;
  /** The runtime created by this request, if the cloud lists it. Throws OutboundError. */
  find(request: RuntimeRequest, deadline: Deadline): Promise<AgentRuntime | undefined>;
  /** Undefined if it does not exist. Throws OutboundError. */
  get(id: string, deadline: Deadline): Promise<AgentRuntime | undefined>;
  remove(id: string, deadline: Deadline): Promise<Removal>;
  /** Calls the agent in a runtime once: the call may have effects. Throws OutboundError. */
  invoke(arn: string, request: AgentRequest, deadline: Deadline): Promise<AgentAnswer>;
  /** Ends a session and what it does; one that is gone is no error. Throws OutboundError. */
  stop(arn: string, session: string, deadline: Deadline): Promise<void>;
}

export interface AgentClouds {
  /** Location of new runtimes (null = not set) and the time limit of a creation or deletion. */
  settings(kind: CloudRuntimeType): Promise<{ location: string | null; deadlineMs: number }>;
  /** The service at the location of a runtime; null = the location of new ones. */
  at(kind: CloudRuntimeType, location: string | null): AgentCloud;
}
