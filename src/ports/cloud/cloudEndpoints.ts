import type { Deadline } from '../platform/clock.ts';
import type { CloudAccess } from './cloudAccess.ts';

export interface ModelEndpoint {
  /** As the cloud writes it: `InService`, `Creating`, `Failed` … */
  status: string;
  failureReason?: string | undefined;
}

/** Endpoints that serve models. Throws OutboundError. */
export interface CloudEndpoints {
  /** Undefined: there is no such endpoint in this region and account. */
  describe(access: CloudAccess, name: string, deadline: Deadline): Promise<ModelEndpoint | undefined>;
}
