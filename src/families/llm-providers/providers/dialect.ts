import type { OutboundCode } from '../../../contract/codes/outbound.ts';
import type { ModelRefusal } from '../../../domain/net/modelRefusals.ts';
import type { Outgoing } from '../../../masking/checkedBody.ts';
import type { StreamJoiner } from '../chat/bodies.ts';
import type { ChatAnswer, ChatRequest, EmbedAnswer, EmbedRequest, Translation, Variant } from '../chat/chat.ts';
import { asList, asObject, asText, isObject, type Json } from '../chat/json.ts';
import type { Target } from './provider.ts';

export { asList, asObject, asText, isObject, type Json };

/** Only the beginning of a provider's text is searched for the reason of a failure. */
const LONGEST_REASON = 2000;
export const reasonText = (value: unknown): string => asText(value).slice(0, LONGEST_REASON);

export interface DialectRequest {
  method: 'GET' | 'POST';
  /** Below the base address. */
  path: string;
  body?: Json;
}

/** An answer that is not a success. */
export interface Refusal {
  asked: ModelRefusal['asked'];
  /** The HTTP status, or the one that an error in an answer of 200 names. */
  status: number;
  httpStatus: number;
  headers: Readonly<Record<string, string>>;
  /** The JSON object of the body; empty when there is none. */
  body: Json;
  text: string;
}

/** One way to send a chat. */
export interface ChatForm extends DialectRequest {
  /** Whether it may succeed after a refusal with this text. Default: `tryNext` of the dialect. */
  answers?: Variant['answers'];
  warning?: string | undefined;
}

/** Forms of one request, best first. */
export interface ChatForms extends Pick<Translation, 'unsupported' | 'warnings'> {
  requests: readonly ChatForm[];
}

/** The forms of a translation that is sent to one path. */
export function formsOf(path: string, { body, variants = [], ...notices }: Translation): ChatForms {
  const post = { method: 'POST', path } as const;
  return { requests: [{ ...post, body }, ...variants.map((variant) => ({ ...post, ...variant }))], ...notices };
}

/** How inputs are sent for embeddings. */
export interface EmbedForms {
  /** Best first; another one is sent if `tryNext` of the dialect says so. */
  requests: readonly DialectRequest[];
  /** How many inputs fit into one request. */
  batch: number;
  /** Fields that the provider does not get. */
  warnings: readonly string[];
}

/** A provider's HTTP dialect: pure functions from a question to a request and from a body to an answer. */
export interface Dialect {
  headers(target: Target): Record<string, string>;
  chat(target: Target, model: string, request: Outgoing<ChatRequest>): ChatForms;
  /** Undefined when the body is not such an answer. @throws OutboundError `upstream_error` for an answer that broke off */
  readChat(body: Json): ChatAnswer | undefined;
  /** For servers that answer in a stream, although none was asked for. */
  joinStream?: StreamJoiner;
  /** Whether the provider goes on with an answer that is the last message. */
  continuesAnswers?: boolean;
  /** Key of the carriers of reasoning that it reads; those of other makers are left out. */
  carrier?: string;
  /** For providers that refuse a request whose token limit is too low for any answer. */
  readRefusal?(refusal: Refusal, maxTokens: number | undefined): ChatAnswer | undefined;
  /** Names of tools that the provider takes. Default: TOOL_NAME. */
  toolName?: RegExp;
  /** Names of parameters of tools that the provider takes. Default: all. */
  parameterName?: RegExp;
  /** Absent where the provider has no embeddings. */
  embed?(target: Target, model: string, request: Outgoing<EmbedRequest>): EmbedForms;
  /** Whether it embeds tokens as well as texts. */
  embedsTokens?: boolean;
  readEmbeddings?(body: Json): EmbedAnswer | undefined;
  list(target: Target, cursor: string | undefined): readonly DialectRequest[];
  /** Whether the next variant may succeed after this refusal. */
  tryNext(refusal: Refusal): boolean;
  /** One page; undefined when the body is not such a list. */
  page(body: Json): { ids: string[]; next?: string | undefined } | undefined;
  /** Whether a 404 to a call of a model means that there is none. */
  lacksModelWith404?: boolean;
  /** A code that other fields decide than codes and words. */
  code?(refusal: Refusal): OutboundCode | undefined;
  retryAfter?(refusal: Refusal): number | undefined;
  /** Why a content filter refused the prompt. */
  filterResult?(refusal: Refusal): Json | undefined;
}
