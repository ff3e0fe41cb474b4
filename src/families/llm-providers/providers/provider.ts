import type { Problem } from '../../../contract/faults.ts';
import { OutboundError } from '../../../contract/outbound.ts';
import type { Deadline } from '../../../ports/deadline.ts';
import type { LlmDependencies } from '../../../ports/llmDependencies.ts';
import type { ConnectionSettings, SettingField, TextField } from '../settingFields.ts';
import type { EndpointRule } from '../settings.ts';

/** What a provider is called with. Holds secrets in the clear: it lives as long as the call. */
export interface Target {
  /** `servicesettings` with the secrets in their places. */
  settings: ConnectionSettings;
  /** The fields that the schema marks as secrets: no answer may show what they hold. */
  secretFields: readonly SettingField[];
}

export interface ChatAnswer {
  /** HTTP status of the answer. */
  status: number;
  /** What the model said; may be empty when the token limit cut it off. */
  text: string;
}

/** The rest of longer lists is skipped. */
export const MAX_MODELS = 2000;

export interface ModelList {
  status: number;
  ids: string[];
}

/** One provider under one configuration. Every failure is an OutboundError. */
export interface LlmClient {
  chat(model: string, deadline: Deadline): Promise<ChatAnswer>;
  list(deadline: Deadline): Promise<ModelList>;
}

/** A provider of language models: what its configuration consists of, and how it is called. */
export interface LlmProvider extends EndpointRule {
  readonly displayName: string;
  /** The settings that a form shows; required ones must be there before the provider can be called. */
  readonly fields: Readonly<Partial<Record<SettingField, 'required' | 'optional'>>>;
  /** Settings, secrets aside, without which not even a draft is stored. */
  readonly requiredToStore: readonly SettingField[];
  /** Settings that say who receives the secrets: when one of them changes, the stored secrets do not follow. */
  readonly addressFields: readonly TextField[];
  /** What is wrong with settings that are each fine by themselves. */
  problems?(has: (field: SettingField) => boolean): Problem[];
  /**
   * The address that the administrator has set for the whole site: the default where the provider has none of its own. It is
   * stored only beside a secret, which is bound to an address; otherwise it is looked up at each call.
   */
  siteEndpoint?(deps: LlmDependencies): Promise<string | undefined>;
  client(target: Target, deps: LlmDependencies): LlmClient;
  /** How a chat test asks the model, where it takes more than to ask. */
  testChat?(client: LlmClient, model: string, deadline: Deadline): Promise<ChatAnswer>;
}

/** A provider at an address, called with a key: what most of them are. */
export const KEYED = {
  fields: {
    endpoint: 'required',
    access_token: 'required',
    request_timeout: 'optional',
    verify_tls: 'optional',
    ca_certificate: 'optional',
  },
  requiredToStore: [],
  addressFields: ['endpoint'],
} as const satisfies Partial<LlmProvider>;

/** The question of every chat test: one user message, few tokens, and never a temperature (newer models refuse it). */
export const PROBE = { prompt: 'Reply with the single word: ok', maxTokens: 16 } as const;

/** The secrets that a target holds. */
export function secretsOf({ settings, secretFields }: Target): string[] {
  return secretFields.map((field) => settings[field]).filter((value) => typeof value === 'string');
}

const LACKING = [404, 405, 501];

/** Whether it is the list of models that the server does not have. */
export const lacksList = (error: unknown): boolean =>
  error instanceof OutboundError && (error.code === 'not_supported' || LACKING.includes(error.httpStatus ?? 0));
