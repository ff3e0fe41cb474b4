import type { Json } from '../../../contract/basics.ts';
import { withoutMetadata } from '../../../domain/audit/fieldChanges.ts';
import type { Open, SealSpec } from '../../../domain/records/sealedRecord.ts';
import type { SubmittedSecrets } from '../../../domain/secrets/secrets.ts';
import { fieldOfPath, maskCredentials } from '../credentials/credentials.ts';
import { isShared, modelPrefix, ofModel } from '../credentials/storedPaths.ts';
import type { Provider } from '../names.ts';
import { LLM_PROVIDERS } from '../providers/registry.ts';
import type { LlmRecord } from '../schemas.ts';
import { fieldName, readSettings } from '../settings.ts';
import {
  isSaved,
  LLM_CONNECTIONS,
  type LlmConnection,
  type LlmModel,
  modelsOf,
  serviceSettingsOf,
} from './connection.ts';

export const FAMILY = 'llm-providers';
export type OpenConnection = Open<LlmConnection>;

/** Deletes every secret of one model. */
export const withoutModel = (model: string): SubmittedSecrets => ({ [`${modelPrefix(model)}*`]: null });

export const llmSpec: SealSpec<LlmConnection> = {
  family: FAMILY,
  collection: LLM_CONNECTIONS,
  label: 'LLM configuration',
  addresses(connection) {
    const settings = readSettings(serviceSettingsOf(connection));
    const { addressFields } = LLM_PROVIDERS[connection.service];
    return Object.fromEntries(addressFields.map((field) => [fieldName(field), settings[field]]));
  },
  trust(connection) {
    const { verify_tls: verify, ca_certificate: ca } = readSettings(serviceSettingsOf(connection));
    return { [`${fieldName('verify_tls')} or ${fieldName('ca_certificate')}`]: { verify, ca } };
  },
  // A model's own credentials are sent nowhere, and whoever changes the connection could not send another model's again.
  travels: isShared,
  fieldOf: (path) => fieldOfPath(path.replace(/^models\/[^/]*\//, '')),
  audited: auditedConnection,
};

/** `servicesettings` as a reply shows them. */
function shownSettings(connection: LlmConnection): Json {
  const shared = connection.secret_fields.filter(isShared);
  return maskCredentials({ servicesettings: serviceSettingsOf(connection) }, shared).servicesettings as Json;
}

/** One configuration as a reply shows it: all that was submitted, secrets masked. */
export function llmView(connection: LlmConnection, entry: LlmModel): LlmRecord {
  const { model, blob, last_test, ...rest } = entry;
  // The blob holds none of the other keys: they were taken out of it when it was stored.
  return {
    service: connection.service,
    connection_name: connection.connection_name,
    model,
    servicesettings: shownSettings(connection),
    ...maskCredentials(blob, ofModel(connection.secret_fields, model)),
    ...rest,
    ...(last_test ? { last_test } : {}),
  };
}

/** A connection with all its models, each under its name; versions and times are those of its models, and no part of it. */
function auditedConnection(connection: LlmConnection): object {
  const models = modelsOf(connection).map((entry) => {
    const { service, connection_name, model, servicesettings, ...own } = llmView(connection, entry);
    return [model, withoutMetadata(own)];
  });
  const { service, connection_name } = connection;
  const servicesettings = shownSettings(connection);
  return { service, connection_name, servicesettings, models: Object.fromEntries(models) };
}

/** A configuration for lists: what they filter, search and sort by. */
export interface LlmRow {
  service: Provider;
  connection_name: string;
  model: string;
  created_at: number;
  last_updated_at: number;
  /** The connection's key. */
  key: string;
  isSaved: boolean;
}

type Listed = Pick<LlmConnection, '_key' | 'service' | 'connection_name' | 'models'>;

export function rowsOf(connection: Listed): LlmRow[] {
  const { service, connection_name, _key: key } = connection;
  return modelsOf(connection).map(({ model, created_at, last_updated_at, ...marks }): LlmRow => {
    return { service, connection_name, model, created_at, last_updated_at, key, isSaved: isSaved(marks) };
  });
}

/** The order among rows that a list's sort key does not tell apart. */
export function inOrder(rows: readonly LlmRow[]): LlmRow[] {
  const text = (row: LlmRow) => [row.service, row.connection_name.toLowerCase(), row.model].join('\n');
  return rows
    .map((row) => ({ row, text: text(row) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row);
}
