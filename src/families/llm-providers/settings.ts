import { isObject, type Json } from '../../contract/basics.ts';
import { storedCertificates } from '../../domain/net/certificates.ts';
import { assertPlainUrl, hostBinding, plainHost, UrlProblem, withoutTrailingSlashes } from '../../domain/net/url.ts';
import { type ConnectionSettings, FIELD_NAMES, type SettingField } from './settingFields.ts';

/** The name of a field's value in messages, and its path as a secret. */
export const fieldName = (field: SettingField) => `servicesettings.${field}.value`;
export const secretPath = (field: SettingField) => `servicesettings/${field}/value`;
export const TOKEN_URL = `${fieldName('oauth')}.token_url`;
export const CLIENT_SECRET = `${secretPath('oauth')}/client_secret`;

/** The schema has checked the types; an empty text or null means "not set". */
export function readSettings(settings: Json): ConnectionSettings {
  const entries = FIELD_NAMES.map((field) => {
    const value = valueIn(settings, field);
    return [field, field === 'oauth' ? membersOf(value) : textOf(value)] as const;
  });
  const values: Partial<ConnectionSettings> = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  return { verify_tls: true, ...values };
}

const valueIn = (settings: Json, field: SettingField): unknown =>
  (settings[field] as { value?: unknown } | null | undefined)?.value;
const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() || undefined : (value ?? undefined));

/** The members that are set; undefined if none is. */
function membersOf(value: unknown): Json | undefined {
  const members = Object.entries(isObject(value) ? value : {}).map(([name, member]) => [name, textOf(member)] as const);
  const given = members.filter(([, member]) => member !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** `servicesettings` that keep `oauth` where it is left out. @param before the settings so far */
export function withKeptOAuth(settings: Json, before: Json): Json {
  const members = membersOf(valueIn(before, 'oauth'));
  return members && !membersOf(valueIn(settings, 'oauth')) ? withValue(settings, 'oauth', members) : settings;
}

/** How a provider's addresses look. */
export interface EndpointRule {
  /** The base that is filled in; null if the provider has none. */
  readonly defaultEndpoint: string | null;
  /** The part of a pasted full URL that follows the base. */
  readonly beyondBase: RegExp;
}

/**
 * The base of a pasted address: without the operation's path, query and fragment; the bare host of the
 * provider itself gets the provider's path. An invalid URL is returned as it is, for the rules to refuse.
 */
function baseOf(address: string | undefined, rule: EndpointRule): string | undefined {
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

/** Whether an address is on the host of the default one, whatever its scheme and path. */
export function isDefaultHost(address: string | undefined, { defaultEndpoint }: EndpointRule): boolean {
  if (address === undefined || defaultEndpoint === null) return true;
  return hostBinding(address).host === hostBinding(defaultEndpoint).host;
}

/** `servicesettings` with its endpoint trimmed to the base, or filled in. */
export function withBase(settings: Json, rule: EndpointRule): Json {
  const base = baseOf(readSettings(settings).endpoint, rule);
  return base === undefined ? settings : withValue(settings, 'endpoint', base);
}

/** `servicesettings` with its CA certificates in the form in which they are stored. @param before the settings so far */
export function withStoredCertificates(settings: Json, before: Json): Json {
  const { ca_certificate: ca } = readSettings(settings);
  if (ca === undefined) return settings;
  return withValue(settings, 'ca_certificate', storedCertificates(ca, readSettings(before).ca_certificate));
}

function withValue(settings: Json, name: SettingField, value: string | Json): Json {
  const field = settings[name];
  return { ...settings, [name]: { ...(typeof field === 'object' ? field : {}), value } };
}
