import type { Provider } from '../../../contract/families/llmProviders.ts';
import type { Doc, RecordStore } from '../../../ports/stores/recordStore.ts';
import {
  LISTED_MODELS,
  LLM_CONNECTIONS,
  type LlmConnection,
  llmConnectionKey,
  modelsOf,
} from '../records/connection.ts';

/** The models that a provider listed at the last `refresh_models` of a connection. */
export interface ListedModels extends Doc {
  service: string;
  /** `string[]` as JSON text. */
  models: string;
  refreshed_at: number;
}

export class ModelCache {
  readonly #records: RecordStore;

  constructor(records: RecordStore) {
    this.#records = records;
  }

  async put(
    provider: Provider,
    connectionName: string | undefined,
    models: readonly string[],
    now: number,
  ): Promise<void> {
    const doc: ListedModels = {
      _key: keyOf(provider, connectionName),
      service: provider,
      models: JSON.stringify(models),
      refreshed_at: now,
    };
    if (await this.#records.replace(LISTED_MODELS, doc)) return;
    // A concurrent first listing is as good as this one.
    await this.#records.insert(LISTED_MODELS, doc);
  }

  forget(provider: Provider, connectionName: string): Promise<void> {
    return this.#records.remove(LISTED_MODELS, keyOf(provider, connectionName));
  }

  /** Provider -> unique ids in the provider's order. */
  async all(): Promise<Map<string, Set<string>>> {
    const idsByProvider = new Map<string, Set<string>>();
    for (const { service, models } of await this.#records.find<ListedModels>(LISTED_MODELS, {
      sort: 'refreshed_at:-1',
    })) {
      const ids = idsByProvider.get(service) ?? new Set();
      for (const id of JSON.parse(models) as string[]) ids.add(id);
      idsByProvider.set(service, ids);
    }
    return idsByProvider;
  }

  /** Provider -> model ids of stored configurations. */
  async configured(): Promise<Map<string, Set<string>>> {
    const idsByProvider = new Map<string, Set<string>>();
    const fields = ['service', 'models'];
    for await (const chunk of this.#records.chunks<LlmConnection>(LLM_CONNECTIONS, { fields })) {
      for (const { service, models } of chunk) {
        const ids = idsByProvider.get(service) ?? new Set();
        for (const { model } of modelsOf({ models })) ids.add(model);
        idsByProvider.set(service, ids);
      }
    }
    return idsByProvider;
  }
}

/** A list read with unsaved settings has the provider as its key. No connection has such a key. */
const keyOf = (provider: Provider, connectionName: string | undefined): string =>
  connectionName === undefined ? provider.toLowerCase() : llmConnectionKey(provider, connectionName);
