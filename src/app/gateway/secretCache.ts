import type { SecretStore } from '../../ports/stores/secretStore.ts';

const MAX_ENTRIES = 500;

/** Keeps secrets of earlier requests of this process. Never stale: every write of a secret makes a new reference. */
export class SecretCache {
  readonly #values = new Map<string, string>();

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
        if (value !== undefined) this.#keep(ref, value);
        return value;
      },
    };
  }

  #keep(ref: string, value: string): void {
    const [oldest] = this.#values.keys();
    if (this.#values.size >= MAX_ENTRIES && oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(ref, value);
  }
}
