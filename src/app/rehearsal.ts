import { DEFAULT_DEADLINE_S } from '../contract/agents.ts';
import { RehearsedStores } from '../domain/rehearsal/stores.ts';
import type { AgentCloud } from '../ports/agentCloud.ts';
import type { SiteDependencies } from './dependencies.ts';

/** The dependencies of a rehearsal: stores that keep everything to themselves, and no way to another server. */
export function rehearsed(deps: SiteDependencies): { deps: SiteDependencies; stage: RehearsedStores } {
  const stage = new RehearsedStores(deps.stores);
  const rehearsal: SiteDependencies = {
    ...deps,
    stores: stage.stores,
    // What only a cloud could say is taken for good.
    modelEndpoints: { describe: async () => ({ status: 'InService' }) },
    clouds: {
      settings: async () => ({ place: null, deadlineMs: DEFAULT_DEADLINE_S * 1000 }),
      at: () => OBLIGING,
    },
    searches: { dispatch: async () => 'rehearsal', isActive: async () => false },
    mcp: { client: none(), tokens: none() },
    llm: { ...deps.llm, http: none(), cloud: none() },
    containers: { ...deps.containers, probe: none(), conf: none(), open: no, spawnPull: no },
    knowledgeBases: none(),
    lookups: none(),
  };
  return { deps: rehearsal, stage };
}

/** Does whatever it is asked to. */
const OBLIGING: AgentCloud = {
  create: async () => ({ kind: 'created', runtime: { id: 'rehearsal', phase: 'pending', status: 'CREATING' } }),
  find: async () => undefined,
  get: async () => undefined,
  remove: async () => ({ kind: 'gone' }),
};

const no = (): never => {
  throw new Error('A rehearsal calls nobody');
};

/** A port whose calls are mistakes of the program. */
const none = <T extends object>(): T => new Proxy({} as T, { get: () => no });
