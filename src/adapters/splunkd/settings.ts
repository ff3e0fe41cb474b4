import type { Clock } from '../../ports/clock.ts';
import type { Settings, Stanzas } from '../../ports/settings.ts';
import { type SplunkdClient, unexpected } from './client.ts';

/** A change is seen this much later at the latest; the contract allows five seconds. */
const MAX_AGE_MS = 2000;

interface Listing {
  entry?: { name: string; content?: Record<string, unknown> }[];
}

/** What one process knows of a conf file, so that calls in quick succession read it once. */
export class SettingsCache {
  readonly #conf: string;
  #value: Stanzas = {};
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(conf = 'ml_extension') {
    this.#conf = conf;
  }

  /** The conf file as the platform merges it. @throws Fault `store_unavailable` */
  for(client: SplunkdClient, token: string, clock: Clock): Settings {
    return {
      read: async () => {
        if (clock.now() - this.#readAt < MAX_AGE_MS) return this.#value;
        const endpoint = `configs/conf-${this.#conf}`;
        const reply = await client.call({ method: 'GET', endpoint, token, namespace: 'app', query: { count: '0' } });
        if (reply.status !== 200) throw unexpected(`a read of ${this.#conf}.conf`, reply);
        this.#value = stanzas(JSON.parse(reply.text) as Listing);
        this.#readAt = clock.now();
        return this.#value;
      },
    };
  }
}

function stanzas(listing: Listing): Stanzas {
  const all: Record<string, Record<string, string>> = {};
  for (const { name, content } of listing.entry ?? []) {
    const values = Object.entries(content ?? {}).filter(([key]) => !key.startsWith('eai:') && key !== 'disabled');
    all[name] = Object.fromEntries(values.map(([key, value]) => [key, String(value ?? '')]));
  }
  return all;
}
