import type { AnyHandler } from '../../contract/rows/handlers.ts';
import { type Slots, Use } from '../../gateway/use/use.ts';
import type { RestRequest } from '../../rest/request.ts';
import type { RequestScope } from '../../rest/requestScope.ts';
import type { SecretCache } from '../dependencies/secretCache.ts';
import type { requestScopes } from './requestScope.ts';
import type { HandlerSource } from './scope.ts';

export interface GatewayScope extends RequestScope {
  use: Use;
}

/** Creates the scope of a request below `/ai_gateway`, with its use of upstreams. */
export function gatewayScopes(
  scopes: ReturnType<typeof requestScopes>,
  slots: (request: RestRequest) => Slots,
  secrets: SecretCache,
): (request: RestRequest) => GatewayScope {
  return (request) => {
    const use = new Use(slots(request));
    return { ...scopes(request, gatewayHandlersOf(use, secrets), admissionOf(use)), use };
  };
}

/** A slot is taken by whoever uses an upstream, after the caller's rights are known. */
export const admissionOf = (use: Use) => ({ enter: async () => {}, leave: () => use.leave() });

export const gatewayHandlersOf =
  (use: Use, cache: SecretCache): HandlerSource =>
  (deps) => {
    const stores = { ...deps.stores, secrets: cache.over(deps.stores.secrets) };
    return async ({ id }) => {
      const { gatewayHandlers } = await import('../../gateway/handlers.ts');
      return (gatewayHandlers({ ...deps, stores }, use) as unknown as Record<string, AnyHandler>)[id] as AnyHandler;
    };
  };
