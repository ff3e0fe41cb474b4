import type { CloudAccess } from './cloudAccess.ts';
import type { Deadline } from './deadline.ts';

export interface CloudChat {
  model: string;
  prompt: string;
  maxTokens: number;
}

export interface CloudChatAnswer {
  httpStatus: number;
  text: string;
  /** `end_turn`, `max_tokens` … */
  stopReason?: string | undefined;
}

/** Foundation models of the cloud. Throws OutboundError, with `model_not_found` and `model_not_invokable` of their own. */
export interface CloudModels {
  /** Ids of text models and of inference profiles, sorted, each once. */
  list(access: CloudAccess, deadline: Deadline): Promise<string[]>;
  chat(access: CloudAccess, chat: CloudChat, deadline: Deadline): Promise<CloudChatAnswer>;
}
