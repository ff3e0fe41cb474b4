import { RecentMap } from '../../domain/async/recentMap.ts';
import type { SavedListing, ToolSource } from '../../families/mcp-connections/public.ts';

const FRESH_MS = 60_000;
const FAILED_MS = 10_000;

interface Entry {
  listing: Promise<SavedListing>;
  /** When the server was asked; undefined once it has answered. */
  asked: number | undefined;
  /** Whether the server has answered without its tools. */
  isFailed: boolean;
}

/** A request reads settings before it takes a listing, which must not end meanwhile: it would wait for a server without a slot. */
const MARGIN_MS = 1000;

/** Listings of servers, kept in one process by version of the connection. */
export class ToolListings {
  /** As many as there are connections. */
  readonly #entries: RecentMap<Entry>;
  readonly #now: () => number;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#entries = new RecentMap(Number.POSITIVE_INFINITY, now);
  }

  /** Whether `get` waits for no server, a moment later too. */
  has(source: ToolSource): boolean {
    const current = this.#entries.get(keyOf(source), MARGIN_MS);
    return current !== undefined && current.asked === undefined;
  }

  /** Milliseconds for which the listing under way has been waited for. */
  waited(source: ToolSource): number {
    const { asked } = this.#entries.get(keyOf(source)) ?? {};
    return asked === undefined ? 0 : this.#now() - asked;
  }

  /** The kept listing, or the one under way, or a new one. */
  get(source: ToolSource, list: () => Promise<SavedListing>): Promise<SavedListing> {
    const key = keyOf(source);
    const current = this.#entries.get(key);
    if (current) return current.listing;
    const entry: Entry = { listing: list(), asked: this.#now(), isFailed: false };
    this.#entries.set(key, entry);
    entry.listing.then(
      ({ error }) => {
        entry.asked = undefined;
        entry.isFailed = error !== undefined;
        if (this.#entries.get(key) === entry) this.#entries.set(key, entry, error ? FAILED_MS : FRESH_MS);
      },
      // A failure of this app is no property of the server.
      () => this.#entries.get(key) === entry && this.#entries.delete(key),
    );
    return entry.listing;
  }

  /** The next `get` asks the server anew if it gave no tools, or has not answered for so many milliseconds. */
  forgetFailed(source: ToolSource, ms: number): void {
    const key = keyOf(source);
    const { asked, isFailed = false } = this.#entries.get(key) ?? {};
    if (isFailed || (asked !== undefined && this.#now() - asked >= ms)) this.#entries.delete(key);
  }

  /** The next `get` asks the server anew, unless it is being asked. */
  forget(source: ToolSource): void {
    const key = keyOf(source);
    if (this.#entries.get(key)?.asked === undefined) this.#entries.delete(key);
  }
}

const keyOf = ({ _key, created_at, version }: ToolSource): string => `${_key} ${created_at} ${version}`;
