import type { Json } from '../../../contract/basics.ts';
import { invalid, type Problem } from '../../../contract/codes/faults.ts';
import { PROVIDER_NAMES, type Provider } from '../../../contract/families/llmProviders.ts';
import { trimPastedSecret } from '../../../domain/net/headerValues.ts';
import type { SubmittedSecrets } from '../../../domain/secrets/secrets.ts';
import { LLM_PROVIDERS } from '../providers/registry.ts';
import { credentialProblems, missingFields, settingProblems, shapeProblems } from '../rules.ts';
import { readSettings, withBase } from '../settings.ts';
import { isMarked, type SecretPaths, splitCredentials, toStoredPath } from './credentials.ts';

/** Keys of a body that are not stored as fields of the model: identity, flags, and what only the server writes. */
export const RESERVED_KEYS = new Set([
  'service',
  'connection_name',
  'model',
  'servicesettings',
  'is_saved',
  'is_model_saved',
  'version',
  'created_at',
  'created_by',
  'last_updated_at',
  'last_updated_by',
  'last_test',
  // Fields of a test's body.
  'action',
  'probe',
]);

export interface ParsedConfiguration {
  /** Without secrets. Undefined when the body has none: then those of the connection stay. */
  servicesettings: Json | undefined;
  /** Everything else, without secrets: it belongs to the model. */
  fields: Json;
  /** Secrets by the path under which they are stored. */
  submitted: SubmittedSecrets;
  /** Malformed values; missing ones are judged with the stored record. */
  problems: Problem[];
}

/**
 * @param provider undefined in a body that names none: its address cannot be trimmed then
 * @throws Fault `validation_failed` for a body that is nested too deep
 */
export function parseConfiguration(
  provider: Provider | undefined,
  body: Json,
  marked: SecretPaths,
): ParsedConfiguration {
  const shape = shapeProblems(body);
  if (shape.length > 0) throw invalid(shape);
  const parts = Object.entries(body).filter(([key]) => key === 'servicesettings' || !RESERVED_KEYS.has(key));
  const split = splitCredentials(Object.fromEntries(parts), marked);
  const { servicesettings: settingsBody, ...fields } = split.open as { servicesettings?: Json };
  const submitted = Object.fromEntries(
    Object.entries(split.submitted).map(([path, value]) => [
      toStoredPath(path, String(body.model ?? '')),
      typeof value === 'string' && isMarked(path, marked) ? trimPastedSecret(value, path) : value,
    ]),
  );
  const servicesettings = settingsBody && provider ? withBase(settingsBody, LLM_PROVIDERS[provider]) : settingsBody;
  const settings = servicesettings ? settingProblems(readSettings(servicesettings)) : [];
  return {
    servicesettings,
    fields,
    submitted,
    problems: [...credentialProblems(provider, submitted, marked), ...settings],
  };
}

/**
 * Checks a body that has failed its schema, so that the caller hears of every problem at once.
 * @throws Fault `validation_failed`
 */
export function configurationRules(isStored: boolean, marked: SecretPaths): (body: Json) => void {
  return (body) => {
    const provider = PROVIDER_NAMES.find((name) => name === body.service);
    const { problems, servicesettings } = parseConfiguration(provider, body, marked);
    const missing =
      isStored && provider && servicesettings ? missingFields(provider, readSettings(servicesettings)) : [];
    if (problems.length + missing.length > 0) throw invalid([...problems, ...missing]);
  };
}

/** Whether a test's body is more than an identity. */
export function hasConfiguration(body: Json): boolean {
  const identity = ['action', 'probe', 'service', 'connection_name', 'model', 'version'];
  return Object.keys(body).some((key) => !identity.includes(key));
}
