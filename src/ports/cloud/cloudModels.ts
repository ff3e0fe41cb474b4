import type { Deadline } from '../platform/clock.ts';
import type { CloudAccess } from './cloudAccess.ts';

export interface CloudChatAnswer {
  httpStatus: number;
  /** Output of Converse. */
  output: Record<string, unknown>;
}

/** Foundation models. Throws OutboundError, also with `model_not_found` and `model_not_invokable`. */
export interface CloudModels {
  /** Sorted unique ids of text models and inference profiles. */
  list(access: CloudAccess, deadline: Deadline): Promise<string[]>;
  /** @param input of Converse without the model */
  converse(
    access: CloudAccess,
    model: string,
    input: Record<string, unknown>,
    deadline: Deadline,
  ): Promise<CloudChatAnswer>;
}
