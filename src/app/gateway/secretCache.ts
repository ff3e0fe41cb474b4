import { RecentMap } from '../../domain/async/recentMap.ts';
import type { SecretStore } from '../../ports/stores/secretStore.ts';

const MAX_ENTRIES = 500;

/** Keeps secrets of earlier requests of this process. Never stale: every write of a secret makes a new reference. */
export class SecretCache {
  readonly #values = new RecentMap<string>(MAX_ENTRIES);

  over(store: SecretStore): SecretStore {
    return {
      reference: (family, value) => store.reference(family, value),
      put: (ref, value) => store.put(ref, value),
      remove: (ref, isOver) => store.remove(ref, isOver),
      status: () => store.status(),
      get: async (ref) => {
        const kept = this.#values.get(ref);
        if (kept !== undefined) return kept;
        const value = await store.get(ref);
        if (value !== undefined) this.#values.set(ref, value);
        return value;
      },
    };
  }
}
