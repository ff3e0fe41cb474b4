import type { OutboundError } from '../../contract/codes/outbound.ts';
import type { RuntimeType } from '../../contract/families/agents.ts';
import type { Deadline } from '../platform/clock.ts';

/** Identifies a creation: repeated with the same token, it creates nothing twice. */
export interface RuntimeRequest {
  name: string;
  token: string;
}

export interface AgentRuntime {
  id: string;
  arn?: string | undefined;
  version?: string | undefined;
  phase: 'pending' | 'ready' | 'failed' | 'removing' | 'remove_failed';
  /** The cloud's own word for it. */
  status: string;
  /** Why it failed, in the cloud's words, redacted. */
  reason?: string | undefined;
}

/**
 * `refused`: it is certain that this request created nothing. `unanswered`: it may have made a runtime, now or a moment later.
 */
export type Creation =
  | { kind: 'created'; runtime: AgentRuntime }
  | { kind: 'refused'; error: OutboundError }
  | { kind: 'unanswered'; error: OutboundError };

/** `busy`: not now, the runtime is still changing. */
export type Removal = { kind: 'accepted' | 'gone' } | { kind: 'busy' | 'refused' | 'unanswered'; error: OutboundError };

/** Agent runtimes at one place of one kind of cloud. */
export interface AgentCloud {
  create(request: RuntimeRequest, deadline: Deadline): Promise<Creation>;
  /** The runtime that this very request created, if the cloud lists it. Throws OutboundError. */
  find(request: RuntimeRequest, deadline: Deadline): Promise<AgentRuntime | undefined>;
  /** Undefined: it is gone. Throws OutboundError. */
  get(id: string, deadline: Deadline): Promise<AgentRuntime | undefined>;
  remove(id: string, deadline: Deadline): Promise<Removal>;
}

export interface AgentClouds {
  /** Where new runtimes go as things are set now (null: not set), and how long a creation or deletion may take. */
  settings(kind: RuntimeType): Promise<{ place: string | null; deadlineMs: number }>;
  /** The service at the place where a runtime was made; null: where new ones go. */
  at(kind: RuntimeType, place: string | null): AgentCloud;
}
