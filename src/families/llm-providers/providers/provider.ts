import type { Deadline } from '../../../ports/deadline.ts';
import type { LlmDependencies } from '../../../ports/llmDependencies.ts';
import type { EndpointRule, ServiceSettings } from '../settings.ts';

/** What a connection is called with. Holds secrets in the clear: it lives as long as the call. */
export interface Target {
  settings: ServiceSettings;
  accessToken?: string | undefined;
  cloudAccessToken?: string | undefined;
}

export interface Said {
  /** HTTP status of the answer. */
  status: number;
  /** What the model said; may be empty when the token cap cut it off. */
  text: string;
}

export interface Listed {
  status: number;
  ids: string[];
}

/** One provider under one configuration. Every failure is an OutboundError. */
export interface LlmClient {
  chat(model: string, deadline: Deadline): Promise<Said>;
  list(deadline: Deadline): Promise<Listed>;
}

export const SETTING_FIELDS = [
  'endpoint',
  'access_token',
  'request_timeout',
  'enterprise_api_version',
  'region',
  'cloud_access_key_id',
  'cloud_access_token',
  'role_arn',
  'verify_tls',
  'ca_certificate',
] as const;
export type SettingField = (typeof SETTING_FIELDS)[number];

type Fields = Readonly<Partial<Record<SettingField, 'needed' | 'optional'>>>;

/** What every service has. */
export const COMMON_FIELDS = {
  request_timeout: 'optional',
  verify_tls: 'optional',
  ca_certificate: 'optional',
} as const satisfies Fields;
/** A service at an address, with a key. */
export const KEYED_FIELDS = { endpoint: 'needed', access_token: 'needed', ...COMMON_FIELDS } as const satisfies Fields;

/** A service: what a configuration of it has, and how its provider is called. */
export interface LlmProvider extends EndpointRule {
  readonly displayName: string;
  /** Fields of `servicesettings` that a form shows; `needed` ones must be there before the provider can be called. */
  readonly fields: Fields;
  /** Fields without which not even a draft is stored. */
  readonly storedWith: readonly SettingField[];
  /** The list of models tells which of them can be called: a chat test looks there first. */
  readonly listsFirst?: 'must' | 'may';
  /** Whether a listed id means the configured model; equality unless told otherwise. */
  isListed?(model: string, ids: readonly string[]): boolean;
  client(target: Target, peers: LlmDependencies): LlmClient;
}

/** The question of every chat test: one user message, a small cap, and never a temperature (newer models refuse it). */
export const PROBE = { prompt: 'Reply with the single word: ok', maxTokens: 16 } as const;
