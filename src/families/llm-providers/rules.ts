import {
  ACCESS_KEY_ID_MESSAGE,
  ACCESS_KEY_ID_PATTERN,
  REGION_MESSAGE,
  REGION_PATTERN,
  ROLE_ARN_MESSAGE,
  ROLE_ARN_PATTERN,
} from '../../contract/aws.ts';
import type { Problem } from '../../contract/faults.ts';
import { pairProblems } from '../../domain/awsKeys.ts';
import { certificateProblem } from '../../domain/certificates.ts';
import { headerProblem } from '../../domain/headerValues.ts';
import type { LlmJson } from '../../domain/llmConfigurations.ts';
import type { GivenSecrets } from '../../domain/secrets.ts';
import { plainUrlProblem } from '../../domain/url.ts';
import { fieldOfPath, isDeeper } from './credentials.ts';
import { LIMITS, type Provider } from './names.ts';
import type { SettingField } from './providers/provider.ts';
import { LLM_PROVIDERS } from './providers/registry.ts';
import { ACCESS_TOKEN, CLOUD_ACCESS_TOKEN, type ServiceSettings } from './settings.ts';

const API_VERSION = /^(\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(-preview)?|v1)$/;
const shown = (field: SettingField) => `servicesettings.${field}.value`;

/** What no schema can say about a configuration as it was sent, before anything of it is taken apart. */
export function shapeProblems(blob: LlmJson): Problem[] {
  if (!isDeeper(blob, LIMITS.depth)) return [];
  return [{ field: '$body', message: `is nested deeper than ${LIMITS.depth} levels` }];
}

export function credentialProblems(given: GivenSecrets): Problem[] {
  const values = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null);
  const characters = values.reduce((sum, [, value]) => sum + value.length, 0);
  const problems: Problem[] = [];
  if (values.length > LIMITS.credentials || characters > LIMITS.credential_characters) {
    const most = `${LIMITS.credentials} texts and ${LIMITS.credential_characters} characters`;
    problems.push({ field: '$body', message: `holds more in fields that look like credentials than ${most}` });
  }
  for (const path of [ACCESS_TOKEN, CLOUD_ACCESS_TOKEN]) {
    const message = headerProblem(given[path]);
    if (message) problems.push({ field: fieldOfPath(path), message });
  }
  return problems;
}

/** What is wrong with settings that are there. Fields that a service does not use are looked at all the same. */
export function settingProblems(settings: ServiceSettings): Problem[] {
  const problems: Problem[] = [];
  const add = (field: SettingField, message: string | undefined) => {
    if (message) problems.push({ field: shown(field), message });
  };
  const matching = (field: SettingField, text: string | undefined, pattern: RegExp, message: string) =>
    add(field, text === undefined || pattern.test(text) ? undefined : message);
  add('endpoint', settings.endpoint === undefined ? undefined : plainUrlProblem(settings.endpoint));
  matching(
    'enterprise_api_version',
    settings.enterprise_api_version,
    API_VERSION,
    'must be YYYY-MM-DD[-preview] or v1',
  );
  matching('region', settings.region, new RegExp(REGION_PATTERN), REGION_MESSAGE);
  matching('role_arn', settings.role_arn, new RegExp(ROLE_ARN_PATTERN), ROLE_ARN_MESSAGE);
  const keyId = settings.cloud_access_key_id;
  matching('cloud_access_key_id', keyId, new RegExp(ACCESS_KEY_ID_PATTERN), ACCESS_KEY_ID_MESSAGE);
  add('ca_certificate', certificateProblem(settings.ca_certificate));
  return problems;
}

/** Paths of the secrets that a configuration has or will have. */
type SecretPaths = readonly string[];

function has(field: SettingField, settings: ServiceSettings, secrets: SecretPaths): boolean {
  if (field === 'access_token') return secrets.includes(ACCESS_TOKEN);
  if (field === 'cloud_access_token') return secrets.includes(CLOUD_ACCESS_TOKEN);
  return settings[field] !== undefined;
}

const KEY_PAIR = { id: shown('cloud_access_key_id'), secret: shown('cloud_access_token') };

function halfPair(service: Provider, settings: ServiceSettings, secrets: SecretPaths): Problem[] {
  if (!('cloud_access_key_id' in LLM_PROVIDERS[service].fields)) return [];
  const half = (field: SettingField) => has(field, settings, secrets);
  return pairProblems(half('cloud_access_key_id'), half('cloud_access_token'), KEY_PAIR);
}

/** What is missing for the configuration to be stored. */
export function missingToStore(service: Provider, settings: ServiceSettings, secrets: SecretPaths): Problem[] {
  return [...missingFields(service, settings), ...halfPair(service, settings, secrets)];
}

/** The part of it that no stored secret can make good. */
export function missingFields(service: Provider, settings: ServiceSettings): Problem[] {
  const missing = LLM_PROVIDERS[service].storedWith.filter((field) => !has(field, settings, []));
  return missing.map((field) => ({ field: shown(field), message: `is required for ${service}` }));
}

/** Names of the fields without which the provider cannot be called. */
export function missingToCall(service: Provider, settings: ServiceSettings, secrets: SecretPaths): string[] {
  const { fields } = LLM_PROVIDERS[service];
  const needed = (Object.keys(fields) as SettingField[]).filter((field) => fields[field] === 'needed');
  const missing = needed.filter((field) => !has(field, settings, secrets));
  return [...missing.map(shown), ...halfPair(service, settings, secrets).map(({ field }) => field)];
}
