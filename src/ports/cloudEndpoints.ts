import type { CloudAccess } from './cloudAccess.ts';
import type { Deadline } from './deadline.ts';

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
