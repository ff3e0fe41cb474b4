/** A chat as every provider understands it. Each dialect translates it to its provider's request and the answer back. */
export interface ChatRequest {
  messages: readonly ChatMessage[];
  tools?: readonly ChatTool[] | undefined;
  toolChoice?: 'auto' | 'required' | 'none' | { name: string } | undefined;
  /** False: at most one tool call in an answer. */
  parallelToolCalls?: boolean | undefined;
  maxTokens?: number | undefined;
  temperature?: number | undefined;
  topP?: number | undefined;
  stop?: readonly string[] | undefined;
  seed?: number | undefined;
  frequencyPenalty?: number | undefined;
  presencePenalty?: number | undefined;
  reasoningEffort?: string | undefined;
  responseFormat?: ResponseFormat | undefined;
  user?: string | undefined;
  /** Unsupported fields are left out with a warning; otherwise they fail with `not_supported`. */
  dropUnsupported?: boolean | undefined;
  /** A connection test: servers that know no token limit are asked without one. */
  isProbe?: boolean | undefined;
}

export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | readonly ChatPart[] }
  | { role: 'assistant'; content: string; toolCalls?: readonly ToolCall[] | undefined }
  | { role: 'tool'; toolCallId: string; content: string; isError?: boolean | undefined };

export type ChatPart =
  | { type: 'text'; text: string }
  /** `data` in base64. */
  | { type: 'image'; mediaType: string; data: string }
  | { type: 'image_url'; url: string };

export interface ChatTool {
  name: string;
  description?: string | undefined;
  /** JSON schema of the arguments. */
  parameters: Record<string, unknown>;
}

export interface ToolCall {
  id: string;
  name: string;
  /** JSON text. */
  arguments: string;
  /** Data that the provider requires in the next turn: thought signatures, thinking blocks. */
  extra?: Record<string, unknown> | undefined;
}

export type ResponseFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | { type: 'json_schema'; name: string; schema: Record<string, unknown>; strict?: boolean | undefined };

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Undefined: the provider does not say. */
export interface Usage {
  /** `total` includes what was read from and written to a cache. */
  input: { total: number | undefined; cached: number | undefined };
  /** `total` includes reasoning. */
  output: { total: number | undefined; reasoning: number | undefined };
}

export interface ChatAnswer {
  message: { role: 'assistant'; content: string };
  toolCalls: ToolCall[];
  finishReason: FinishReason;
  usage: Usage;
}

export interface EmbedRequest {
  texts: readonly string[];
  dimensions?: number | undefined;
  inputType?: 'query' | 'document' | undefined;
}

export interface EmbedAnswer {
  /** In the order of the texts. */
  vectors: number[][];
  usage: Usage;
}

/** A body for a provider, and the request fields that it cannot carry. */
export interface Translation {
  body: Record<string, unknown>;
  /** Names of request fields that the provider does not know. */
  unsupported: string[];
  warnings: string[];
}
