import type { Json } from '../../../contract/basics.ts';
import type { Provider } from '../../../contract/families/llmProviders.ts';
import type { LastTest } from '../../../contract/schemas/common.ts';
import type { SealedDoc } from '../../../domain/records/sealedRecord.ts';
import { recordKey } from '../../../domain/values/keys.ts';
import type { LocalApi } from '../providers/provider.ts';

/**
 * How LLM configurations are stored (docs/adr/0002): one document for each connection with all its models, so that one
 * write changes settings, secrets and model together.
 */
export const LLM_CONNECTIONS = 'ml_llm_connections';
export const LISTED_MODELS = 'ml_llm_models';

export interface LlmIdentity {
  service: string;
  connection_name: string;
  model: string;
}

/** One model of a connection. */
export interface LlmModel {
  model: string;
  is_saved: boolean;
  is_model_saved: boolean;
  /** All of the submitted configuration that belongs to the model, without secrets: `modelsettings` and unknown fields. */
  blob: Json;
  version: number;
  created_at: number;
  created_by: string;
  last_updated_at: number;
  last_updated_by: string;
  last_test?: LastTest;
}

export interface LlmConnection extends SealedDoc {
  service: Provider;
  connection_name: string;
  /** `servicesettings` without secrets, as JSON text: the store takes no keys with `$` or dots. */
  servicesettings: string;
  /** `LlmModel[]` as JSON text. */
  models: string;
  /** Names of the saved models, by which the store finds the connection. */
  model_names: string[];
  /** The API that a local server was found to speak. */
  api?: LocalApi | undefined;
}

/** Longer ones are hashed: a key is part of a URL and of an index. */
const LONGEST_KEY = 200;

/** Connection names are compared without regard to case. */
export function llmConnectionKey(provider: string, connectionName: string): string {
  const name = connectionName.normalize('NFC').trim().toLowerCase();
  const key = `${provider.toLowerCase()}.${recordKey(name)}`;
  if (key.length <= LONGEST_KEY) return key;
  // Imported with the shapes at every start, which rarely needs it.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `${provider.toLowerCase()}.${createHash('sha256').update(name).digest('hex')}`;
}

export function modelsOf(connection: Pick<LlmConnection, 'models'>): LlmModel[] {
  return JSON.parse(connection.models) as LlmModel[];
}

/** Models as they are stored. */
export const storedModels = (models: readonly LlmModel[]): Pick<LlmConnection, 'models' | 'model_names'> => ({
  models: JSON.stringify(models),
  model_names: models.filter(isSaved).map(({ model }) => model),
});

export const entryOf = (connection: Pick<LlmConnection, 'models'>, model: string): LlmModel | undefined =>
  modelsOf(connection).find((entry) => entry.model === model);

/** Inventories leave drafts out. */
export const isSaved = ({ is_saved, is_model_saved }: Pick<LlmModel, 'is_saved' | 'is_model_saved'>): boolean =>
  is_saved && is_model_saved;

export function serviceSettingsOf(connection: Pick<LlmConnection, 'servicesettings'>): Json {
  return JSON.parse(connection.servicesettings) as Json;
}
