import type { AnyHandler, Handlers } from '../../contract/rows/handlers.ts';
import type { families } from '../../table.ts';
import type { Dependencies } from '../dependencies/dependencies.ts';
import { references } from '../dependencies/references.ts';
import type { HandlerSource } from './scope.ts';

type Families = typeof families;

/** Family -> its handlers, loaded on first use. */
type FamilyHandlers = { readonly [F in keyof Families]: () => Promise<Handlers<Families[F]>> };

/** The composition root of all families; a missing one does not compile. */
function createHandlers(deps: Dependencies): FamilyHandlers {
  const { stores, settings, plans, lookups } = deps;
  return {
    'mcp-connections': async () =>
      (await import('../../families/mcp-connections/handlers.ts')).mcpHandlers(stores, deps.mcp, plans, references),
    'llm-providers': async () =>
      (await import('../../families/llm-providers/handlers.ts')).llmHandlers(stores, deps.llm, plans, references),
    containers: async () =>
      (await import('../../families/containers/handlers.ts')).containerHandlers(stores, deps.containers, plans),
    agents: async () => (await import('../../families/agents/handlers.ts')).agentHandlers(deps),
    'feature-flags': async () =>
      (await import('../../families/feature-flags/handlers.ts')).featureFlagHandlers(settings, stores),
    models: async () =>
      (await import('../../families/model-files/handlers.ts')).modelHandlers(stores, lookups, {
        inspector: deps.inspector,
        runtime: deps.onnx,
      }),
    experiments: async () =>
      (await import('../../families/experiments/handlers.ts')).experimentHandlers(stores, lookups),
    'vector-stores': async () =>
      (await import('../../families/vector-stores/handlers.ts')).vectorStoreHandlers(stores, deps, plans, references),
    'model-registrations': async () =>
      (await import('../../families/sagemaker-endpoints/handlers.ts')).modelRegistrationHandlers(
        stores,
        deps.modelEndpoints,
        plans,
      ),
    model_aliases: async () =>
      (await import('../../families/model-aliases/handlers.ts')).modelAliasHandlers(stores, plans, references),
    usage_limits: async () =>
      (await import('../../families/usage-limits/handlers.ts')).usageLimitHandlers(stores, plans, deps),
    search_tools: async () =>
      (await import('../../families/search-tools/handlers.ts')).searchToolHandlers(stores, deps, plans, references),
    masking_policies: async () =>
      (await import('../../families/masking-policies/handlers.ts')).maskingPolicyHandlers(stores, plans, deps),
    'connection-inventory': async () =>
      (await import('../../families/connection-inventory/handlers.ts')).connectionInventoryHandlers(stores),
    audit: async () => (await import('../../families/audit/handlers.ts')).auditHandlers(stores, settings),
    usage: async () => (await import('../../families/usage/handlers.ts')).usageHandlers(stores),
    'connection-health': async () =>
      (await import('../../families/connection-health/handlers.ts')).connectionHealthHandlers(deps, references, {
        'mcp-connections': async () =>
          (await import('../../families/mcp-connections/health.ts')).mcpHealth(stores, deps.mcp, plans),
        'llm-providers': async () =>
          (await import('../../families/llm-providers/health.ts')).llmHealth(stores, deps.llm, plans),
        'container-connections': async () =>
          (await import('../../families/containers/health.ts')).containerHealth(stores, deps.containers, plans),
        'vector-stores': async () =>
          (await import('../../families/vector-stores/health.ts')).vectorStoreHealth(stores, deps, plans),
        'model-registrations': async () =>
          (await import('../../families/sagemaker-endpoints/health.ts')).registrationHealth(
            stores,
            deps.modelEndpoints,
            plans,
          ),
        model_aliases: async () => (await import('../../families/model-aliases/health.ts')).aliasHealth(stores),
        usage_limits: async () => (await import('../../families/usage-limits/health.ts')).limitHealth(stores),
        search_tools: async () =>
          (await import('../../families/search-tools/health.ts')).searchToolHealth(stores, deps, plans),
      }),
    configuration: async () =>
      (await import('../../families/configuration/handlers.ts')).configurationHandlers(stores, plans),
    service: async () =>
      (await import('../../families/service/handlers.ts')).serviceHandlers(
        stores,
        deps.schema,
        deps.app,
        deps.passageFiles,
        searched(deps.stored),
      ),
  };
}

/** The collections in which health looks for unreadable records. */
const searched = (stored: Dependencies['stored']): string[] =>
  Object.keys(stored).filter((collection) => stored[collection]?.isSearched);

/** The handlers of the endpoints below `/ml`. */
export const managementHandlers: HandlerSource = (deps) => {
  const handlers = createHandlers(deps);
  return async ({ family, id }) => {
    const familyHandlers = await handlers[family as keyof Families]();
    return (familyHandlers as unknown as Record<string, AnyHandler>)[id] as AnyHandler;
  };
};
