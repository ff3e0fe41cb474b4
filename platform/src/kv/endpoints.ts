import type { Route } from '../http/route.ts';
import type { KvOptions } from './collections.ts';
import { configRoutes } from './configEndpoint.ts';
import { dataRoutes } from './dataEndpoint.ts';

/**
 * Everything below `/storage/collections`. To be wired by the platform:
 * `kvEndpoints({ kv: localKv(store), apps: () => hosted, faults, log })`, and `store.close()` at the end.
 */
export function kvEndpoints(options: KvOptions): Route[] {
  return [...configRoutes(options), ...dataRoutes(options)];
}
