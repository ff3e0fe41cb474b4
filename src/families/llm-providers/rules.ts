import type { Json } from '../../contract/basics.ts';
import type { Problem } from '../../contract/codes/faults.ts';
import { headerProblem } from '../../domain/net/headerValues.ts';
import type { SubmittedSecrets } from '../../domain/secrets/secrets.ts';
import { nestsDeeperThan } from '../../domain/values/json.ts';
import { fieldOfPath, type Marks } from './credentials/credentials.ts';
import { LIMITS, type Provider } from './names.ts';
import { LLM_PROVIDERS } from './providers/registry.ts';
import { type ConnectionSettings, FIELD_NAMES, SETTING_FIELDS, type SettingField } from './settingFields.ts';
import { fieldName, secretPath } from './settings.ts';

/** What no schema can say about a configuration as it was sent, before anything of it is taken apart. */
export function shapeProblems(blob: Json): Problem[] {
  if (!nestsDeeperThan(blob, LIMITS.depth)) return [];
  return [{ field: '$body', message: `is nested deeper than ${LIMITS.depth} levels` }];
}

export function credentialProblems(given: SubmittedSecrets, marks: Marks): Problem[] {
  const values = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null);
  const characters = values.reduce((sum, [, value]) => sum + value.length, 0);
  const problems: Problem[] = [];
  if (values.length > LIMITS.credentials || characters > LIMITS.credential_characters) {
    const most = `${LIMITS.credentials} texts or ${LIMITS.credential_characters} characters`;
    problems.push({ field: '$body', message: `has more than ${most} in fields that look like credentials` });
  }
  for (const path of marks) {
    const message = headerProblem(given[path]);
    if (message) problems.push({ field: fieldOfPath(path), message });
  }
  return problems;
}

/** What is wrong with settings that are there. Fields that a provider does not use are looked at all the same. */
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

/** What is missing for the configuration to be stored. */
export function missingToStore(
  provider: Provider,
  settings: ConnectionSettings,
  secretPaths: readonly string[],
): Problem[] {
  const together = LLM_PROVIDERS[provider].problems?.(presence(settings, secretPaths)) ?? [];
  return [...missingFields(provider, settings), ...together];
}

/** The part of it that no stored secret can make good. */
export function missingFields(provider: Provider, settings: ConnectionSettings): Problem[] {
  const missing = LLM_PROVIDERS[provider].requiredToStore.filter((field) => settings[field] === undefined);
  return missing.map((field) => ({ field: fieldName(field), message: `is required for ${provider}` }));
}

/**
 * Names of the fields without which the provider cannot be called.
 * @param settings with the secrets in their places
 */
export function missingToCall(provider: Provider, settings: ConnectionSettings): string[] {
  const { fields, problems } = LLM_PROVIDERS[provider];
  const has = presence(settings, []);
  const missing = FIELD_NAMES.filter((field) => fields[field] === 'required' && !has(field));
  return [...missing.map(fieldName), ...(problems?.(has) ?? []).map(({ field }) => field)];
}
