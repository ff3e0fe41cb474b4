/** A chat as every provider understands it. Each dialect translates it to its provider's request and the answer back. */
export interface ChatRequest {
  messages: readonly ChatMessage[];
  tools?: readonly ChatTool[] | undefined;
  toolChoice?: 'auto' | 'required' | 'none' | { name: string } | undefined;
  /** False: at most one tool call in an answer. */
  parallelToolCalls?: boolean | undefined;
  maxTokens?: number | undefined;
  /** The name that the caller gave the token limit. Providers with one name of their own ignore it. */
  tokenLimitField?: 'max_tokens' | 'max_completion_tokens' | undefined;
  temperature?: number | undefined;
  topP?: number | undefined;
  /** 0 and below: of all tokens. */
  topK?: number | undefined;
  stop?: readonly string[] | undefined;
  seed?: number | undefined;
  frequencyPenalty?: number | undefined;
  presencePenalty?: number | undefined;
  reasoningEffort?: string | undefined;
  /** A model that refuses the effort is asked once more without it. */
  effortIsHint?: boolean | undefined;
  verbosity?: string | undefined;
  logprobs?: boolean | undefined;
  topLogprobs?: number | undefined;
  logitBias?: Readonly<Record<string, number>> | undefined;
  responseFormat?: ResponseFormat | undefined;
  hints?: ChatHints | undefined;
  /** Fields that the gateway does not know, by their wire names: only providers of OpenAI's dialect get them. */
  extra?: Readonly<Record<string, unknown>> | undefined;
  /** Parameters that the caller did not send. A provider that refuses one is asked again without it. */
  defaulted?: readonly SamplingDefault[] | undefined;
  /** Unsupported fields are left out with a warning; otherwise they fail with `not_supported`. */
  dropUnsupported?: boolean | undefined;
  /** Wire names of unsupported fields that are left out with a warning in any case. */
  mayLeaveOut?: readonly string[] | undefined;
  /** Path of the last message, where it is an answer that the model is to go on with. */
  continues?: string | undefined;
  /** A connection test: servers that know no token limit are asked without one. */
  isProbe?: boolean | undefined;
}

export type SamplingDefault = 'temperature' | 'maxTokens';

/** Fields that do not change the answer, by their wire names. Providers that do not know one get the request without it. */
export interface ChatHints {
  user?: string | undefined;
  safety_identifier?: string | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
  store?: boolean | undefined;
  prompt_cache_key?: string | undefined;
  service_tier?: string | undefined;
}

/** Fields that the gateway does not know, by their wire names; none is empty. Some servers of OpenAI's dialect read them. */
export type UnknownFields = Readonly<Record<string, unknown>>;

interface ExtensibleObject {
  others?: UnknownFields | undefined;
}

/** A mark that the prompt is worth caching up to the end of what has it. It does not change the answer. */
export interface CacheMark {
  ttl?: '5m' | '1h' | undefined;
}

type MarkedObject = ExtensibleObject & { cache?: CacheMark | undefined };

/** `parts`: the content as it came, where its parts have fields of their own. */
interface TextContent {
  content: string;
  parts?: readonly TextPart[] | undefined;
}

export type ChatMessage = MarkedObject &
  (
    | (TextContent & { role: 'system' | 'developer'; name?: string | undefined })
    | { role: 'user'; content: string | readonly ChatPart[]; name?: string | undefined }
    | (TextContent & {
        role: 'assistant';
        refusal?: string | undefined;
        /** `reasoning_content` on the wire: the thoughts of an earlier answer. */
        reasoning?: string | undefined;
        carrier?: ReasoningCarrier | undefined;
        returned?: readonly ReturnedReasoning[] | undefined;
        toolCalls?: readonly ToolCall[] | undefined;
        name?: string | undefined;
      })
    | {
        role: 'tool';
        toolCallId: string;
        /** The texts of `parts`, where there are some. */
        content: string;
        parts?: readonly ChatPart[] | undefined;
        isError?: boolean | undefined;
      }
  );

/**
 * Signed or encrypted reasoning of one answer, by the maker of its form. It goes back to the provider unchanged, and only the dialect
 * of that maker reads it. What belongs to one call alone is in `extra` of the call.
 */
export type ReasoningCarrier = Readonly<Record<string, unknown>>;

