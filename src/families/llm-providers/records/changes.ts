import type { Json } from '../../../contract/basics.ts';
import type { Caller } from '../../../contract/caller.ts';
import { invalid } from '../../../contract/codes/faults.ts';
import type { LastTest } from '../../../contract/schemas/common.ts';
import { decideSecrets, type SecretDecision, type SubmittedSecrets } from '../../../domain/secrets/secrets.ts';
import type { Submitted } from '../credentials/blob.ts';
import type { Marks } from '../credentials/credentials.ts';
import { isShared } from '../credentials/storedPaths.ts';
import { LIMITS } from '../names.ts';
import { LLM_PROVIDERS } from '../providers/registry.ts';
import { missingToStore } from '../rules.ts';
import type { LlmConfigurationInput } from '../schemas.ts';
import { readSettings, secretFieldsOf, secretPath, withBase } from '../settings.ts';
import { type LlmConnection, type LlmModel, llmConnectionKey, modelsOf, serviceSettingsOf } from './connection.ts';
import { llmSpec, type OpenConnection } from './records.ts';

export interface Change {
  caller: Caller;
  input: LlmConfigurationInput;
  submitted: Submitted;
  given: SubmittedSecrets;
  /** Paths of secrets that were sent again with the value they already have. */
  repeated: readonly string[];
  /** The address that the site has for this provider. */
  siteEndpoint: string | undefined;
  marks: Marks;
  /** How the test of it went, where there was one. */
  last_test?: LastTest | undefined;
}

export interface Changed {
  open: OpenConnection;
  entry: LlmModel;
  /** Other models of the connection whose settings or secrets have changed with it. */
  alsoChanged: string[];
}

/**
 * The connection as it will be after a POST of one of its models.
 * @param now epoch seconds
 * @throws Fault `validation_failed`, `masked_value_without_stored_secret`
 */
export function changedConnection(record: LlmConnection | undefined, change: Change, now: number): Changed {
  const { caller, input, submitted, given } = change;
  const decision = decideSecrets(given, record?.secret_fields ?? [], llmSpec.fieldOf);
  const settings = settingsAfter(record, change, decision);
  const secretPaths = [...decision.keep, ...Object.keys(decision.set)];
  const problems = [...submitted.problems, ...missingToStore(input.service, readSettings(settings), secretPaths)];
  if (problems.length > 0) throw invalid(problems);
  const servicesettings = JSON.stringify(settings);
  const isSharedChanged =
    record !== undefined &&
    (record.servicesettings !== servicesettings || changesShared(decision, record, change.repeated));
  const stamp = { last_updated_at: now, last_updated_by: caller.user };
  const models = record ? modelsOf(record) : [];
  const before = models.find((one) => one.model === input.model);
  const last_test = change.last_test ?? before?.last_test;
  const entry: LlmModel = {
    model: input.model,
    is_saved: input.is_saved ?? true,
    is_model_saved: input.is_model_saved ?? true,
    blob: submitted.blob,
    version: (before?.version ?? 0) + 1,
    created_at: before?.created_at ?? stamp.last_updated_at,
    created_by: before?.created_by ?? caller.user,
    ...stamp,
    ...(last_test ? { last_test } : {}),
  };
  const others = models.filter((one) => one !== before);
  const shown = isSharedChanged ? others.map((one) => ({ ...one, ...stamp, version: one.version + 1 })) : others;
  const open: OpenConnection = {
    _key: llmConnectionKey(input.service, input.connection_name),
    service: input.service,
    connection_name: record?.connection_name ?? input.connection_name,
    servicesettings,
    models: JSON.stringify([...shown, entry]),
  };
  assertFits(open);
  return { open, entry, alsoChanged: isSharedChanged ? others.map((one) => one.model) : [] };
}

/** Settings are the connection's: a configuration that brings none leaves them as they are. */
function settingsAfter(record: LlmConnection | undefined, change: Change, decision: SecretDecision): Json {
  const { input, submitted, siteEndpoint, marks } = change;
  const provider = LLM_PROVIDERS[input.service];
  const settings = submitted.servicesettings ?? (record ? serviceSettingsOf(record) : withBase({}, provider));
  const own = secretFieldsOf(marks).filter((field) => field in provider.fields);
  const hasSecret = own.map(secretPath).some((path) => decision.keep.includes(path) || path in decision.set);
  // A secret of its own is bound to the host it was saved for, so that host has to be written down.
  if (siteEndpoint === undefined || !hasSecret || readSettings(settings).endpoint !== undefined) return settings;
  return withBase(settings, { ...provider, defaultEndpoint: siteEndpoint });
}

function changesShared({ keep, set }: SecretDecision, record: LlmConnection, repeated: readonly string[]): boolean {
  const after = [...keep, ...repeated.filter((path) => path in set)].filter(isShared);
  const isNew = Object.keys(set).some((path) => isShared(path) && !repeated.includes(path));
  return isNew || record.secret_fields.filter(isShared).length !== after.length;
}

function assertFits({ servicesettings, models }: OpenConnection): void {
  const most = LIMITS.connection_bytes;
  if (Buffer.byteLength(servicesettings) + Buffer.byteLength(models) <= most) return;
  throw invalid([
    { field: '$body', message: `would make the connection, with all its models, larger than ${most} bytes` },
  ]);
}
