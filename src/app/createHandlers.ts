import type { CompiledRow } from '../contract/compiled.ts';
import type { AnyHandler, Handlers } from '../contract/handlers.ts';
import { kept } from '../contract/kept.ts';
import type { families } from '../table.ts';
import type { Dependencies } from './dependencies.ts';

type Families = typeof families;

/** Family -> its handlers, loaded when they are asked for. */
export type FamilyHandlers = { readonly [F in keyof Families]: () => Promise<Handlers<Families[F]>> };

const modules = {
  mcpConnections: kept(() => import('../families/mcp-connections/handlers.ts')),
  llmProviders: kept(() => import('../families/llm-providers/handlers.ts')),
  containers: kept(() => import('../families/containers/handlers.ts')),
  agents: kept(() => import('../families/agents/handlers.ts')),
  featureFlags: kept(() => import('../families/feature-flags/handlers.ts')),
  models: kept(() => import('../families/models/handlers.ts')),
  experiments: kept(() => import('../families/experiments/handlers.ts')),
  vectorStores: kept(() => import('../families/vector-stores/handlers.ts')),
  modelRegistrations: kept(() => import('../families/model-registrations/handlers.ts')),
  connectionInventory: kept(() => import('../families/connection-inventory/handlers.ts')),
  audit: kept(() => import('../families/audit/handlers.ts')),
  connectionHealth: kept(() => import('../families/connection-health/handlers.ts')),
  configuration: kept(() => import('../families/configuration/handlers.ts')),
  service: kept(() => import('../families/service/handlers.ts')),
};

/** The one place where families are put together. The type asks for every family: a forgotten one does not compile. */
export function createHandlers(deps: Dependencies): FamilyHandlers {
  const { stores, settings, secretPaths, lookups } = deps;
  return {
    'mcp-connections': async () => (await modules.mcpConnections()).mcpHandlers(stores, deps.mcp, secretPaths),
    'llm-providers': async () => (await modules.llmProviders()).llmHandlers(stores, deps.llm, secretPaths),
    containers: async () => (await modules.containers()).containerHandlers(stores, deps.containers, secretPaths),
    agents: async () => (await modules.agents()).agentHandlers(stores, deps.clouds, deps.searches),
    'feature-flags': async () => (await modules.featureFlags()).featureFlagHandlers(settings, stores),
    models: async () => (await modules.models()).modelHandlers(stores, lookups, deps.inspector),
    experiments: async () => (await modules.experiments()).experimentHandlers(stores, lookups),
    'vector-stores': async () =>
      (await modules.vectorStores()).vectorStoreHandlers(stores, deps.knowledgeBases, secretPaths),
    'model-registrations': async () =>
      (await modules.modelRegistrations()).modelRegistrationHandlers(stores, deps.modelEndpoints, secretPaths),
    'connection-inventory': async () => (await modules.connectionInventory()).connectionInventoryHandlers(stores),
    audit: async () => (await modules.audit()).auditHandlers(stores, settings, deps.counts),
    'connection-health': async () =>
      (await modules.connectionHealth()).connectionHealthHandlers(stores, settings, {
        'mcp-connections': async () =>
          (await import('../families/mcp-connections/health.ts')).mcpHealth(stores, deps.mcp, secretPaths),
        'llm-providers': async () =>
          (await import('../families/llm-providers/health.ts')).llmHealth(stores, deps.llm, secretPaths),
        'container-connections': async () =>
          (await import('../families/containers/health.ts')).containerHealth(stores, deps.containers, secretPaths),
        'vector-stores': async () =>
          (await import('../families/vector-stores/health.ts')).vectorStoreHealth(
            stores,
            deps.knowledgeBases,
            secretPaths,
          ),
        'model-registrations': async () =>
          (await import('../families/model-registrations/health.ts')).registrationHealth(
            stores,
            deps.modelEndpoints,
            secretPaths,
          ),
      }),
    configuration: async () => (await modules.configuration()).configurationHandlers(stores, secretPaths),
    service: async () => (await modules.service()).serviceHandlers(stores, deps.app),
  };
}

/** The handler of a row, as the pipeline calls it: what its type says the pipeline has checked. */
export async function handlerOf(handlers: FamilyHandlers, { family, id }: CompiledRow): Promise<AnyHandler> {
  const own = await handlers[family as keyof Families]();
  return (own as unknown as Record<string, AnyHandler>)[id] as AnyHandler;
}
