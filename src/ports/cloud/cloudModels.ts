import type { Deadline } from '../platform/clock.ts';
import type { CloudAccess } from './cloudAccess.ts';

export interface CloudChatAnswer {
  httpStatus: number;
  /** What Converse answered. */
  output: Record<string, unknown>;
}

/** Foundation models of the cloud. Throws OutboundError, with `model_not_found` and `model_not_invokable` of their own. */
export interface CloudModels {
  /** Ids of text models and of inference profiles, sorted, each once. */
  list(access: CloudAccess, deadline: Deadline): Promise<string[]>;
  /** @param input of Converse but for the model */
  converse(
    access: CloudAccess,
    model: string,
    input: Record<string, unknown>,
    deadline: Deadline,
  ): Promise<CloudChatAnswer>;
}
