import type { Json } from '../../contract/basics.ts';
import type { Problem } from '../../contract/codes/faults.ts';
import type { Provider } from '../../contract/families/llmProviders.ts';
import { headerProblem } from '../../domain/net/headerValues.ts';
import { plainUrlProblem } from '../../domain/net/url.ts';
import { headerProblems } from '../../domain/secrets/secretHeaders.ts';
import type { SubmittedSecrets } from '../../domain/secrets/secrets.ts';
import { hasMoreFieldsThan, nestsDeeperThan } from '../../domain/values/json.ts';
import { fieldOfPath, HEADERS, type SecretPaths } from './credentials/credentials.ts';
import { LIMITS } from './names.ts';
import { LLM_PROVIDERS } from './providers/registry.ts';
import { type ConnectionSettings, FIELD_NAMES, SETTING_FIELDS, type SettingField } from './settingFields.ts';
import { CLIENT_SECRET, fieldName, isDefaultHost, secretPath, TOKEN_URL } from './settings.ts';

/** Problems of the shape of a body before it is parsed. */
export function shapeProblems(body: Json): Problem[] {
  if (nestsDeeperThan(body, LIMITS.depth))
    return [{ field: '$body', message: `is nested deeper than ${LIMITS.depth} levels` }];
  if (hasMoreFieldsThan(body, LIMITS.fields))
    return [{ field: '$body', message: `has more than ${LIMITS.fields} fields and entries of lists` }];
  return [];
}

/** @param provider undefined in a body that names none: its own headers are unknown then */
export function credentialProblems(
  provider: Provider | undefined,
  submitted: SubmittedSecrets,
  marked: SecretPaths,
): Problem[] {
  const values = Object.entries(submitted).filter((entry): entry is [string, string] => entry[1] !== null);
  const characters = values.reduce((sum, [, value]) => sum + value.length, 0);
  const problems: Problem[] = [];
  if (values.length > LIMITS.credentials || characters > LIMITS.credential_characters) {
    const most = `${LIMITS.credentials} texts or ${LIMITS.credential_characters} characters`;
    problems.push({ field: '$body', message: `has more than ${most} in fields that look like credentials` });
  }
  for (const path of marked) {
    const message = headerProblem(submitted[path]);
    if (message) problems.push({ field: fieldOfPath(path), message });
  }
  const isReserved = (name: string) => provider !== undefined && LLM_PROVIDERS[provider].ownHeaders.test(name);
  return [...problems, ...headerProblems(HEADERS, submitted, isReserved)];
}

/** Problems of settings that are present, also of those that the provider does not use. */
export function settingProblems(settings: ConnectionSettings): Problem[] {
  const url = settings.oauth?.token_url;
  const urlMessage = url === undefined ? undefined : plainUrlProblem(url);
  return [
    ...FIELD_NAMES.flatMap((field) => {
      const value = settings[field];
      const message = typeof value === 'string' ? SETTING_FIELDS[field].problem?.(value) : undefined;
      return message === undefined ? [] : [{ field: fieldName(field), message }];
    }),
    ...(urlMessage === undefined ? [] : [{ field: TOKEN_URL, message: urlMessage }]),
  ];
}

/** Settings that a token takes the place of. */
const KEYS = ['access_token', 'cloud_access_key_id', 'cloud_access_token', 'role_arn'] as const;
const AUTHORIZATION = `${HEADERS.prefix}authorization`;

/** Problems of OAuth client credentials together with the rest. @param secretPaths of the secrets that the configuration will have */
export function oauthProblems(settings: ConnectionSettings, secretPaths: readonly string[]): Problem[] {
  const { oauth } = settings;
  if (oauth === undefined && !secretPaths.includes(CLIENT_SECRET)) return [];
  const has = presence(settings, secretPaths);
  const instead = KEYS.filter((field) => has(field)).map((field) => ({
    field: fieldName(field),
    message: `cannot be given along with ${fieldName('oauth')}: one takes the place of the other, and null deletes it`,
  }));
  const headers = secretPaths.filter((path) => path.toLowerCase() === AUTHORIZATION);
  const missing = (['token_url', 'client_id'] as const).filter((member) => oauth?.[member] === undefined);
  return [
    ...instead,
    ...headers.map((path) => ({ field: fieldOfPath(path), message: 'cannot be set: the app sends its token in it' })),
    ...missing.map((member) => ({ field: `${fieldName('oauth')}.${member}`, message: 'is required' })),
  ];
}

/** @param secretPaths of the secrets that the configuration will have */
function presence(settings: ConnectionSettings, secretPaths: readonly string[]): (field: SettingField) => boolean {
  return (field) => settings[field] !== undefined || secretPaths.includes(secretPath(field));
}

/** Problems that keep a configuration from being stored. */
export function missingToStore(
  provider: Provider,
  settings: ConnectionSettings,
  secretPaths: readonly string[],
): Problem[] {
  const together = LLM_PROVIDERS[provider].problems?.(presence(settings, secretPaths)) ?? [];
  return [...missingFields(provider, settings), ...together];
}

/** Required settings that are missing, secrets aside. */
export function missingFields(provider: Provider, settings: ConnectionSettings): Problem[] {
  const missing = LLM_PROVIDERS[provider].requiredToStore.filter((field) => settings[field] === undefined);
  return missing.map((field) => ({ field: fieldName(field), message: `is required for ${provider}` }));
}

/**
 * Names of the fields without which the provider cannot be called.
 * @param settings with the secrets in their places
 */
export function missingToCall(provider: Provider, settings: ConnectionSettings): string[] {
  const { fields, problems, ...rule } = LLM_PROVIDERS[provider];
  const has = presence(settings, []);
  const isRequired = (field: SettingField) =>
    fields[field] === 'required' || (fields[field] === 'at_default' && isDefaultHost(settings.endpoint, rule));
  const { oauth } = settings;
  const isReplaced = (field: SettingField) => oauth !== undefined && field === 'access_token';
  const missing = FIELD_NAMES.filter((field) => isRequired(field) && !has(field) && !isReplaced(field)).map(fieldName);
  if (oauth !== undefined && oauth.client_secret === undefined) missing.push(fieldOfPath(CLIENT_SECRET));
  return [...missing, ...(problems?.(has) ?? []).map(({ field }) => field)];
}
