import type { Deadline } from '../platform/clock.ts';
import type { CloudAccess } from './cloudAccess.ts';

export interface ModelEndpoint {
  /** As reported by AWS: `InService`, `Creating`, `Failed` … */
  status: string;
  failureReason?: string | undefined;
}

/** SageMaker endpoints. Throws OutboundError. */
export interface CloudEndpoints {
  /** Undefined if the endpoint does not exist in this region and account. */
  describe(access: CloudAccess, name: string, deadline: Deadline): Promise<ModelEndpoint | undefined>;
}
