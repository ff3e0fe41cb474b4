import type { OutboundError } from '../../contract/codes/outbound.ts';
import type { Deadline } from '../platform/clock.ts';
import type { CloudAccess } from './cloudAccess.ts';

export interface ModelEndpoint {
  /** As reported by AWS: `InService`, `Creating`, `Failed` … */
  status: string;
  failureReason?: string | undefined;
}

/** Body for the model, and the form in which it shall answer. */
export interface InvocationRequest {
  body: string;
  contentType: string;
  accept: string;
}

/**
 * `answered`: what the model said. `refused`: it does not take this body, fewer rows may do. `missing`: there is no such
 * endpoint in this region and account.
 */
export type Invocation =
  | { kind: 'answered'; contentType: string; body: string }
  | { kind: 'refused'; error: OutboundError }
  | { kind: 'missing' };

/** Calls with one set of credentials within one deadline; `close` ends those under way. Throws OutboundError. */
export interface EndpointVisit {
  invoke(name: string, request: InvocationRequest): Promise<Invocation>;
  close(): void;
}

/** SageMaker endpoints. Throws OutboundError. */
export interface CloudEndpoints {
  /** Undefined if the endpoint does not exist in this region and account. */
  describe(access: CloudAccess, name: string, deadline: Deadline): Promise<ModelEndpoint | undefined>;
  visit(access: CloudAccess, deadline: Deadline): Promise<EndpointVisit>;
}
