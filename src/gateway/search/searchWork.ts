import type { Caller } from '../../contract/caller.ts';
import type { SearchSite } from '../../families/search-tools/public.ts';
import type { PlatformRows } from '../../ports/platform/platformSearches.ts';
import type { Upstream } from '../../ports/platform/upstream.ts';

/** A call of a search tool. */
export interface SearchRequest {
  site: SearchSite;
  caller: Caller;
  /** Epoch milliseconds. */
  now: number;
  /** Seconds, where the call says how long the search may take. */
  timeoutS: number | undefined;
}

/** A search that was judged, and can be made. */
export interface SearchWork {
  send(upstream: Upstream): Promise<PlatformRows>;
  /** Remarks on the rows for a model. */
  notes: readonly string[];
}
