import type { Json } from '../../../contract/basics.ts';
import { invalid, type Problem } from '../../../contract/codes/faults.ts';
import { trimPastedSecret } from '../../../domain/net/headerValues.ts';
import type { SubmittedSecrets } from '../../../domain/secrets/secrets.ts';
import { PROVIDER_NAMES, type Provider } from '../names.ts';
import { LLM_PROVIDERS } from '../providers/registry.ts';
import { credentialProblems, missingFields, settingProblems, shapeProblems } from '../rules.ts';
import { readSettings, withBase } from '../settings.ts';
import { type Marks, splitCredentials } from './credentials.ts';

/** Keys of a configuration that are not part of the model's own blob: identity, flags, and what only the server writes. */
export const OWN_KEYS = new Set([
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
  /** Undefined when the blob has none: then those of the connection stay. */
  servicesettings: Json | undefined;
  /** Everything else: it belongs to the model. */
  blob: Json;
  given: SubmittedSecrets;
  /** What is malformed; whether something is missing is another question. */
  problems: Problem[];
}

/**
 * @param provider undefined in a body that names none: its address cannot be trimmed then
 * @throws Fault `validation_failed` for a blob that is nested too deep to be looked at
 */
export function takeApart(provider: Provider | undefined, input: Json, marks: Marks): Submitted {
  const shape = shapeProblems(input);
  if (shape.length > 0) throw invalid(shape);
  const parts = Object.entries(input).filter(([key]) => key === 'servicesettings' || !OWN_KEYS.has(key));
  const { open, given } = splitCredentials(Object.fromEntries(parts), marks);
  const { servicesettings: sent, ...blob } = open as { servicesettings?: Json };
  for (const path of marks) {
    const value = given[path];
    if (typeof value === 'string') given[path] = trimPastedSecret(value);
  }
  const servicesettings = sent && provider ? withBase(sent, LLM_PROVIDERS[provider]) : sent;
  const settings = servicesettings ? settingProblems(readSettings(servicesettings)) : [];
  return { servicesettings, blob, given, problems: [...credentialProblems(given, marks), ...settings] };
}

/**
 * What is wrong with a body, regardless of what is stored. Also applied to a body that fails its schema, so that a caller
 * hears of everything at once.
 * @throws Fault `validation_failed`
 */
export function blobRules(toBeStored: boolean, marks: Marks): (input: Json) => void {
  return (input) => {
    const provider = PROVIDER_NAMES.find((one) => one === input.service);
    const { problems, servicesettings } = takeApart(provider, input, marks);
    const missing =
      toBeStored && provider && servicesettings ? missingFields(provider, readSettings(servicesettings)) : [];
    if (problems.length + missing.length > 0) throw invalid([...problems, ...missing]);
  };
}

/** Whether a test's body is more than an identity. */
export function hasBlob(input: Json): boolean {
  const identity = ['action', 'probe', 'service', 'connection_name', 'model', 'version'];
  return Object.keys(input).some((key) => !identity.includes(key));
}
