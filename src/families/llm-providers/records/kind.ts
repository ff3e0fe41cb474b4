import type { Json } from '../../../contract/basics.ts';
import { invalid } from '../../../contract/codes/faults.ts';
import type { Provider } from '../../../contract/families/llmProviders.ts';
import type { LastTest } from '../../../contract/schemas/common.ts';
import { withoutMetadata } from '../../../domain/audit/fieldChanges.ts';
import { MAX_SECRET_BYTES } from '../../../domain/net/headerValues.ts';
import { metadataOf } from '../../../domain/records/sealedRecord.ts';
import { fitHeaders, headerCountProblems, isHeaderOf } from '../../../domain/secrets/secretHeaders.ts';
import { maskSecrets, type SecretDecision, secretsAfter } from '../../../domain/secrets/secrets.ts';
import { BY_GATE } from '../../../resources/access.ts';
import type { FamilyFields, MergeContext, ReplyFields, ResourceKind } from '../../../resources/kind.ts';
import { fieldOfPath, HEADERS, isOfModel, isShared, keysOfPath } from '../credentials/credentials.ts';
import type { ParsedConfiguration } from '../credentials/parseConfiguration.ts';
import { LIMITS } from '../names.ts';
import { LLM_PROVIDERS } from '../providers/registry.ts';
import { missingToStore, oauthProblems } from '../rules.ts';
import type { LlmRecord } from '../schemas.ts';
import { FIELD_NAMES, type SettingField } from '../settingFields.ts';
import {
  CLIENT_SECRET,
  fieldName,
  readSettings,
  secretPath,
  TOKEN_URL,
  withBase,
  withKeptOAuth,
  withStoredCertificates,
} from '../settings.ts';
import {
  LLM_CONNECTIONS,
  type LlmConnection,
  type LlmModel,
  modelsOf,
  serviceSettingsOf,
  storedModels,
} from './connection.ts';
import { endpointOf } from './target.ts';

export const FAMILY = 'llm-providers';

/** A configuration of one model, to be tested or saved. */
export interface LlmSubmission {
  service: Provider;
  connection_name: string;
  config: ParsedConfiguration;
  /** Undefined for a test: then settings that are not sent are not taken from the stored connection. */
  save: SaveTerms | undefined;
}

/** How a configuration is saved. */
export interface SaveTerms {
  model: string;
  is_saved: boolean;
  is_model_saved: boolean;
  actor: string;
  /** The address that the site has for this provider. */
  siteEndpoint: string | undefined;
  /** Paths of secrets that were sent again with the value they already have. */
  resent: readonly string[];
  last_test: LastTest | undefined;
  /** Throws when the connection, undefined for a new one, may not be changed as it is now. */
  assertMayChange(connection: LlmConnection | undefined): void;
}

/** A connection with its models by their ids. */
export interface ConnectionView extends ReplyFields {
  service: Provider;
  connection_name: string;
  servicesettings: Json;
  models: Record<string, Json>;
}

/** The connection is the resource, its models are entries in it: settings and secrets are shared by all of them. */
export const llmKind: ResourceKind<LlmConnection, LlmSubmission, ConnectionView> = {
  family: FAMILY,
  collection: LLM_CONNECTIONS,
  label: 'LLM configuration',
  access: BY_GATE,
  addresses(connection) {
    const settings = readSettings(serviceSettingsOf(connection));
    const { addressFields } = LLM_PROVIDERS[connection.service];
    const addresses = addressFields.map((field) => [fieldName(field), settings[field]] as const);
    return Object.fromEntries([...addresses, [TOKEN_URL, settings.oauth?.token_url]]);
  },
  receives: { [TOKEN_URL]: [CLIENT_SECRET] },
  trust(connection) {
    const { verify_tls: verify, ca_certificate: ca } = readSettings(serviceSettingsOf(connection));
    return { [`${fieldName('verify_tls')} or ${fieldName('ca_certificate')}`]: { verify, ca } };
  },
  // A model's own credentials are sent nowhere, and a caller could not send another model's again.
  travels: isShared,
  maxSecretBytes: MAX_SECRET_BYTES,
  isLimited: (path) => isHeaderOf(HEADERS, path),
  fit: (submitted, stored) => fitHeaders(HEADERS, submitted, stored),
  fieldOf: fieldOfPath,
  keysOf: keysOfPath,
  merge,
  // Whether something is missing depends on the body, so `merge` has judged it already.
  problems: (_, secrets) => headerCountProblems(HEADERS, secrets),
  carryOver: (next, before) => (before && endpointOf(before) !== endpointOf(next) ? { ...next, api: undefined } : next),
  view: (connection) => viewOf(connection, modelsOf(connection)),
  audited(connection) {
    const { models, ...shared } = viewOf(connection, modelsOf(connection));
    const entries = Object.entries(models).map(([model, entry]) => [model, withoutMetadata(entry)]);
    return { ...shared, models: Object.fromEntries(entries) };
  },
};

function viewOf(connection: LlmConnection, models: readonly LlmModel[]) {
  const { service, connection_name } = connection;
  const entries = models.map((entry) => {
    const { model, blob, is_saved, is_model_saved, last_test } = entry;
    const view = { ...blob, is_saved, is_model_saved, ...metadataOf(entry), ...(last_test ? { last_test } : {}) };
    return [model, view] as const;
  });
  return {
    service,
    connection_name,
    servicesettings: serviceSettingsOf(connection),
    models: Object.fromEntries(entries),
  };
}

