import { invalid, type Problem } from '../../contract/faults.ts';
import { pasted } from '../../domain/headerValues.ts';
import type { LlmJson } from '../../domain/llmConfigurations.ts';
import type { GivenSecrets } from '../../domain/secrets.ts';
import { splitCredentials } from './credentials.ts';
import { PROVIDER_NAMES, type Provider } from './names.ts';
import { LLM_PROVIDERS } from './providers/registry.ts';
import { credentialProblems, missingFields, settingProblems, shapeProblems } from './rules.ts';
import { ACCESS_TOKEN, CLOUD_ACCESS_TOKEN, readSettings, withBase } from './settings.ts';

/** Keys of a configuration that are not part of the model's own blob: identity, flags, and what only the server writes. */
const OWN_KEYS = new Set([
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
  // Of a test's body.
  'action',
  'probe',
]);

/** A submitted configuration taken apart: what is stored openly, and its secrets by path. */
export interface Submitted {
  /** Undefined when the blob has none: the connection's stay. */
  servicesettings: LlmJson | undefined;
  /** All the rest that belongs to the model. */
  blob: LlmJson;
  given: GivenSecrets;
  /** What is malformed, whatever else may be missing. */
  problems: Problem[];
}

/** @throws Fault `validation_failed` for a blob that cannot even be looked at */
export function takeApart(service: Provider, input: LlmJson): Submitted {
  const shape = shapeProblems(input);
  if (shape.length > 0) throw invalid(shape);
  const parts = Object.entries(input).filter(([key]) => key === 'servicesettings' || !OWN_KEYS.has(key));
  const { open, given } = splitCredentials(Object.fromEntries(parts));
  const { servicesettings, ...blob } = open;
  for (const path of [ACCESS_TOKEN, CLOUD_ACCESS_TOKEN]) {
    const value = given[path];
    if (typeof value === 'string') given[path] = pasted(value);
  }
  const settings =
    servicesettings === undefined ? undefined : withBase(servicesettings as LlmJson, LLM_PROVIDERS[service]);
  const problems = [...credentialProblems(given), ...(settings ? settingProblems(readSettings(settings)) : [])];
  return { servicesettings: settings, blob, given, problems };
}

/**
 * What is wrong with a body whatever is stored: for one that fails its schema too, so that a caller hears of all at once.
 * @throws Fault `validation_failed`
 */
export function blobRules(toBeStored: boolean): (input: LlmJson) => void {
  return (input) => {
    const service = PROVIDER_NAMES.find((one) => one === input.service);
    const { problems, servicesettings } = takeApart(service ?? 'General_Chat', input);
    const missing =
      toBeStored && service && servicesettings ? missingFields(service, readSettings(servicesettings)) : [];
    if (problems.length + missing.length > 0) throw invalid([...problems, ...missing]);
  };
}

/** Whether a test's body is more than an identity. */
export function hasBlob(input: LlmJson): boolean {
  const identity = ['action', 'probe', 'service', 'connection_name', 'model', 'version'];
  return Object.keys(input).some((key) => !identity.includes(key));
}
