import type { AnyHandler } from '../../contract/rows/handlers.ts';
import { ModelPauses } from '../../gateway/models/pauses.ts';
import { type Slots, Use } from '../../gateway/use/use.ts';
import type { SchemaChecks } from '../../ports/llm/schemaChecks.ts';
import type { RestRequest } from '../../rest/request.ts';
import type { RequestScope } from '../../rest/requestScope.ts';
import type { requestScopes } from '../request/requestScope.ts';
import type { HandlerSource } from '../request/scope.ts';
import { SecretCache } from './secretCache.ts';

/** What a process keeps between requests. */
export interface GatewayProcess {
  secrets: SecretCache;
  schemas: SchemaChecks;
  pauses: ModelPauses;
}

export const createProcess = (schemas: SchemaChecks): GatewayProcess => ({
  secrets: new SecretCache(),
  schemas,
  pauses: new ModelPauses(),
});

export interface GatewayScope extends RequestScope {
  use: Use;
}

/** Creates the scope of a request below `/ai_gateway`, with its use of upstreams. */
export function gatewayScopes(
  scopes: ReturnType<typeof requestScopes>,
  slots: (request: RestRequest) => Slots,
  state: GatewayProcess,
): (request: RestRequest) => GatewayScope {
  return (request) => {
    const use = new Use(slots(request));
    return { ...scopes(request, gatewayHandlersOf(use, state), admissionOf(use)), use };
  };
}

/** A slot is taken by whoever uses an upstream, after the caller's rights are known. */
export const admissionOf = (use: Use) => ({ enter: async () => {}, leave: () => use.leave() });

export const gatewayHandlersOf =
  (use: Use, { secrets, ...kept }: GatewayProcess): HandlerSource =>
  (deps) => {
    const stores = { ...deps.stores, secrets: secrets.over(deps.stores.secrets) };
    return async ({ id }) => {
      const { gatewayHandlers } = await import('../../gateway/handlers.ts');
      return (gatewayHandlers({ ...deps, stores, ...kept }, use) as unknown as Record<string, AnyHandler>)[
        id
      ] as AnyHandler;
    };
  };