/** One configuration as a reply shows it, secrets masked. */
export function llmView(connection: LlmConnection, entry: LlmModel): LlmRecord {
  const { model } = entry;
  const paths = connection.secret_fields.filter((path) => isShared(path) || isOfModel(path, model));
  return configurationOf(maskSecrets(viewOf(connection, [entry]), paths, keysOfPath), model);
}

export function configurationOf(view: Omit<ConnectionView, keyof ReplyFields>, model: string): LlmRecord {
  const { service, connection_name, servicesettings, models } = view;
  return { service, connection_name, model, servicesettings, ...models[model] } as LlmRecord;
}

function merge(
  base: LlmConnection | undefined,
  { service, connection_name: name, config, save }: LlmSubmission,
  { secrets, now, warnings }: MergeContext,
): FamilyFields<LlmConnection> {
  const connection_name = base?.connection_name ?? name;
  const defaults = () => withBase({}, LLM_PROVIDERS[service]);
  const stored = base ? serviceSettingsOf(base) : defaults();
  const paths = secretsAfter(secrets);
  const { servicesettings: given } = config;
  const sent = given && paths.includes(CLIENT_SECRET) ? withKeptOAuth(given, stored) : given;
  if (!save) {
    const tested = sent ?? defaults();
    assertOAuth(tested, paths);
    const servicesettings = JSON.stringify(tested);
    return { service, connection_name, servicesettings, ...storedModels(base ? modelsOf(base) : []) };
  }
  save.assertMayChange(base);
  const submitted = sent && withStoredCertificates(sent, stored);
  const settings = withSiteEndpoint(submitted ?? stored, service, save, paths);
  const merged = readSettings(settings);
  const problems = [...config.problems, ...missingToStore(service, merged, paths), ...oauthProblems(merged, paths)];
  if (problems.length > 0) throw invalid(problems);
  const servicesettings = JSON.stringify(settings);
  const stamp = { last_updated_at: now, last_updated_by: save.actor };
  const models = base ? modelsOf(base) : [];
  const before = models.find(({ model }) => model === save.model);
  const last_test = save.last_test ?? before?.last_test;
  const entry: LlmModel = {
    // Keeps fields that only another version of the app knows.
    ...before,
    model: save.model,
    is_saved: save.is_saved,
    is_model_saved: save.is_model_saved,
    blob: config.fields,
    version: (before?.version ?? 0) + 1,
    created_at: before?.created_at ?? now,
    created_by: before?.created_by ?? save.actor,
    ...stamp,
    ...(last_test ? { last_test } : {}),
  };
  let others = models.filter((other) => other !== before);
  if (base && others.length > 0 && changesShared(base, servicesettings, secrets, save.resent)) {
    others = others.map((other) => ({ ...other, ...stamp, version: other.version + 1 }));
    warnings.push(sharedWarning(connection_name, others));
  }
  const next = { service, connection_name, servicesettings, ...storedModels([...others, entry]) };
  assertFits(next);
  return next;
}

/** @throws Fault `validation_failed` */
function assertOAuth(settings: Json, secretPaths: readonly string[]): void {
  const problems = oauthProblems(readSettings(settings), secretPaths);
  if (problems.length > 0) throw invalid(problems);
}

/** A secret of the connection's own is bound to the host it was saved for, so that host has to be stored with it. */
function withSiteEndpoint(
  settings: Json,
  service: Provider,
  { siteEndpoint }: SaveTerms,
  secretPaths: readonly string[],
): Json {
  const provider = LLM_PROVIDERS[service];
  if (siteEndpoint === undefined || readSettings(settings).endpoint !== undefined) return settings;
  const isOf = (field: SettingField, path: string) =>
    path === secretPath(field) || path.startsWith(`${secretPath(field)}/`);
  const hasSecret = FIELD_NAMES.some(
    (field) => field in provider.fields && secretPaths.some((path) => isOf(field, path)),
  );
  return hasSecret ? withBase(settings, { ...provider, defaultEndpoint: siteEndpoint }) : settings;
}

/** Whether the settings or secrets of the other models change, too. */
function changesShared(
  base: LlmConnection,
  servicesettings: string,
  { keep, set }: SecretDecision,
  resent: readonly string[],
): boolean {
  const same = new Set(resent);
  const submitted = Object.keys(set).filter(isShared);
  const unchanged = [...keep.filter(isShared), ...submitted.filter((path) => same.has(path))];
  const isNew = submitted.length + keep.filter(isShared).length > unchanged.length;
  return (
    base.servicesettings !== servicesettings || isNew || base.secret_fields.filter(isShared).length !== unchanged.length
  );
}

function sharedWarning(connection: string, others: readonly LlmModel[]): string {
  const names = others.map(({ model }) => model);
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return `The settings of the connection ${connection} have changed for its other models as well: ${names.slice(0, 10).join(', ')}${more}`;
}

function assertFits({ servicesettings, models }: FamilyFields<LlmConnection>): void {
  const most = LIMITS.connection_bytes;
  if (Buffer.byteLength(servicesettings) + Buffer.byteLength(models) <= most) return;
  throw invalid([
    { field: '$body', message: `would make the connection, with all its models, larger than ${most} bytes` },
  ]);
}
