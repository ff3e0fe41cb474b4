import type { Problem } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { type Outgoing, unmasked } from '../../../masking/checkedBody.ts';
import type { LlmDependencies } from '../../../ports/llm/llmDependencies.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { Upstream } from '../../../ports/platform/upstream.ts';
import type { ChatAnswer, ChatRequest, EmbedAnswer, EmbedRequest, Translation } from '../chat/chat.ts';
import type { ConnectionSettings, SettingField, TextField } from '../settingFields.ts';
import type { EndpointRule } from '../settings.ts';
import type { TokenSharing } from '../tokens/sharing.ts';

/** The API of a local server. */
export type LocalApi = 'ollama' | 'openai';

/** The API whose paths a connection has been found to have. */
export interface ApiMemory {
  readonly api: LocalApi | undefined;
  /** Stores it for all later calls, if the store takes it. */
  keep(api: LocalApi): Promise<void>;
}

/** The settings of a call. Holds secrets in the clear, so it must not outlive the call. */
export interface Target {
  /** `servicesettings` with the secrets in their places. */
  settings: ConnectionSettings;
  /** Secrets that no reply or message may show. */
  hidden: readonly string[];
  /** A token that is sent in place of the service's own key. */
  bearer?: string | undefined;
  /** Undefined for a configuration that is not saved; the same for `sharing`. */
  memory?: ApiMemory | undefined;
  sharing?: TokenSharing | undefined;
}

export interface ChatReply extends ChatAnswer {
  /** HTTP status of the answer. */
  status: number;
  /** Parts of the request that were left out or changed, `token_limit_spent_on_reasoning` and `reasoning_without_answer`. */
  warnings: string[];
}

export interface EmbedReply extends EmbedAnswer {
  status: number;
  warnings: string[];
}

/** Longer lists are cut. */
export const MAX_MODELS = 2000;

export interface ModelList {
  status: number;
  ids: string[];
}

/** One provider under one configuration. Every failure is an OutboundError. */
export interface LlmClient {
  chat(model: string, request: Outgoing<ChatRequest>, upstream: Upstream): Promise<ChatReply>;
  embed(model: string, request: Outgoing<EmbedRequest>, upstream: Upstream): Promise<EmbedReply>;
  list(deadline: Deadline): Promise<ModelList>;
  /** A chat test that does more than call the model. */
  test?(model: string, upstream: Upstream): Promise<ChatReply>;
}

/** A provider of language models: its settings, and how it is called. */
export interface LlmProvider extends EndpointRule {
  readonly displayName: string;
  /**
   * The settings that a form shows; required ones must be there before the provider can be called, those `at_default` only where
   * the endpoint is the default one.
   */
  readonly fields: Readonly<Partial<Record<SettingField, 'required' | 'at_default' | 'optional'>>>;
  /** Settings, secrets aside, without which not even a draft is stored. */
  readonly requiredToStore: readonly SettingField[];
  /** Settings that decide who receives the secrets: stored secrets are bound to their values. */
  readonly addressFields: readonly TextField[];
  /** Names of the headers that its dialect sets: settings cannot. */
  readonly ownHeaders: RegExp;
  /** Problems of the combination of settings. */
  problems?(has: (field: SettingField) => boolean): Problem[];
  /**
   * The address that the administrator has set for the site. Stored only with a secret, which is bound to an address;
   * otherwise looked up at each call.
   */
  siteEndpoint?(deps: LlmDependencies): Promise<string | undefined>;
  /** Words for a user on who hosts the models, where it depends on the site; undefined if nobody does. */
  hosting?(
    settings: Pick<ConnectionSettings, 'endpoint' | 'access_token' | 'headers' | 'oauth'>,
    deps: LlmDependencies,
  ): Promise<string | undefined>;
  client(target: Target, deps: LlmDependencies): LlmClient;
}

/** The part of a full URL that follows the base in OpenAI's dialect. */
export const BEYOND_OPENAI_BASE = /\/(chat\/completions|completions|responses|embeddings)$|(?<=\/v1)\/models$/;

/** Defaults of a provider with an endpoint and a key. */
export const KEYED = {
  fields: {
    endpoint: 'required',
    access_token: 'required',
    request_timeout: 'optional',
    verify_tls: 'optional',
    ca_certificate: 'optional',
    headers: 'optional',
    oauth: 'optional',
  },
  requiredToStore: [],
  addressFields: ['endpoint'],
  ownHeaders: /^authorization$/i,
} as const satisfies Partial<LlmProvider>;

/** The request of every chat test. Newer models refuse a temperature, so it has none. */
export const PROBE = unmasked<ChatRequest>({
  messages: [{ role: 'user', content: 'Reply with the single word: ok' }],
  maxTokens: 16,
  isProbe: true,
});

/** Tests a model as its provider does, else by one short question. */
export const testChat = (client: LlmClient, model: string, upstream: Upstream): Promise<ChatReply> =>
  client.test ? client.test(model, upstream) : client.chat(model, PROBE, upstream);

/** @throws OutboundError `not_supported` unless the request lets it be left out; returns the warnings */
export function assertSupported(
  { dropUnsupported, mayLeaveOut = [] }: Pick<ChatRequest, 'dropUnsupported' | 'mayLeaveOut'>,
  { unsupported, warnings }: Pick<Translation, 'unsupported' | 'warnings'>,
): string[] {
  if (unsupported.length === 0) return warnings;
  const needed = dropUnsupported ? [] : unsupported.filter((name) => !mayLeaveOut.includes(name));
  const [param] = needed;
  if (param !== undefined) {
    throw new OutboundError('not_supported', `The provider does not support ${needed.join(', ')}`, { param });
  }
  return [...warnings, `left out, since the provider does not support it: ${unsupported.join(', ')}`];
}

/** @throws OutboundError `not_supported` where the provider takes texts only */
export function assertTexts({ inputs }: EmbedRequest): void {
  if (inputs.every((input) => typeof input === 'string')) return;
  const hint = 'LangChain: check_embedding_ctx_length=False';
  throw new OutboundError('not_supported', `The provider embeds texts, not tokens: send texts (${hint})`, {
    param: 'input',
  });
}

const LACKING = [404, 405, 501];

/** Whether the server has no list of models. */
export const lacksList = (error: unknown): boolean =>
  error instanceof OutboundError && (error.code === 'not_supported' || LACKING.includes(error.httpStatus ?? 0));
