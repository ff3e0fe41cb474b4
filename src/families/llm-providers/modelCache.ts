import { LLM_CONNECTIONS, llmConnectionKey } from '../../domain/llmConfigurations.ts';
import type { Doc, RecordStore } from '../../ports/recordStore.ts';

const COLLECTION = 'ml_llm_models';

/** What a provider listed at the last `refresh_models` of a connection. */
interface Listing extends Doc {
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
    service: string,
    connectionName: string | undefined,
    models: readonly string[],
    now: number,
  ): Promise<void> {
    const doc: Listing = {
      _key: keyOf(service, connectionName),
      service,
      models: JSON.stringify(models),
      refreshed_at: now,
    };
    if (await this.#records.replace(COLLECTION, doc)) return;
    // Somebody else's first listing may have come in between: theirs is as good as ours.
    await this.#records.insert(COLLECTION, doc);
  }

  forget(service: string, connectionName: string): Promise<void> {
    return this.#records.remove(COLLECTION, keyOf(service, connectionName));
  }

  /** Service -> ids, each once, in the order in which the providers told them. */
  async all(): Promise<Map<string, Set<string>>> {
    const found = new Map<string, Set<string>>();
    for (const { service, models } of await this.#records.find<Listing>(COLLECTION, { sort: 'refreshed_at:-1' })) {
      const ids = found.get(service) ?? new Set();
      for (const id of JSON.parse(models) as string[]) ids.add(id);
      found.set(service, ids);
    }
    return found;
  }

  /** Service -> model ids of stored configurations. */
  async configured(): Promise<Map<string, Set<string>>> {
    const found = new Map<string, Set<string>>();
    const fields = ['service', 'models'];
    const chunks = this.#records.chunks<Doc & { service: string; models: string }>(LLM_CONNECTIONS, { fields });
    for await (const chunk of chunks) {
      for (const { service, models } of chunk) {
        const ids = found.get(service) ?? new Set();
        for (const { model } of JSON.parse(models) as { model: string }[]) ids.add(model);
        found.set(service, ids);
      }
    }
    return found;
  }
}

/** A listing under settings that were never saved is the service's own. No connection's key is only a service. */
const keyOf = (service: string, connectionName: string | undefined): string =>
  connectionName === undefined ? service.toLowerCase() : llmConnectionKey(service, connectionName);