/** Reasoning that a client has brought back, with the connection that made it. It is gone before a dialect reads the message. */
export interface ReturnedReasoning {
  service: string;
  connection_name: string;
  carrier?: ReasoningCarrier | undefined;
  /** As `echoed` of an answer. */
  echoed?: UnknownFields | undefined;
  /** `extra` of calls, by their ids. */
  calls?: Readonly<Record<string, Record<string, unknown>>> | undefined;
}

export type TextPart = MarkedObject & { type: 'text'; text: string };

/** `data` is in base64. `inner`: unknown fields of the object that `image_url` or `file` is on the wire. */
export type ChatPart =
  | TextPart
  | (MarkedObject & { inner?: UnknownFields | undefined } & (
        | { type: 'image'; mediaType: string; data: string; detail?: string | undefined }
        | { type: 'image_url'; url: string; detail?: string | undefined }
        | { type: 'file'; mediaType: string; data: string; name?: string | undefined }
        /** A file that was uploaded to the provider. */
        | { type: 'file_id'; id: string }
      ));

export interface ChatTool extends MarkedObject {
  /** Unknown fields of the object that `function` is on the wire. */
  inner?: UnknownFields | undefined;
  name: string;
  description?: string | undefined;
  /** JSON schema of the arguments. */
  parameters: Record<string, unknown>;
  /** Arguments must match the schema. */
  strict?: boolean | undefined;
}

export interface ToolCall extends ExtensibleObject {
  id: string;
  name: string;
  /** JSON text. */
  arguments: string;
  /** `extra_content` on the wire: data that the provider requires in the next turn (signatures, thinking blocks). */
  extra?: Record<string, unknown> | undefined;
}

export type ResponseFormat = ExtensibleObject &
  (
    | { type: 'text' }
    | { type: 'json_object' }
    | {
        type: 'json_schema';
        name: string;
        schema: Record<string, unknown>;
        description?: string | undefined;
        strict?: boolean | undefined;
        /** Unknown fields of the object that `json_schema` is on the wire. */
        inner?: UnknownFields | undefined;
      }
  );

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Undefined: the provider does not say. */
export interface Usage {
  /** `total` includes what was read from (`cached`) and written to a cache. */
  input: { total: number | undefined; cached: number | undefined; cacheWritten?: number | undefined };
  /** `total` includes reasoning. */
  output: { total: number | undefined; reasoning: number | undefined };
}

export interface ChatAnswer {
  message: {
    role: 'assistant';
    content: string;
    refusal?: string | undefined;
    /** `reasoning_content` on the wire, where the provider shows it. */
    reasoning?: string | undefined;
    carrier?: ReasoningCarrier | undefined;
    /** Fields that the provider wants to see again in the next turn, by their wire names. */
    echoed?: UnknownFields | undefined;
  };
  /** With unique ids. */
  toolCalls: ToolCall[];
  finishReason: FinishReason;
  /** The text of `stop` that ended the answer, where the provider says which. */
  stopSequence?: string | undefined;
  /** Whether the model has reasoned and then said nothing. */
  isReasoningOnly?: boolean | undefined;
  /** Log probabilities in the form of OpenAI's dialect. */
  logprobs?: Record<string, unknown> | undefined;
  usage: Usage;
  /** As the provider names it. */
  model?: string | undefined;
}

/** A text, or its tokens for providers of OpenAI's dialect. */
export type EmbedInput = string | readonly number[];

export interface EmbedRequest {
  inputs: readonly EmbedInput[];
  dimensions?: number | undefined;
  inputType?: 'query' | 'document' | undefined;
  user?: string | undefined;
  others?: UnknownFields | undefined;
}

export interface EmbedAnswer {
  /** In the order of the inputs, all of one length. */
  vectors: number[][];
  usage: Usage;
  /** As the provider names it. */
  model?: string | undefined;
}

/** A body for a provider, and the request fields that it cannot carry. */
export interface Translation {
  body: Record<string, unknown>;
  /** Other bodies, in case that the provider refuses the first. */
  variants?: readonly Variant[] | undefined;
  /** Wire names of request fields that the provider does not support. */
  unsupported: string[];
  warnings: string[];
}

/** Another body for the same request. */
export interface Variant {
  body: Record<string, unknown>;
  /** Whether it may succeed after a refusal with this text. */
  answers(reason: string): boolean;
  warning?: string | undefined;
}
