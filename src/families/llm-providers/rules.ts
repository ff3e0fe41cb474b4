import type { Json } from '../../contract/basics.ts';
import type { Problem } from '../../contract/codes/faults.ts';
import type { Provider } from '../../contract/families/llmProviders.ts';
import { headerProblem } from '../../domain/net/headerValues.ts';
import { headerProblems } from '../../domain/secrets/secretHeaders.ts';
import type { SubmittedSecrets } from '../../domain/secrets/secrets.ts';
import { hasMoreFieldsThan, nestsDeeperThan } from '../../domain/values/json.ts';
import { fieldOfPath, HEADERS, type SecretPaths } from './credentials/credentials.ts';
import { LIMITS } from './names.ts';
import { LLM_PROVIDERS } from './providers/registry.ts';
import { type ConnectionSettings, FIELD_NAMES, SETTING_FIELDS, type SettingField } from './settingFields.ts';
import { fieldName, isDefaultHost, secretPath } from './settings.ts';

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
  return FIELD_NAMES.flatMap((field) => {
    const value = settings[field];
    const message = typeof value === 'string' ? SETTING_FIELDS[field].problem?.(value) : undefined;
    return message === undefined ? [] : [{ field: fieldName(field), message }];
  });
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
  const missing = FIELD_NAMES.filter((field) => isRequired(field) && !has(field));
  return [...missing.map(fieldName), ...(problems?.(has) ?? []).map(({ field }) => field)];
}
