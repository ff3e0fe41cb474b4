import type { LlmJson } from '../../domain/llmConfigurations.ts';
import { assertPlainUrl, plainHost, UrlProblem, withoutTrailingSlashes } from '../../domain/url.ts';

/** The declared fields of `servicesettings` beside its secrets. */
export interface ServiceSettings {
  endpoint?: string | undefined;
  request_timeout?: number | undefined;
  enterprise_api_version?: string | undefined;
  region?: string | undefined;
  cloud_access_key_id?: string | undefined;
  role_arn?: string | undefined;
  verify_tls: boolean;
  ca_certificate?: string | undefined;
}

/** Paths of the secrets that are sent to a provider. */
export const ACCESS_TOKEN = 'servicesettings/access_token/value';
export const CLOUD_ACCESS_TOKEN = 'servicesettings/cloud_access_token/value';

const fieldValue = (settings: LlmJson, field: string): unknown =>
  (settings[field] as { value?: unknown } | null | undefined)?.value;

/** The schema has seen to the types; empty texts and null are "not given". */
export function readSettings(settings: LlmJson): ServiceSettings {
  const text = (field: string) => (fieldValue(settings, field) as string | null | undefined)?.trim() || undefined;
  return {
    endpoint: text('endpoint'),
    request_timeout: (fieldValue(settings, 'request_timeout') as number | null | undefined) ?? undefined,
    enterprise_api_version: text('enterprise_api_version'),
    region: text('region'),
    cloud_access_key_id: text('cloud_access_key_id'),
    role_arn: text('role_arn'),
    verify_tls: (fieldValue(settings, 'verify_tls') as boolean | null | undefined) ?? true,
    ca_certificate: text('ca_certificate'),
  };
}

/** How a service's addresses look. */
export interface EndpointRule {
  readonly defaultEndpoint: string | null;
  /** What a pasted full URL has behind the base, matched at the end of the path. */
  readonly beyondBase: RegExp;
}

/**
 * The base of an address as a person pastes it: without the operation's path, query and fragment; the bare host of the
 * provider itself gets the provider's path. An address that is no plain URL comes back as it is, for the rules to refuse.
 */
export function baseOf(address: string | undefined, rule: EndpointRule): string | undefined {
  if (address === undefined) return rule.defaultEndpoint ?? undefined;
  try {
    const url = assertPlainUrl(address);
    const path = withoutTrailingSlashes(withoutTrailingSlashes(url.pathname).replace(rule.beyondBase, ''));
    const base = `${url.origin}${path}`;
    const usual = rule.defaultEndpoint === null ? undefined : new URL(rule.defaultEndpoint);
    return path === '' && usual && plainHost(usual) === plainHost(url) && usual.origin === url.origin
      ? (rule.defaultEndpoint ?? base)
      : base;
  } catch (error) {
    if (error instanceof UrlProblem) return address;
    throw error;
  }
}

/** `servicesettings` with its endpoint trimmed to the base, or filled in. */
export function withBase(settings: LlmJson, rule: EndpointRule): LlmJson {
  const base = baseOf(readSettings(settings).endpoint, rule);
  if (base === undefined) return settings;
  const field = settings.endpoint;
  return { ...settings, endpoint: { ...(typeof field === 'object' ? field : {}), value: base } };
}
