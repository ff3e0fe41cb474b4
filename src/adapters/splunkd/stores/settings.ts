import type { HostClock } from '../../../ports/platform/clock.ts';
import type { Settings, Stanzas } from '../../../ports/stores/settings.ts';
import { type SplunkdClient, unexpectedReply } from '../client.ts';

/** Maximum delay of a change; the contract allows five seconds. */
const MAX_AGE_MS = 2000;

interface Listing {
  entry?: { name: string; content?: Record<string, unknown> }[];
}

interface Reading {
  /** Start time: earlier writes are included. */
  at: number;
  value: Promise<Stanzas>;
}

/** Caches a conf file for a short time. */
export class SettingsCache {
  readonly #conf: string;
  #last: Reading | undefined;

  constructor(conf = 'ml_extension') {
    this.#conf = conf;
  }

  /** The conf file as the platform merges it, for one request. @throws Fault `store_unavailable` */
  for(client: SplunkdClient, token: string, clock: HostClock): Settings {
    const since = clock.monotonic();
    const readingFrom = async (earliest: number): Promise<Stanzas> => {
      const now = clock.monotonic();
      if (!this.#last || this.#last.at < Math.max(earliest, now - MAX_AGE_MS)) {
        const reading = { at: now, value: this.#read(client, token) };
        this.#last = reading;
        reading.value.catch(() => {
          // Current callers get the error; the next call tries again.
          if (this.#last === reading) this.#last = undefined;
        });
      }
      return this.#last.value;
    };
    return { read: () => readingFrom(since), recent: () => readingFrom(Number.NEGATIVE_INFINITY) };
  }

  async #read(client: SplunkdClient, token: string): Promise<Stanzas> {
    const endpoint = `configs/conf-${this.#conf}`;
    const reply = await client.call({ method: 'GET', endpoint, token, namespace: 'app', query: { count: '0' } });
    // Some platforms do not know a conf file without stanzas.
    if (reply.status === 404) return {};
    if (reply.status !== 200) throw unexpectedReply(`a read of ${this.#conf}.conf`, reply);
    return stanzas(JSON.parse(reply.text) as Listing);
  }
}

function stanzas(listing: Listing): Stanzas {
  const byName: Record<string, Record<string, string>> = {};
  for (const { name, content } of listing.entry ?? []) {
    const values = Object.entries(content ?? {}).filter(([key]) => !key.startsWith('eai:') && key !== 'disabled');
    byName[name] = Object.fromEntries(values.map(([key, value]) => [key, String(value ?? '')]));
  }
  return byName;
}
