import type { SavedListing, ToolSource } from '../../families/mcp-connections/public.ts';

const FRESH_MS = 60_000;
const FAILED_MS = 10_000;

interface Entry {
  listing: Promise<SavedListing>;
  since: number;
  /** When it ends; undefined while the server is asked. */
  until: number | undefined;
}

/** A request reads settings before it takes a listing, which must not end meanwhile: it would wait for a server without a slot. */
const MARGIN_MS = 1000;

/** What servers have listed, kept in one process by version of the connection. */
export class ToolListings {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether `get` waits for no server, a moment later too. */
  has(source: ToolSource): boolean {
    const { until } = this.#current(source) ?? {};
    return until !== undefined && until > this.#now() + MARGIN_MS;
  }

  /** Milliseconds for which the listing under way has been waited for. */
  waited(source: ToolSource): number {
    const current = this.#current(source);
    return current && current.until === undefined ? this.#now() - current.since : 0;
  }

  /** The kept listing, or the one under way, or a new one. */
  get(source: ToolSource, list: () => Promise<SavedListing>): Promise<SavedListing> {
    const current = this.#current(source);
    if (current) return current.listing;
    const entry: Entry = { listing: list(), since: this.#now(), until: undefined };
    this.#dropOld();
    this.#entries.set(keyOf(source), entry);
    entry.listing.then(
      ({ error }) => {
        entry.until = this.#now() + (error ? FAILED_MS : FRESH_MS);
      },
      () => {
        // A failure of this app is no property of the server.
        entry.until = this.#now();
      },
    );
    return entry.listing;
  }

  /** The next `get` asks the server. */
  forget(source: ToolSource): void {
    this.#entries.delete(keyOf(source));
  }

  #current(source: ToolSource): Entry | undefined {
    const entry = this.#entries.get(keyOf(source));
    return entry && this.#isCurrent(entry) ? entry : undefined;
  }

  #isCurrent({ until }: Entry): boolean {
    return until === undefined || until > this.#now();
  }

  #dropOld(): void {
    for (const [key, entry] of this.#entries) if (!this.#isCurrent(entry)) this.#entries.delete(key);
  }
}

const keyOf = ({ _key, created_at, version }: ToolSource): string => `${_key} ${created_at} ${version}`;
