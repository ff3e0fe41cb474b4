import type { Deadline } from '../platform/clock.ts';
import type { CloudAccess } from './cloudAccess.ts';

export interface CloudChatAnswer {
  httpStatus: number;
  /** Output of Converse. */
  output: Record<string, unknown>;
}

export interface CloudInvocation {
  httpStatus: number;
  /** The body that the model answered. */
  output: Record<string, unknown>;
  /** From a header, where the body does not say it. */
  inputTokens?: number | undefined;
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
  /** Calls a model with a body of its own form (InvokeModel), as embeddings need it. */
  invoke(
    access: CloudAccess,
    model: string,
    body: Record<string, unknown>,
    deadline: Deadline,
  ): Promise<CloudInvocation>;
}
